import { type ObjectStore } from '../activities/store/port';
import { Failure } from '../core/failure';
import { nearNames } from '../core/near-names';

/** Most names that a refusal lists; `sweep list` has all. */
const MOST_LISTED = 20;
const PREFIX = 'open/sweeps/';

/** Ids of the sweeps that were launched, in order. */
export async function sweepsOf(store: ObjectStore): Promise<string[]> {
  const ids = new Set<string>();
  for await (const key of store.list(PREFIX))
    if (/\/plan-\d+\.json$/u.test(key)) ids.add(key.slice(PREFIX.length).split('/')[0] ?? '');
  return [...ids].sort();
}

/**
 * Throws `InvalidInput`, with the names that were likely meant, unless a sweep has this very name: a part of a name
 * that fits one sweep today may fit another one tomorrow.
 */
export async function requireSweep(store: ObjectStore, name: string): Promise<void> {
  const names = await sweepsOf(store);
  if (names.includes(name)) return;
  throw new Failure(
    'InvalidInput',
    `no sweep ${name === '' ? '""' : name} in the store ${store.description}${hint(name, names)}`,
  );
}

function hint(name: string, names: readonly string[]): string {
  const near = nearNames(name, names);
  if (near.length > 0) return `: did you mean ${near.join(' or ')}?`;
  if (names.length === 0) return ': none was launched yet';
  const more = names.length > MOST_LISTED ? ' and more, see sweep list' : '';
  return `: there are ${names.slice(0, MOST_LISTED).join(', ')}${more}`;
}
