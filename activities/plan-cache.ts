import { type Rubric } from '../core/rubric';
import { type SweepPlan } from '../core/sweep';
import { type PlannedTask } from '../core/task';
import { Failure } from '../core/failure';
import { Memo } from './memo';
import { readJson } from './read-json';
import { type ObjectStore } from './store/port';

/** Plans and rubrics never change under their key, so each is read once a process. */
export interface PlanCache {
  /** Throws `Failure('InvalidInput')` when the store has no such plan. */
  loadPlan(planKey: string): Promise<SweepPlan>;
  /** Reads `sealed/`: for the judge, the workflow role and the CLI only. */
  loadRubric(task: Pick<PlannedTask, 'id' | 'rubric'>): Promise<Rubric>;
}

const KEPT_PLANS = 16;
const KEPT_RUBRICS = 1_000;

export function createPlanCache(store: ObjectStore): PlanCache {
  const plans = new Memo<SweepPlan>(KEPT_PLANS);
  const rubrics = new Memo<Rubric>(KEPT_RUBRICS);
  return {
    loadPlan: (planKey) =>
      plans.get(planKey, async () => {
        const plan = await readJson<SweepPlan>(store, planKey);
        if (plan === undefined)
          throw new Failure('InvalidInput', `no plan ${planKey} in the store ${store.description}`);
        return plan;
      }),
    loadRubric: (task) =>
      rubrics.get(task.rubric.sha256, async () => {
        const blob = await store.getBlob('sealed', task.rubric.sha256);
        return JSON.parse(Buffer.from(blob).toString('utf8')) as Rubric;
      }),
  };
}
