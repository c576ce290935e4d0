import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lookAtSettings } from '../config/environment';
import { CommandError, EXIT } from './exit';

/** Named in help texts; taken from the checkout, whichever folder the command is called in. */
export const PATTERN_SWEEP = 'sweeps/demo.yaml';

/** The sweep file that a command takes models and judge from: the one named with `--sweep`, else {@link PATTERN_SWEEP}. */
export function patternSweep(named: string | undefined): string {
  if (named === undefined) return join(lookAtSettings().projectDir, PATTERN_SWEEP);
  if (!existsSync(named))
    throw new CommandError(EXIT.usage, `--sweep ${named}: there is no such file`);
  return resolve(named);
}
