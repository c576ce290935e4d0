import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFiles } from '../../activities/gateway/attempt-files';
import { type SweepStatus } from '../../workers/sweep-progress';
import { RealStack, writeSimulatedSweep } from './real-stack';
import { waitUntil } from './wait-until';

/** A simulated sweep on a stack of its own, whose provider can be broken for agents or for judges. */
export class TroubledSweep {
  private constructor(
    readonly stack: RealStack,
    private readonly sweep: string,
    private readonly file: string,
  ) {}

  /** @param timings of the sweep file, such as `holdAfter: 1s` */
  static async start(
    sweep: Parameters<typeof writeSimulatedSweep>[1] & { readonly sweep: string },
    timings: string,
  ): Promise<TroubledSweep> {
    const stack = await RealStack.start();
    const file = await writeSimulatedSweep(stack.folder, sweep);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('timings: {', `timings: { ${timings},`));
    return new TroubledSweep(stack, sweep.sweep, file);
  }

  /** No faults, no calls counted. */
  async reset(): Promise<void> {
    await this.repair();
    await this.stack.provider('POST', '/calls/reset');
  }

  async status(): Promise<SweepStatus> {
    const { stdout } = await this.stack.run('sweep', 'status', this.sweep, '--json');
    return JSON.parse(stdout) as SweepStatus;
  }

  /** Runs the sweep file in a cohort; resolves when the command ends. */
  launch(cohort: string) {
    return this.stack.output(
      this.stack.spawn('sweep', 'run', this.file, '--yes', '--cohort', cohort),
    );
  }

  breakFor(purpose: 'agent' | 'judge', fault: object) {
    return this.stack.provider('POST', '/faults', {
      match: { purpose },
      times: 1_000_000,
      ...fault,
    });
  }

  repair() {
    return this.stack.provider('DELETE', '/faults');
  }

  untilCalls(count: number) {
    return waitUntil(async () => (await this.stack.calls()).total >= count, 200_000);
  }

  /** Calls answered with a fault. */
  async failed(): Promise<number> {
    return (await this.stack.calls()).failed;
  }

  untilFailed(count: number) {
    return waitUntil(async () => (await this.failed()) >= count, 200_000);
  }

  untilHolding() {
    return waitUntil(async () => ((await this.status()).lanes[0]?.holding?.runs ?? 0) > 0, 100_000);
  }

  /** Until the gateway knows of every open agent that a person has paused the sweep with --hold. */
  untilAgentsPaused() {
    const { dataDir } = this.stack;
    const pauseOf = (attempt: string) => attemptFiles(join(dataDir, 'sandboxes', attempt)).pause;
    return waitUntil(async () => {
      const open = await this.stack.openAttempts();
      return open.length > 0 && open.every((attempt) => existsSync(pauseOf(attempt)));
    }, 100_000);
  }

  /** Until no call more has come within `forMs`; how many there were. */
  async untilStill(forMs: number): Promise<number> {
    let before = -1;
    await waitUntil(async () => {
      const { total } = await this.stack.calls();
      const isStill = total === before;
      before = total;
      await new Promise((resolve) => setTimeout(resolve, forMs));
      return isStill;
    }, 100_000);
    return before;
  }

  /** Attempts begun over all runs of all cohorts so far. */
  async attempts(): Promise<number> {
    const names = await readdir(join(this.stack.dataDir, 'store'), { recursive: true });
    return names.filter((name) => name.endsWith('claim.json')).length;
  }

  /** Answered calls by what they were for. */
  async answered(purpose: 'agent' | 'judge'): Promise<number[]> {
    const { counts } = await this.stack.calls();
    return Object.entries(counts)
      .filter(([key]) => key.startsWith(`${purpose}/`))
      .map(([, count]) => count);
  }
}
