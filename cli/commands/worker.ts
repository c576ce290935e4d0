import { InvalidArgumentError, type Command } from 'commander';

export interface WorkerFlags {
  readonly sandboxes?: number;
  readonly judges?: number;
  readonly renders?: number;
}

export function register(program: Command): void {
  const worker = program
    .command('worker')
    .description(
      'Run a worker in the foreground. SIGINT lets go of everything gracefully, a second one at once.',
    )
    .option('--roles <list>', 'of workflow, agent, render, judge', 'workflow,agent,render,judge')
    .option(
      '--split-queues',
      'a queue per role although this process has them all; needed beside workers with fewer roles',
      false,
    );
  capacityOptions(worker).action(
    async (flags: WorkerFlags & { roles: string; splitQueues: boolean }) => {
      const { defaultCapacity, parseRoles, runWorker } =
        await import('../../workers/worker-main.js');
      const { roles, splitQueues, ...capacity } = flags;
      await runWorker({
        roles: parseRoles(roles),
        capacity: { ...defaultCapacity(), ...capacity },
        sharedQueue: !splitQueues,
      });
    },
  );
}

/** How much a worker does at once. */
export function capacityOptions(command: Command): Command {
  return command
    .option('--sandboxes <n>', 'sandboxes at once (default: by processors and memory)', count)
    .option('--judges <n>', 'judge sessions at once (default: 64)', count)
    .option('--renders <n>', 'files rendered at once (default: the processors)', count);
}

/** The flags of `up` as arguments of `worker`. */
export function workerArguments(flags: WorkerFlags): string[] {
  return (['sandboxes', 'judges', 'renders'] as const).flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [`--${name}`, String(value)];
  });
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000)
    throw new InvalidArgumentError('give a whole number from 1 to 1000');
  return value;
}
