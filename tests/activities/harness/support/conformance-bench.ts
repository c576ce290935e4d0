import { ActivityCancellationDetails } from '@temporalio/common';
import Docker from 'dockerode';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGatewayControl } from '../../../../activities/gateway/gateway-control';
import { transcriptSchema } from '../../../../activities/gateway/transcript-schema';
import { type RunningProvider, startProvider } from '../../../../activities/models/provider-server';
import { removeAttemptFolder } from '../../../../activities/sandbox/attempt-disk';
import { attemptPaths } from '../../../../activities/sandbox/attempt-paths';
import { ownLabels } from '../../../../activities/sandbox/container-options';
import { removeContainer } from '../../../../activities/sandbox/docker-sandbox';
import { HostSlots } from '../../../../activities/sandbox/host-slots';
import { attemptIdOf } from '../../../../activities/sandbox/port';
import { FileStore } from '../../../../activities/store/file-store';
import {
  type AgentActivities,
  type AttemptReference,
  type RunReference,
} from '../../../../core/activity-contract';
import { FAILURE_TYPES, type FailureType } from '../../../../core/failure';
import { canonicalJson, runKey, storeKeys } from '../../../../core/ids';
import { type AttemptRecord, type RunResult } from '../../../../core/run';
import { type ModelIdentity } from '../../../../core/sweep';
import { waitUntil } from '../../../support/wait-until';
import { activityCall, planOf, plannedTask, step } from '../../agent/support/agent-world';
import { type BenchPlace, benchActivities, HOST, SLOTS } from './executor-process';
import { killGateway, killTwice } from './kill-twice';
import { type ConformanceResult, type ScriptedRun, SkewedClock } from './scripted-run';

const RECORDINGS = 'conformance';
const RUNS_AT_ONCE = 3;
const DELIVERED_MS = 240_000;
/** Whoever runs longer, its time in the queue left out, hangs. */
const HANGS_MS = 240_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * One stack for many runs of real harnesses in real sandboxes: a store, an agent host, the gateway process, and the
 * replay provider that answers by script.
 */
export class ConformanceBench {
  private readonly docker = new Docker();
  private readonly stack = `test-${randomBytes(4).toString('hex')}`;
  private readonly store: FileStore;
  private readonly sandboxesDir: string;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  private constructor(
    private readonly dataDir: string,
    private readonly provider: RunningProvider,
    private readonly slots: HostSlots,
    private readonly runsAtOnce: number,
  ) {
    this.store = new FileStore(join(dataDir, 'store'));
    this.sandboxesDir = join(dataDir, 'sandboxes');
  }

  /** @param runsAtOnce more are only better where harnesses wait most of the time */
  static async start(runsAtOnce = RUNS_AT_ONCE): Promise<ConformanceBench> {
    const dataDir = mkdtempSync(join(tmpdir(), 'startupbench-conformance-'));
    mkdirSync(join(dataDir, 'sandboxes'));
    const provider = await startProvider({ port: 0, recordingsDir: join(dataDir, 'recordings') });
    writeFileSync(join(dataDir, 'provider.json'), JSON.stringify({ url: provider.url }));
    await createGatewayControl({ dataDir }).ensureRunning();
    const slots = await HostSlots.load(join(dataDir, 'sandboxes'), SLOTS);
    return new ConformanceBench(dataDir, provider, slots, runsAtOnce);
  }

