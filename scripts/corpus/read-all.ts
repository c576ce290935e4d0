import { type LocatedFile } from './listing';
import { type Outcome } from './outcome';
import { createChildReader } from './read-in-children';
import { createContainerReader } from './read-in-container';

export interface ReadSettings {
  readonly inProcess: boolean;
  /** Another image than the current renderer's. */
  readonly image?: string | undefined;
  /** Files at once. */
  readonly jobs: number;
  /** Called with each outcome as it comes. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

/**
 * Outcomes in the order of the files.
 *
 * @param prepare gives the file as it is to be read, and what removes it again
 */
export async function readAll<File>(
  files: readonly File[],
  settings: ReadSettings,
  prepare: (file: File) => Promise<{ file: LocatedFile; remove?: () => Promise<void> }>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const reader = settings.inProcess
      ? createChildReader()
      : await createContainerReader(settings.image);
    try {
      for (let at = next++; at < files.length; at = next++) {
        const { file, remove } = await prepare(files[at] as File);
        const outcome = await reader.read(file);
        await remove?.();
        outcomes[at] = outcome;
        settings.onOutcome?.(outcome);
      }
    } finally {
      await reader.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.jobs, files.length) }, work));
  return outcomes;
}
