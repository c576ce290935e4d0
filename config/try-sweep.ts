import { resolve } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { ConfigurationError } from './configuration-error';
import { readText } from './read-text';

/**
 * The text of a one-run sweep: models, harnesses, limits and judge of `sweepFile`, one task, one repetition, and a
 * name of its own, so that it shares no result with that sweep. Throws `ConfigurationError`.
 */
export function trySweepText(sweepFile: string, taskFolder: string, name: string): string {
  const read = readText(sweepFile);
  if ('problem' in read)
    throw new ConfigurationError([
      {
        file: sweepFile,
        line: undefined,
        message: `${read.problem}; name a sweep file with --sweep`,
      },
    ]);
  const document = parseDocument(read.text);
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new ConfigurationError([
      {
        file: sweepFile,
        line: undefined,
        message: document.errors[0]?.message ?? 'is not a mapping',
      },
    ]);
  document.set('sweep', name);
  document.set('cohort', name);
  document.set('tasks', [resolve(taskFolder)]);
  document.set('repetitions', 1);
  return document.toString();
}
