/**
 * The entry of a record whose keys people choose (ids of models and tasks, names of accounts): a key that it does not
 * have, such as `constructor`, must not find what every object inherits.
 */
export function ownEntry<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
