import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../config/configuration-error';
import { createModelCatalog } from '../config/catalog';
import { readSettings } from '../config/environment';
import { listFolder } from '../config/folder-files';
import { readSweepFile } from '../config/sweep-file';
import { readTaskFolder, REQUEST_PATH, type TaskFolder } from '../config/task-folder';
import { Failure } from '../core/failure';
import { type CostRange, type CountRange, sessionsCost } from '../core/estimate';
import { SILENT_LOGGER } from '../core/logger';
import { printLocator } from '../core/locator';
import { addCost, type MicroUsd, type ModelPrices } from '../core/money';
import { type DeliverableManifest } from '../core/run';
import { type RubricItem } from '../core/rubric';
import { type Score, scoreOf } from '../core/score';
import { isPaid, type JudgeConfiguration } from '../core/sweep';
import { deliverablesDigest } from '../activities/agent/store-deliverables';
import { runCheck } from '../activities/checks/run-check';
import { openEvidenceByKey } from '../activities/evidence/evidence-reader';
import { buildView } from '../activities/evidence/evidence-service';
import { type EvidenceReader } from '../activities/evidence/port';
import { type TriedItem, tryJudge } from '../activities/judge/try-judge';
import { mapConcurrently } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';
import { containerRenderer, dockerInspector, scratchFolder } from './judging-wiring';
import { operatorAccounts } from './operator-accounts';
import { planIngredients } from './plan-ingredients';
import { resolveOne } from './plan-models';
import { judgeRecordingFaults } from './plan-recordings';
import { planTasks, putPlannedBlobs } from './plan-tasks';
import { type ShownItem } from './run-details';
import { openServices, requireDocker } from './services';
import { undecidedCheck } from './undecided-check';

const FILES_AT_ONCE = 4;
const RENDERED_AT_ONCE = 2;

export interface TryJudgeFolderInput {
  readonly taskFolder: string;
  /** A folder of deliverables: what would lie in `results/`. */
  readonly resultsFolder: string;
  /** The sweep file whose judge is asked. */
  readonly sweepFile: string;
  /** Only this item. */
  readonly itemId?: string;
  /** Whose recordings a replayed judge answers from. @default 'reference' */
  readonly subject?: string;
  /** Asked before a judge that costs money is; throws where the answer is no. */
  readonly confirm?: (paid: PaidJudging) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onDecided?: (item: ShownItem) => void;
}

/** What asking a paid judge comes to. */
export interface PaidJudging {
  readonly model: string;
  /** At least those without a check; at most all, where no check decides. */
  readonly items: CountRange;
  /** By default token counts; undefined = unknown price. */
  readonly cost: CostRange;
}

export interface TriedFolder {
  readonly judgeProvider: string;
  readonly items: readonly ShownItem[];
  readonly score: Score;
  /** What the judge cost; undefined = unknown. */
  readonly costMicroUsd: MicroUsd | undefined;
}

/**
 * Judges a folder of deliverables against a task's rubric as a sweep would. Files and their views are kept in the
 * store, so that a second try renders nothing; verdicts are not.
 * Throws `ConfigurationError`, and what judge, renderer and store throw.
 */
export async function tryJudgeFolder(input: TryJudgeFolderInput): Promise<TriedFolder> {
  const settings = readSettings();
  const read = readTaskFolder(input.taskFolder);
  if (read.task === undefined) throw new ConfigurationError(read.faults);
  const items = chosenItems(read.task, input.itemId);
  const sweep = readSweepFile(input.sweepFile);
  if ('faults' in sweep) throw new ConfigurationError(sweep.faults);
  const ingredients = planIngredients(settings);
  const catalog = {
    ...createModelCatalog(new Date().toISOString().slice(0, 10)),
    ...operatorAccounts(settings),
  };
  const given = sweep.value.judge;
  const { model, prices } = await resolveOne(input.sweepFile, given.model, catalog, ingredients);
  const judge: JudgeConfiguration = {
    ...given,
    model,
    protocolDigest: ingredients.judgeProtocolDigest(given.limits),
  };
  const missing = await judgeRecordingFaults(
    ingredients,
    { file: input.sweepFile, line: given.model.line, model },
    {
      taskId: read.task.id,
      repetition: 1,
      subject: input.subject ?? 'reference',
      items: items.filter(({ check }) => !given.checks || !check),
    },
  );
  if (missing.length > 0) throw new ConfigurationError(missing);
  if (isPaid(model)) await input.confirm?.(paidJudging(model.id, items, judge, prices));
  const services = await openServices(settings, SILENT_LOGGER);
  await requireDocker(services.docker, settings);
  const evidence = await buildEvidence(services, read.task, input);
  const tried = await tryJudge(
    { models: services.models, inspector: dockerInspector(services), runCheck },
    {
      judge,
      ...(prices === undefined ? {} : { prices }),
      items,
      taskText: readFileSync(join(input.taskFolder, 'workspace', REQUEST_PATH), 'utf8'),
      evidence,
      boundaryKey: randomBytes(32).toString('hex'),
      context: {
        taskId: read.task.id,
        repetition: 1,
        ...(input.subject === undefined ? {} : { subject: input.subject }),
      },
      signal: input.signal,
    },
    (decided) => void shown(decided, evidence, judge.checks).then(input.onDecided),
  );
  const shownItems = await Promise.all(tried.map((each) => shown(each, evidence, judge.checks)));
  return {
    judgeProvider: model.provider,
    items: shownItems,
    score: scoreOf(shownItems),
    costMicroUsd: shownItems.map((item) => item.costMicroUsd).reduce(addCost, 0),
  };
}

