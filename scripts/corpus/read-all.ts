import { type LocatedFile } from './listing';
import { type Outcome } from './outcome';
import { createChildReader } from './read-in-children';
import { createContainerReader } from './read-in-container';
import { createSharedContainerReader } from './read-in-shared-containers';

export interface ReadSettings {
  readonly inProcess: boolean;
  /** Another image than the current renderer's. */
  readonly image?: string | undefined;
  /** Files, or groups of files that share a container, at once. */
  readonly jobs: number;
  /** More than one: they share a container one after the other, and memory is not measured. @default 1 */
  readonly filesPerContainer?: number;
  /** Called with each outcome as it comes. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

interface GroupReader {
  readMany(files: readonly LocatedFile[]): Promise<Outcome[]>;
  close(): Promise<void> | void;
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
  const size = settings.inProcess ? 1 : Math.max(1, settings.filesPerContainer ?? 1);
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const reader = await readerOf(settings, size);
    try {
      for (let from = next; from < files.length; from = next) {
        next = from + size;
        const group = await Promise.all(files.slice(from, next).map(prepare));
        const read = await reader.readMany(group.map(({ file }) => file));
        for (const { remove } of group) await remove?.();
        for (const [at, outcome] of read.entries()) {
          outcomes[from + at] = outcome;
          settings.onOutcome?.(outcome);
        }
      }
    } finally {
      await reader.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.jobs, files.length) }, work));
  return outcomes;
}

async function readerOf({ inProcess, image }: ReadSettings, size: number): Promise<GroupReader> {
  if (!inProcess && size > 1) return createSharedContainerReader(image);
  const reader = inProcess ? createChildReader() : await createContainerReader(image);
  return {
    readMany: async (files) => {
      const outcomes: Outcome[] = [];
      for (const file of files) outcomes.push(await reader.read(file));
      return outcomes;
    },
    close: () => reader.close(),
  };
}
