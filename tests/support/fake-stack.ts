import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
  bundleWorkflowCode,
} from '@temporalio/worker';
import { workflowIds } from '../../core/ids';
import { SWEEP_TYPE, type SweepInput } from '../../workflows/messages';
import { type sweep as sweepWorkflow } from '../../workflows/sweep';
import { type FakeSweep, FakeWorld, TEST_TIMINGS } from '../fakes/activities';
import { startTestTemporal, type TestTemporal } from './temporal-server';

/** A dev server, the real workflows and fake activities. One a test file. */
export class FakeStack {
  private constructor(
    readonly temporal: TestTemporal,
    readonly client: Client,
    private readonly connection: Connection,
    private readonly native: NativeConnection,
    private readonly bundle: WorkflowBundleWithSourceMap,
  ) {}

  static async start(dynamicConfig: Record<string, number | boolean> = {}): Promise<FakeStack> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const temporal = await startTestTemporal(dynamicConfig);
    const { address } = temporal;
    const bundle = await bundleWorkflowCode({
      workflowsPath: require.resolve('../../workflows'),
      logger: new DefaultLogger('ERROR'),
    });
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
    await this.native.close();
    await this.connection.close();
    await this.temporal.stop();
  }

  /** Workers for every queue of a stack named after the sweep, with one agent host. */
  async withSweep(
    change: Partial<FakeSweep> & Pick<FakeSweep, 'sweep'>,
    body: (
      world: FakeWorld,
      handle: WorkflowHandleWithFirstExecutionRunId<typeof sweepWorkflow>,
    ) => Promise<void>,
    input: Partial<SweepInput> = {},
  ): Promise<FakeWorld> {
    const world = fakeWorld(change);
    await this.withWorkers(world, ['host-1'], async () => {
      const handle = await this.startSweep(world, input);
      await body(world, handle);
    });
    return world;
  }

  async startSweep(
    world: FakeWorld,
    input: Partial<SweepInput> = {},
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof sweepWorkflow>> {
    const { sweep } = world.options;
    return this.client.workflow.start<typeof sweepWorkflow>(SWEEP_TYPE, {
      workflowId: workflowIds.sweep(sweep),
      taskQueue: `${sweep}/workflows`,
      args: [{ planKey: `plan of ${sweep}`, ...input }],
    });
  }

  async withWorkers(
    world: FakeWorld,
    hosts: readonly string[],
    body: () => Promise<void>,
  ): Promise<void> {
    const stack = world.options.sweep;
    const workers = [await this.worker(`${stack}/workflows`, world, 'workflow-role', true)];
    for (const role of ['render', 'judge'])
      workers.push(await this.worker(`${stack}/${role}`, world, role, false));
    for (const host of hosts)
      for (const queue of ['agent', `host@${host}`, `sandbox@${host}`])
        workers.push(await this.worker(`${stack}/${queue}`, world, host, false));
    const running = workers.map((worker) => worker.run());
    try {
      await body();
    } finally {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(running);
    }
  }

  /** One worker on one queue; the caller runs it. */
  worker(queue: string, world: FakeWorld, host: string, workflows: boolean): Promise<Worker> {
    return Worker.create({
      connection: this.native,
      taskQueue: queue,
      identity: 'test',
      activities: world.activities(host),
      maxConcurrentActivityTaskExecutions: 50,
      shutdownGraceTime: 100,
      maxHeartbeatThrottleInterval: 200,
      ...(workflows && { workflowBundle: this.bundle }),
    });
  }
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
