import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArtifactStatus } from '../../core/evidence-view';
import { type LocatedFile } from './listing';
import { MUTATION_KINDS, type Mutation, mutationsOf } from './mutations';
import { type Outcome } from './outcome';
import { type ReadSettings, readAll } from './read-all';

export interface MutationRun {
  readonly outcomes: readonly Outcome[];
  /** A sentence for each mutation whose status its class does not list. */
  readonly wrong: readonly string[];
}

/** Reads `count` mutations of the files. Those with a wrong end are kept in `keepIn`, where it is given. */
export async function readMutations(
  files: readonly LocatedFile[],
  { count, seed, keepIn }: { count: number; seed: number; keepIn?: string | undefined },
  settings: ReadSettings,
): Promise<MutationRun> {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-mutations-'));
  const mutations = mutationsOf(files, count, seed);
  try {
    const outcomes = await readAll(mutations, settings, async (mutation) => {
      const path = join(folder, `${mutations.indexOf(mutation)}`);
      await writeFile(path, await mutation.make());
      const { name: file } = mutation;
      return {
        file: { file: mutation.file, path, generator: file, status: 'rendered', markers: [] },
        remove: () => rm(path),
      };
    });
    const named = outcomes.map((outcome, at) => ({ ...outcome, file: mutations[at]?.name ?? '' }));
    const bad = mutations.filter((mutation, at) => !isListed(mutation, named[at]));
    if (keepIn !== undefined)
      for (const mutation of bad) await keep(mutation, keepIn, mutationsOf(files, count, seed));
    const wrong = named
      .filter((outcome, at) => !isListed(mutations[at], outcome))
      .map(({ file, status, reason }) => `${file}: ${status} (${reason})`);
    return { outcomes: named, wrong };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isListed(mutation: Mutation | undefined, outcome: Outcome | undefined): boolean {
  if (mutation === undefined || outcome === undefined || outcome.status === 'crashed') return false;
  const listed: readonly ArtifactStatus[] = MUTATION_KINDS[mutation.kind];
  return listed.includes(outcome.status);
}

/** Made again: a mutation draws from its own sequence of numbers once. */
async function keep(bad: Mutation, folder: string, again: readonly Mutation[]): Promise<void> {
  const mutation = again.find(({ name }) => name === bad.name);
  if (!mutation) return;
  await writeFile(
    join(folder, `${bad.name.replace(/[^\w.-]+/gu, '_')}-${bad.file}`),
    await mutation.make(),
  );
}