function paidJudging(
  model: string,
  items: readonly RubricItem[],
  { checks }: Pick<JudgeConfiguration, 'checks'>,
  prices: ModelPrices | undefined,
): PaidJudging {
  const low = items.filter(({ check }) => !checks || check === undefined).length;
  const sessions = { low, high: items.length };
  return { model, items: sessions, cost: sessionsCost(prices, sessions) };
}

function chosenItems(task: TaskFolder, itemId: string | undefined): readonly RubricItem[] {
  const { items } = task.rubric;
  if (itemId === undefined) return items;
  const item = items.find((candidate) => candidate.id === itemId);
  if (item !== undefined) return [item];
  throw new Failure(
    'InvalidInput',
    `task ${task.id} has no item ${itemId}; there are ${items.map((each) => each.id).join(', ')}`,
  );
}

async function buildEvidence(
  services: Awaited<ReturnType<typeof openServices>>,
  folder: TaskFolder,
  input: TryJudgeFolderInput,
): Promise<EvidenceReader> {
  const { tasks, blobs } = await planTasks([folder]);
  const [task] = tasks;
  if (task === undefined) throw new RangeError('a task was read and not planned');
  await putPlannedBlobs(services.store, blobs);
  const { viewKey } = await buildView(
    {
      store: services.store,
      renderer: containerRenderer(services, RENDERED_AT_ONCE),
      scratchDir: scratchFolder(services.settings),
    },
    {
      task,
      deliverables: await storeFolder(services.store, input.resultsFolder),
      signal: input.signal,
    },
  );
  return openEvidenceByKey(services.store, viewKey);
}

async function storeFolder(store: ObjectStore, folder: string): Promise<DeliverableManifest> {
  const listed = listFolder(folder, { required: true });
  if (listed.faults.length > 0) throw new ConfigurationError(listed.faults);
  const files = await mapConcurrently(listed.files, FILES_AT_ONCE, async ({ path, source }) => ({
    path,
    ...(await store.putBlobFile('open', source)),
  }));
  return { v: 1, files, refused: [], truncated: false, digest: deliverablesDigest(files) };
}

async function shown(
  { item, result }: TriedItem,
  evidence: EvidenceReader,
  checks: boolean,
): Promise<ShownItem> {
  const verdict = result.outcome === 'verdict' ? result.verdict : undefined;
  const citations = await Promise.all(
    (verdict?.citations ?? []).map(async ({ locator, quote }) => ({
      locator: printLocator(locator),
      quote,
      text: (await evidence.resolve(locator))?.text,
    })),
  );
  return {
    id: item.id,
    text: item.text,
    weight: item.weight,
    level: item.level,
    dimension: item.dimension,
    outcome: verdict === undefined ? 'unjudged' : verdict.met ? 'met' : 'unmet',
    source: verdict?.source,
    justification: verdict?.justification,
    citations,
    searched: verdict?.searched ?? [],
    firstSubmission: verdict?.firstSubmission,
    reason: result.outcome === 'unjudged' ? result.reason : undefined,
    turns: verdict?.turns,
    costMicroUsd:
      result.outcome === 'unjudged'
        ? result.costMicroUsd
        : result.verdict.source === 'judge'
          ? result.verdict.costMicroUsd
          : 0,
    checkUndecided: await undecidedCheck(item, verdict, checks, evidence),
  };
}