  /** Waits for a place: more harnesses at once than processors only start more slowly. */
  async run(wanted: ScriptedRun): Promise<ConformanceResult> {
    while (this.running >= this.runsAtOnce)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running++;
    try {
      return await withinBound(wanted.id, this.runNow(wanted));
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  private async runNow(wanted: ScriptedRun): Promise<ConformanceResult> {
    await this.script(wanted);
    const run = await this.plan(wanted);
    const clock = new SkewedClock(wanted.hostClockStands);
    const activities = benchActivities(this.place, this.slots, clock.now);
    const reference = await step(activities.reserveHost, { run });
    await step(activities.prepareWorkspace, reference);
    if (wanted.environment !== undefined) await this.override(reference, wanted.environment);
    if (wanted.morePrompt !== undefined) await this.extendPrompt(reference, wanted.morePrompt);
    if (wanted.killed === true) await killTwice(this.place, reference, this.attemptDir(reference));
    await this.execute(activities, reference, wanted, clock);
    await step(activities.cleanUpAttempt, reference);
    return this.resultOf(run, reference, wanted.id);
  }

  async dispose(): Promise<void> {
    await killGateway(this.dataDir);
    const filters = { label: ownLabels(this.stack, HOST) };
    for (const { Names } of await this.docker.listContainers({ all: true, filters }))
      await removeContainer(this.docker, Names[0]!.slice(1));
    for (const id of await readdir(this.sandboxesDir))
      await removeAttemptFolder(attemptPaths(join(this.sandboxesDir, id)));
    await this.provider.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async script({ id, script, faults = [] }: ScriptedRun): Promise<void> {
    const folder = join(this.dataDir, 'recordings', RECORDINGS, id);
    mkdirSync(folder, { recursive: true });
    // JSON is YAML.
    await writeFile(join(folder, 'all.yaml'), JSON.stringify(script));
    if (faults.length === 0) return;
    const mine = faults.map((fault) => ({ ...fault, match: { task: id, ...fault.match } }));
    const response = await fetch(`${this.provider.url}/faults`, {
      method: 'POST',
      body: JSON.stringify(mine),
    });
    if (!response.ok) throw new Error(`faults of ${id}: ${await response.text()}`);
  }

  private async plan(wanted: ScriptedRun): Promise<RunReference> {
    const model: ModelIdentity = {
      id: 'scripted',
      provider: 'replay',
      name: 'scripted',
      parameters: {},
      account: 'replay',
      recordings: { name: RECORDINGS, digest: sha256(JSON.stringify(wanted.script)) },
    };
    const options = { ...wanted, taskId: wanted.id, model };
    const task = await plannedTask(this.store, options);
    // Faults and prices are in no run key: each run is in a cohort of its own.
    const plan = { ...planOf(task, options), sweep: wanted.id, cohort: wanted.id };
    const planKey = storeKeys.plan(plan.sweep, 1);
    await this.store.putRecord(planKey, canonicalJson(plan));
    const lane = plan.lanes[0]!;
    return {
      planKey,
      laneId: lane.id,
      taskIndex: 0,
      repetition: 1,
      runId: `${lane.id}/${task.id}/r1`,
      runKey: runKey(plan, lane, task, 1, sha256),
      generation: 1,
    };
  }

  private get place(): BenchPlace {
    return { dataDir: this.dataDir, stack: this.stack };
  }

  /** What the adapter plans is written down before the start. */
  private async override(
    reference: AttemptReference,
    environment: NonNullable<ScriptedRun['environment']>,
  ): Promise<void> {
    const path = join(attemptPaths(this.attemptDir(reference)).control, 'prepared.json');
    const prepared = JSON.parse(readFileSync(path, 'utf8')) as { plan: { environment: object } };
    prepared.plan.environment = { ...prepared.plan.environment, ...environment };
    await writeFile(path, JSON.stringify(prepared));
  }

  /** The prompt lies in HOME, where the supervisor takes it from; it stays the sandbox user's file. */
  private async extendPrompt(reference: AttemptReference, more: string): Promise<void> {
    const { home } = attemptPaths(this.attemptDir(reference));
    await writeFile(join(home, '.startupbench/standard-input'), `\n${more}`, { flag: 'a' });
  }

  /** The agent's part and its record, as the workflow orders them. */
  private async execute(
    activities: AgentActivities,
    reference: AttemptReference,
    wanted: ScriptedRun,
    clock: SkewedClock,
  ): Promise<void> {
    const call = activityCall(activities.executeAgent, reference);
    let over = false;
    const executed = call.result
      .then(
        (end) => ({ end }),
        (error: unknown) => ({ error }),
      )
      .finally(() => (over = true));
    if (wanted.whenDelivered !== undefined) {
      const { workspace } = attemptPaths(this.attemptDir(reference));
      const delivered = () =>
        readdirSync(join(workspace, 'results')).includes(wanted.awaited ?? 'answer.txt');
      await waitUntil(() => over || delivered(), DELIVERED_MS);
      if (wanted.whenDelivered === 'time is over') clock.skewMs = wanted.limits?.workingTimeMs ?? 0;
      else if (wanted.whenDelivered === 'let go') await writeFile(join(workspace, 'go'), '');
      else call.stop(new ActivityCancellationDetails({ cancelRequested: true }), 'CANCELLED');
    }
    const outcome = await executed;
    if ('end' in outcome) {
      await step(activities.storeDeliverables, { ...reference, end: outcome.end });
      return;
    }
    const cancelled = (outcome.error as Error).name === 'CancelledFailure';
    await step(activities.recordLostAttempt, {
      ...reference,
      outcome: cancelled ? 'cancelled' : 'lost',
      failure: { type: typeOf(outcome.error), message: String(outcome.error) },
    });
  }

  private async resultOf(
    run: RunReference,
    reference: AttemptReference,
    id: string,
  ): Promise<ConformanceResult> {
    const record = await this.read<AttemptRecord>(
      storeKeys.attempt(run.runKey, 1, reference.attempt, 'attempt.json'),
    );
    if (record?.transcript === undefined)
      throw new Error(`${id} left no attempt with a transcript`);
    const transcriptText = await this.blob(record.transcript.sha256);
    const transcript = transcriptSchema.parse(JSON.parse(transcriptText));
    const result = await this.read<RunResult>(storeKeys.result(run.runKey, 1));
    const deliverables: Record<string, string> = {};
    for (const { path, sha256: digest } of result?.deliverables.files ?? [])
      deliverables[path] = await this.blob(digest);
    const printed: string[] = [];
    for (const { sha256: digest } of record.logs.filter(({ path }) => path.endsWith('.log')))
      printed.push(await this.blob(digest));
    const native = record.logs.find(({ path }) => path.endsWith('.jsonl'));
    return {
      record,
      transcript,
      transcriptText,
      providerReplies: this.repliesTo(id),
      deliverables,
      printed: printed.join('\n'),
      native: native && (await this.blob(native.sha256)),
    };
  }

  private repliesTo(id: string): number {
    return this.provider.calls().counts[`agent/${id}/r1`] ?? 0;
  }

  private attemptDir(reference: AttemptReference): string {
    const labels = { stack: this.stack, ...reference.run, attempt: reference.attempt };
    return join(this.sandboxesDir, attemptIdOf(labels));
  }

  private async read<T>(key: string): Promise<T | undefined> {
    const bytes = await this.store.getRecord(key);
    return bytes && (JSON.parse(Buffer.from(bytes).toString()) as T);
  }

  private async blob(digest: string): Promise<string> {
    return Buffer.from(await this.store.getBlob('open', digest)).toString('utf8');
  }
}

async function withinBound<T>(id: string, work: Promise<T>): Promise<T> {
  const bound = new AbortController();
  const hangs = sleep(HANGS_MS, undefined, { signal: bound.signal }).then(() => {
    throw new Error(`${id} hangs: it has run for ${HANGS_MS} ms`);
  });
  try {
    return await Promise.race([work, hangs]);
  } finally {
    bound.abort();
    hangs.catch(() => undefined);
  }
}

function typeOf(error: unknown): FailureType {
  const { type } = error as { type?: unknown };
  return FAILURE_TYPES.find((known) => known === type) ?? 'SandboxLost';
}
