import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { workflowIds } from '../../core/ids';
import { loadWorkflowBundle, type WorkflowBundle } from '../../workers/workflow-bundle';
import { SWEEP_TYPE, type SweepInput } from '../../workflows/messages';
import { type sweep as sweepWorkflow } from '../../workflows/sweep';
import { type AllActivities, type FakeSweep, FakeWorld, TEST_TIMINGS } from '../fakes/activities';
import { CHECKOUT_DATA } from './checkout-data';
import { startTestTemporal, type TestTemporal } from './temporal-server';

const SHARED = 'shared';

/** A dev server, the real workflows and fake activities. One a test file. */
export class FakeStack {
  /** By sweep. */
  private readonly worlds = new Map<string, FakeWorld>();
  private readonly shared: { readonly worker: Worker; readonly ended: Promise<void> }[] = [];

  private constructor(
    readonly temporal: TestTemporal,
    readonly client: Client,
    private readonly connection: Connection,
    private readonly native: NativeConnection,
    private readonly bundle: WorkflowBundle,
  ) {}

  static async start(dynamicConfig: Record<string, number | boolean> = {}): Promise<FakeStack> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const temporal = await startTestTemporal(dynamicConfig);
    const { address } = temporal;
    const bundle = await loadWorkflowBundle(CHECKOUT_DATA);
    const connection = await Connection.connect({ address });
    const native = await NativeConnection.connect({ address });
    return new FakeStack(
      temporal,
      new Client({ connection, identity: 'test' }),
      connection,
      native,
      bundle,
    );
  }

  async stop(): Promise<void> {
    for (const { worker } of this.shared) if (worker.getState() === 'RUNNING') worker.shutdown();
    await Promise.all(this.shared.map(({ ended }) => ended));
    await this.native.close();
    await this.connection.close();
    await this.temporal.stop();
  }

  /** Runs a sweep on workers with one agent host, which serve all sweeps of the file. */
  async withSweep(
    change: Partial<FakeSweep> & Pick<FakeSweep, 'sweep'>,
    body: (
      world: FakeWorld,
      handle: WorkflowHandleWithFirstExecutionRunId<typeof sweepWorkflow>,
    ) => Promise<void>,
    input: Partial<SweepInput> = {},
  ): Promise<FakeWorld> {
    const world = fakeWorld(change);
    this.worlds.set(world.options.sweep, world);
    await this.startShared();
    await body(world, await this.startSweep(world, input));
    return world;
  }

  /** Starts the sweep where its world is: on the shared workers, or on those that `withWorkers` made for it. */
  async startSweep(
    world: FakeWorld,
    input: Partial<SweepInput> = {},
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof sweepWorkflow>> {
    const { sweep } = world.options;
    const stack = this.worlds.has(sweep) ? SHARED : sweep;
    return this.client.workflow.start<typeof sweepWorkflow>(SWEEP_TYPE, {
      workflowId: workflowIds.sweep(sweep),
      taskQueue: `${stack}/workflows`,
      args: [{ planKey: `plan of ${sweep}`, ...input }],
    });
  }

  /** Workers of the sweep's own, for every queue of a stack named after it, while `body` runs. */
  async withWorkers(
    world: FakeWorld,
    hosts: readonly string[],
    body: () => Promise<void>,
  ): Promise<void> {
    const workers = await this.workers(world.options.sweep, hosts, (host) =>
      world.activities(host),
    );
    const running = workers.map((worker) => worker.run());
    try {
      await body();
    } finally {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(running);
    }
  }

  private async startShared(): Promise<void> {
    if (this.shared.length > 0) return;
    const activities = (host: string) => activitiesOf(host, (sweep) => this.worlds.get(sweep));
    for (const worker of await this.workers(SHARED, ['host-1'], activities))
      this.shared.push({ worker, ended: worker.run() });
  }

  private async workers(
    stack: string,
    hosts: readonly string[],
    activities: (host: string) => AllActivities,
  ): Promise<Worker[]> {
    const queues = [
      ['workflows', 'workflow-role'],
      ['render', 'render'],
      ['judge', 'judge'],
      ...hosts.flatMap((host) =>
        ['agent', `host@${host}`, `sandbox@${host}`].map((queue) => [queue, host]),
      ),
    ] as [string, string][];
    const workers: Worker[] = [];
    for (const [queue, host] of queues)
      workers.push(
        await this.workerOf(`${stack}/${queue}`, activities(host), queue === 'workflows'),
      );
    return workers;
  }

  /** One worker on one queue; the caller runs it. */
  worker(queue: string, world: FakeWorld, host: string, workflows: boolean): Promise<Worker> {
    return this.workerOf(queue, world.activities(host), workflows);
  }

  private workerOf(queue: string, activities: AllActivities, workflows: boolean): Promise<Worker> {
    return Worker.create({
      connection: this.native,
      taskQueue: queue,
      identity: 'test',
      activities,
      maxConcurrentActivityTaskExecutions: 50,
      shutdownGraceTime: 100,
      maxHeartbeatThrottleInterval: 200,
      ...(workflows && { workflowBundle: this.bundle }),
    });
  }
}

/** Activities of a host, each in the world of the sweep that asks. */
function activitiesOf(
  host: string,
  worldOf: (sweep: string) => FakeWorld | undefined,
): AllActivities {
  const ofAsking = () => {
    const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
    const world = worldOf(workflowId.split('/')[1] ?? '');
    if (world === undefined) throw new Error(`no sweep here has the workflow ${workflowId}`);
    return world.activities(host) as unknown as Record<string, (input: unknown) => unknown>;
  };
  const names = Object.keys(fakeWorld({ sweep: 'names' }).activities(host));
  return Object.fromEntries(
    names.map((name) => [name, (input: unknown) => ofAsking()[name]?.(input)]),
  ) as unknown as AllActivities;
}

export function fakeWorld(change: Partial<FakeSweep> & Pick<FakeSweep, 'sweep'>): FakeWorld {
  return new FakeWorld({
    laneIds: ['model-a@harness', 'model-b@harness'],
    taskCount: 2,
    repetitions: 2,
    items: 3,
    window: 2,
    agentCostMicroUsd: 10,
    timings: TEST_TIMINGS,
    needsSandbox: true,
    disturb: () => undefined,
    ...change,
  });
}
