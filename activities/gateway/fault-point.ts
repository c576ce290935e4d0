/** Moments at which tests kill the gateway, in the order in which an exchange passes them. */
export const FAULT_POINTS = [
  'before-upstream',
  'after-upstream',
  'torn-journal',
  'after-journal',
] as const;
export type FaultPointName = (typeof FAULT_POINTS)[number];

/** Called at each moment; `true` asks `torn-journal` to tear what was just written before it dies. */
export interface FaultPoint {
  /** Whether the process is to die at this moment; counts the moment as passed. */
  due(name: FaultPointName): boolean;
  die(): void;
}

export const NO_FAULTS: FaultPoint = { due: () => false, die: () => undefined };

/**
 * For tests only: `STARTUPBENCH_FAULT=gateway:after-journal:3` kills the process without any farewell when the third
 * exchange is journaled and not yet handed over. Throws on a moment that does not exist.
 */
export function createFaultPoint(setting: string | undefined): FaultPoint {
  if (setting === undefined || !setting.startsWith('gateway:')) return NO_FAULTS;
  const [, name, count = '1'] = setting.split(':');
  if (!(FAULT_POINTS as readonly (string | undefined)[]).includes(name))
    throw new Error(
      `STARTUPBENCH_FAULT: no moment "${name ?? ''}"; there are ${FAULT_POINTS.join(', ')}`,
    );
  let left = Number(count);
  return {
    due: (passed) => passed === name && --left === 0,
    die: () => {
      process.kill(process.pid, 'SIGKILL');
      // The signal comes with the next turn of the kernel; nothing more may happen until then.
      for (;;);
    },
  };
}
