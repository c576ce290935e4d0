import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../core/search-attributes';

/** Closed runs stay visible this long by default: the namespaces of a dev server keep them one day only. */
export const DEFAULT_RETENTION_DAYS = 90;

export interface TemporalSetup {
  readonly address: string;
  readonly namespace: string;
  /** @default 90 */
  readonly retentionDays?: number;
}

export interface TemporalSetupReport {
  readonly namespace: 'created' | 'retention raised' | 'unchanged';
  readonly addedSearchAttributes: readonly string[];
}

const SECONDS_PER_DAY = 86_400;
const INDEXED_VALUE_TYPES = { KEYWORD: 2, INT: 3, DOUBLE: 4 } as const;
const ALREADY_EXISTS = 6;
const NOT_FOUND = 5;

/**
 * Makes the namespace with its retention, and the search attributes. Idempotent: what exists is left as it is, a
 * shorter retention is raised. Throws with one sentence when the server cannot be reached.
 */
export async function setUpTemporal(setup: TemporalSetup): Promise<TemporalSetupReport> {
  const connection = await connectTo(setup.address);
  try {
    const namespace = await ensureNamespace(connection, setup);
    const addedSearchAttributes = await ensureSearchAttributes(connection, setup.namespace);
    return { namespace, addedSearchAttributes };
  } finally {
    await connection.close();
  }
}

async function connectTo(address: string): Promise<Connection> {
  try {
    return await Connection.connect({ address, connectTimeout: 5_000 });
  } catch (error) {
    throw new Error(
      `no Temporal server answers at ${address}: run ./startupbench up, or set TEMPORAL_ADDRESS`,
      { cause: error },
    );
  }
}

async function ensureNamespace(
  connection: Connection,
  { namespace, retentionDays = DEFAULT_RETENTION_DAYS }: TemporalSetup,
): Promise<TemporalSetupReport['namespace']> {
  const { workflowService } = connection;
  const seconds = retentionDays * SECONDS_PER_DAY;
  const workflowExecutionRetentionPeriod = { seconds: seconds as never };
  const kept = await retentionSeconds(connection, namespace);
  if (kept === undefined) {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
      .catch((error: unknown) => {
        if (codeOf(error) !== ALREADY_EXISTS) throw error;
      });
    await until(async () => (await retentionSeconds(connection, namespace)) !== undefined);
    return 'created';
  }
  if (kept >= seconds) return 'unchanged';
  await workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: workflowExecutionRetentionPeriod },
  });
  return 'retention raised';
}

async function retentionSeconds(
  connection: Connection,
  namespace: string,
): Promise<number | undefined> {
  try {
    const described = await connection.workflowService.describeNamespace({ namespace });
    return Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<readonly string[]> {
  // A namespace that was just made is not known to every part of the server at once.
  await until(() => knowsNamespace(connection, namespace));
  const missing = await missingAttributes(connection, namespace);
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(
    missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]),
  );
  await connection.operatorService
    .addSearchAttributes({ namespace, searchAttributes })
    .catch((error: unknown) => {
      if (codeOf(error) !== ALREADY_EXISTS) throw error;
    });
  // SQL stores show new attributes only after a cache refresh.
  await until(async () => (await missingAttributes(connection, namespace)).length === 0);
  return missing.map(({ name }) => name);
}

async function knowsNamespace(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.operatorService.listSearchAttributes({ namespace });
    return true;
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return false;
    throw error;
  }
}

async function missingAttributes(connection: Connection, namespace: string) {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES).filter(
    ({ name }) => customAttributes[name] === undefined,
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the Temporal server did not take over its new settings within 30 s');
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
}

/** `npx tsx infra/temporal-setup.ts`, for servers that `startupbench up` does not start. */
if (require.main === module) {
  setUpTemporal({
    address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
    namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default',
  }).then(
    (report) => process.stdout.write(`${JSON.stringify(report)}\n`),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
