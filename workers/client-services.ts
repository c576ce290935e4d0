import { type Client } from '@temporalio/client';
import { createPlanCache, type PlanCache } from '../activities/plan-cache';
import { type ObjectStore } from '../activities/store/port';
import { createModelCatalog } from '../config/catalog';
import { readSettings, type Settings } from '../config/environment';
import { operatorAccounts } from './operator-accounts';
import { type BuildPlanDependencies } from './build-plan';
import { planIngredients } from './plan-ingredients';
import { openStoreInTime } from './store-in-time';
import { connectClient, temporalTarget, type TemporalTarget } from './temporal-connection';

/** What commands need; each part is opened when it is first asked for. */
export interface ClientServices {
  readonly settings: Settings;
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  /** What `buildPlan` needs. */
  planDependencies(): BuildPlanDependencies;
  temporal(): Promise<{ readonly client: Client; readonly target: TemporalTarget }>;
  close(): Promise<void>;
}

export async function openClientServices(
  settings: Settings = readSettings(),
): Promise<ClientServices> {
  const store = await openStoreInTime(settings);
  let temporal: Promise<{ client: Client; target: TemporalTarget }> | undefined;
  const connect = async () => {
    const target = await temporalTarget(settings);
    return { client: await connectClient(target), target };
  };
  return {
    settings,
    store,
    plans: createPlanCache(store),
    planDependencies: () => ({
      store,
      ingredients: planIngredients(settings),
      catalog: {
        ...createModelCatalog(new Date().toISOString().slice(0, 10)),
        ...operatorAccounts(settings),
      },
    }),
    temporal: () => (temporal ??= connect()),
    close: async () => {
      await temporal?.then(({ client }) => client.connection.close()).catch(() => undefined);
    },
  };
}
