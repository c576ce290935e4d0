import { type JournalPart } from '../../activities/agent/journal-copy';
import { readJson } from '../../activities/read-json';
import { identifyRun, RunStates, type IdentifiedRun } from '../../activities/run-state';
import { openStore } from '../../activities/store/open-store';
import { type ObjectStore } from '../../activities/store/port';
import { storeKeys } from '../../core/ids';
import { type AttemptRecord, type RunResult, type ScoreRecord } from '../../core/run';
import { plannedRuns, type SweepPlan } from '../../core/sweep';

/** What a store has of a sweep, in plan order. */
export class StoredResults {
  readonly runs: readonly IdentifiedRun[];
  private readonly states: RunStates;

  private constructor(
    readonly store: ObjectStore,
    plan: SweepPlan,
  ) {
    this.states = new RunStates(store, plan);
    this.runs = plan.lanes.flatMap((lane) =>
      plannedRuns(plan).map((position) => identifyRun(plan, lane.id, position)),
    );
  }

  static async find(
    sweep: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<StoredResults | undefined> {
    const store = await openStore(environment['STARTUPBENCH_STORE'] ?? '', environment);
    const plan = await readJson<SweepPlan>(store, storeKeys.plan(sweep, 1));
    return plan && new StoredResults(store, plan);
  }

  static async of(
    sweep: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<StoredResults> {
    const found = await StoredResults.find(sweep, environment);
    if (found === undefined) throw new Error(`no plan of sweep ${sweep}`);
    return found;
  }

  async score(run: IdentifiedRun): Promise<ScoreRecord | undefined> {
    return readJson(this.store, this.states.scoreKey(run, 1));
  }

  /** Everything that a score says, but for keys and times. */
  async outcomes(): Promise<unknown[]> {
    return Promise.all(
      this.runs.map(async (run) => {
        const score = await this.score(run);
        return {
          run: run.runId,
          score: score?.score,
          success: score?.success,
          stopReason: score?.stopReason,
          deliveredPaths: score?.deliveredPaths,
          judgeUsage: score?.judgeUsage,
          items: score?.items.map(({ itemId, outcome, source }) => [itemId, outcome, source]),
        };
      }),
    );
  }

  async verdictKeys(run: IdentifiedRun): Promise<string[]> {
    return ((await this.score(run))?.items ?? []).map((item) => item.verdictKey);
  }

  async result(run: IdentifiedRun): Promise<RunResult> {
    const result = await readJson<RunResult>(this.store, storeKeys.result(run.runKey, 1));
    if (result === undefined) throw new Error(`${run.runId} has no result`);
    return result;
  }

  async attempts(run: IdentifiedRun): Promise<AttemptRecord[]> {
    const found = await this.states.attempts(run, 1);
    return [...found.values()].filter((record) => record !== undefined);
  }

  /** Who said something in the run's only attempt, from the transcript in the store. */
  async transcriptSteps(run: IdentifiedRun): Promise<string[]> {
    const [attempt] = await this.attempts(run);
    const blob = await this.store.getBlob('open', attempt?.transcript?.sha256 ?? '');
    const { steps } = JSON.parse(Buffer.from(blob).toString()) as { steps: { source: string }[] };
    return steps.map(({ source }) => source);
  }

  async hosts(): Promise<Set<string>> {
    const attempts = await Promise.all(this.runs.map((run) => this.attempts(run)));
    return new Set(attempts.flat().map(({ hostId }) => hostId));
  }

  /** How much of the first attempt's journal is here. */
  async copiedBytes(run: IdentifiedRun): Promise<number> {
    let end = 0;
    const prefix = storeKeys.attempt(run.runKey, 1, 1, 'journal-');
    for await (const key of this.store.list(prefix))
      end = (await readJson<JournalPart>(this.store, key))?.nextOffset ?? end;
    return end;
  }
}
