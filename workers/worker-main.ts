import { availableParallelism, totalmem } from 'node:os';
import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import { type Settings, readSettings } from '../config/environment';
import { Failure } from '../core/failure';
import { createLogger, secretsOf, temporalLogger } from './logging';
import { openAccounts, openServices, type Services } from './services';
import { connectClient, temporalTarget } from './temporal-connection';
import { connectWorker } from './worker-connection';
import { createWorker, ROLES, type Role, type WorkerCapacity } from './worker';

export interface WorkerMainOptions {
  readonly roles: readonly Role[];
  readonly capacity: WorkerCapacity;
  readonly sharedQueue: boolean;
}

const GIBIBYTE = 1024 ** 3;
/** More than the judges of two runs: what finds a place at once needs no way through Temporal's queue. */
const JUDGES = 64;

/** As many sandboxes as processors and memory allow (2 GiB each at most), judges that mostly wait for a provider. */
export function defaultCapacity(): WorkerCapacity {
  const byMemory = Math.floor(totalmem() / (2 * GIBIBYTE));
  const processors = availableParallelism();
  return {
    sandboxes: Math.max(1, Math.min(2 * processors, byMemory)),
    judges: JUDGES,
    renders: processors,
  };
}

/**
 * Runs a worker until SIGINT or SIGTERM: the first one lets go of everything gracefully (sandboxes run on, the next
 * worker adopts them), a second one ends the process at once; nothing is lost either way.
 */
export async function runWorker(
  options: WorkerMainOptions,
  settings: Settings = readSettings(),
): Promise<void> {
  const { stackId: stack, hostId: host } = settings;
  const accounts = openAccounts(settings);
  const logger = createLogger({
    role: options.roles.join('+'),
    ids: { stack, host },
    secrets: () => [...secretsOf(process.env), ...accounts.secrets()],
    ...(process.env['STARTUPBENCH_LOG_LEVEL'] !== undefined && {
      level: process.env['STARTUPBENCH_LOG_LEVEL'],
    }),
  });
  Runtime.install({
    logger: temporalLogger(logger),
    // We handle signals ourselves, see above.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
    },
  });
  const onlyAgents = options.roles.every((role) => role === 'agent');
  const services = await openServices(
    settings,
    logger,
    onlyAgents ? ['open'] : undefined,
    accounts,
  );
  if (onlyAgents) await warnOfSealed(services);
  const target = await temporalTarget(settings);
  const connection = await connectWorker(target);
  const client = await connectClient(target);
  try {
    const worker = await createWorker({ ...options, services, connection, client });
    const forget = onSignals(() => {
      logger.info({}, 'shutting down: sandboxes run on, the next worker adopts them');
      worker.shutdown();
    });
    logger.info({ queues: worker.queues, store: services.store.description }, 'worker serves');
    await worker.run().finally(forget);
    logger.info({}, 'worker has ended');
  } finally {
    await client.connection.close();
    await connection.close();
  }
}

/** What agents run beside should not be able to reach rubrics and references, even if one broke out. */
async function warnOfSealed({ settings, store, logger }: Services): Promise<void> {
  if (!settings.store.startsWith('s3://')) return;
  const reaches = await store.hasRecord('sealed/probes/none').then(
    () => true,
    () => false,
  );
  if (reaches)
    logger.warn(
      { store: store.description },
      'the credentials of this agent host reach sealed/ (rubrics, references, verdicts): restrict them to open/, see docs/guides/many-hosts.md',
    );
}

/** The first signal asks, the second ends the process. */
function onSignals(ask: () => void): () => void {
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(130);
    asked = true;
    ask();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
}

/** `agent,judge` to roles. Throws `InvalidInput` naming what is not one. */
export function parseRoles(text: string): Role[] {
  const roles = text.split(',').map((role) => role.trim());
  const unknown = roles.filter((role) => !(ROLES as readonly string[]).includes(role));
  if (unknown.length > 0)
    throw new Failure(
      'InvalidInput',
      `no role ${unknown.join(', ')}: roles are ${ROLES.join(', ')}`,
    );
  return [...new Set(roles)] as Role[];
}
