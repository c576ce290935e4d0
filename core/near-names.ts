/** Most names that a suggestion has. */
const MOST = 3;

/** Names that `given` may have been meant for, the likeliest first: those that hold it, then those a few letters away. */
export function nearNames(given: string, names: readonly string[]): readonly string[] {
  if (given === '') return [];
  const lower = given.toLowerCase();
  const allowed = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 3));
  const scored = names.flatMap((name) => {
    const other = name.toLowerCase();
    if (other.includes(lower) || (lower.includes(other) && other.length > 2))
      return [{ name, distance: 0 }];
    const distance = editDistance(lower, other);
    return distance <= allowed ? [{ name, distance }] : [];
  });
  return scored
    .sort((one, two) => one.distance - two.distance || one.name.length - two.name.length)
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** `; did you mean lab or lab2?` to end a sentence with; empty where no name is near. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearNames(given, names);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

/** Letters to insert, remove or replace. */
function editDistance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= two.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[line - 1] === two[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[two.length] ?? 0;
}
