import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readText } from './read-text';

/** Longer than any key. */
const MAX_KEY_BYTES = 64 * 1024;

interface KeySource {
  readonly keyEnv?: string | undefined;
  readonly keyFile?: string | undefined;
}

interface KeyOptions {
  /** `providers.yaml`: key files are relative to it. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with each file that holds a key. */
  readonly onKeyFile?: (path: string) => void;
  /** False: keys are neither read nor missed. */
  readonly keys?: boolean;
}

/**
 * The key that an account names, if it names one; what is wrong with it goes to `fault`, never the key itself.
 */
export function readAccountKey(
  name: string,
  given: KeySource,
  options: KeyOptions,
  fault: (message: string) => void,
): string | undefined {
  if (options.keys === false) return undefined;
  if (given.keyEnv !== undefined) {
    const key = options.environment[given.keyEnv];
    if (key === undefined || key === '') {
      fault(`accounts.${name}: the environment variable ${given.keyEnv} (keyEnv) is not set`);
      return undefined;
    }
    return usableKey(
      key.trim(),
      `accounts.${name}: the environment variable ${given.keyEnv} (keyEnv)`,
      fault,
    );
  }
  if (given.keyFile === undefined) return undefined;
  const path = resolve(dirname(options.file), given.keyFile);
  options.onKeyFile?.(path);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) !== 0)
    fault(`accounts.${name}: others may read ${path} (keyFile); run: chmod 600 ${path}`);
  const read = readText(path, { maxBytes: MAX_KEY_BYTES });
  if ('problem' in read) {
    fault(`accounts.${name}: ${path} (keyFile) ${read.problem}`);
    return undefined;
  }
  return usableKey(read.text.trim(), `accounts.${name}: ${path} (keyFile)`, fault);
}

/** Told apart here, since a request that cannot carry the key fails with words that show it. */
function usableKey(
  key: string,
  place: string,
  fault: (message: string) => void,
): string | undefined {
  if (key === '') fault(`${place} is empty`);
  else if (!/^[\x21-\x7e]+$/u.test(key))
    fault(`${place} holds more than a key: it must be one word of plain ASCII characters`);
  else return key;
  return undefined;
}
