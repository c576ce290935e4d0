import { IGNORED } from './support/ignored';
import { listed, observed, TABLES } from './support/tables';
import { VendorTypes } from './support/vendor-types';

/**
 * Every field of the vendors' request and reply types, as their SDKs declare them, is sent through the translations,
 * and what becomes of it is what the lists in `fields/` say. A field that an SDK's new version brings fails by name.
 */
describe('fields of the vendors’ SDKs', () => {
  const types = new VendorTypes(['chat', 'messages', 'betaMessages', 'responses']);
  const tables = Object.entries(TABLES);
  const fates = new Map(tables.map(([name, table]) => [name, observed(types, table)]));

  it.each(tables.map(([name]) => name))('%s: each one is listed', (name) => {
    const [now, known] = [fates.get(name) ?? {}, listed(name)];
    const added = Object.keys(now).filter((field) => !(field in known));
    const gone = Object.keys(known).filter((field) => !(field in now));
    expect({ added, gone }).toEqual({ added: [], gone: [] });
    expect(Object.keys(now).length).toBeGreaterThan(30);
  });

  it.each(tables.map(([name]) => name))(
    '%s: what becomes of each is what the list says',
    (name) => {
      expect(fates.get(name)).toEqual(listed(name));
    },
  );

  it('are ignored only for a reason', () => {
    const ignored = [...fates].flatMap(([name, table]) =>
      Object.entries(table)
        .filter(([, code]) => code.includes('I'))
        .map(([field]) => `${name}:${field}`),
    );
    const reasonOf = (field: string) => IGNORED.find(([pattern]) => pattern.test(field));
    expect(ignored.filter((field) => reasonOf(field) === undefined)).toEqual([]);
    const used = new Set(ignored.map(reasonOf));
    expect(IGNORED.filter((reason) => !used.has(reason))).toEqual([]);
  });
});
