import { readBytes } from '../../../support/evidence';

const facts = async (name: string, text: string) => {
  const { rendering, status } = await readBytes(name, Buffer.from(text));
  expect(status).toBe('rendered');
  return { ...rendering.facts, ...rendering.counts, warnings: rendering.warnings };
};

test.each([
  ['a.json', '{"a": 1, "b": []}', { valid: true, topLevel: 'object', keys: 2 }],
  ['a.json', '[1, 2, 3]', { valid: true, topLevel: 'array', values: 3 }],
  ['a.jsonl', '{"a":1}\n{"a":2}\n', { valid: true, topLevel: 'a value a line', values: 2 }],
  ['a.json', '{"a": 1,}', { valid: false }],
  ['a.yaml', 'a: 1\n---\nb: 2\n', { valid: true, documents: 2 }],
  ['a.yaml', 'a: [1\n', { valid: false }],
  ['a.xml', '<r><a/><a/></r>', { valid: true, rootElement: 'r', elements: 3 }],
  ['a.xml', '<r><a></r>', { valid: false }],
])('%s: %j', async (name, text, wanted) => {
  expect(await facts(name, text)).toMatchObject(wanted);
});

test('aliases of YAML and entities of XML are not followed', async () => {
  const lines = ['a0: &a0 [x, x]'];
  for (let n = 1; n < 40; n++) lines.push(`a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`);
  expect(await facts('a.yaml', lines.join('\n'))).toMatchObject({ valid: true });
  const bomb = '<!DOCTYPE r [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]><r>&b;</r>';
  expect(await facts('a.xml', bomb)).toMatchObject({
    doctype: true,
    warnings: ['declares a DOCTYPE: shown as text, not parsed'],
  });
});

test('a file of code is its lines', async () => {
  const { rendering } = await readBytes('a.py', Buffer.from('import os\n\nprint(1)\n'));
  expect(rendering.format).toBe('code');
  expect(rendering.segments.map(({ locator }) => locator)).toMatchObject([
    { from: 1 },
    { from: 3 },
  ]);
});

test('rows of another length are counted and named', async () => {
  const { rendering } = await readBytes('a.csv', Buffer.from('a;b\r\n1;2\r\n3\r\n4;5;6\r\n'));
  expect(rendering.facts).toMatchObject({ delimiter: ';', lineEnds: 'CRLF' });
  expect(rendering.counts).toMatchObject({ rows: 4, columns: 3, unevenRows: 2 });
  expect(rendering.warnings[0]).toContain('lines 3, 4');
});

test.each([
  ['flow', '{"a":'.repeat(60_000)],
  ['sequences', `${'- '.repeat(60_000)}x`],
  ['mappings', Array.from({ length: 600 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
])('YAML nested without end is not parsed: %s', async (_, text) => {
  const { rendering } = await readBytes('a.yaml', Buffer.from(text));
  expect(rendering.warnings).toContain('may be nested deeper than 300 levels: shown, not parsed');
  expect(rendering.facts['valid']).toBeUndefined();
});

test('YAML with a mistake in each word is read in no time, and the first one has its line', async () => {
  const { rendering } = await readBytes('a.yaml', Buffer.from(`a: 1\nb: ${'&a '.repeat(100_000)}`));
  expect(rendering.facts['valid']).toBe(false);
  expect(rendering.warnings.join()).toMatch(/not valid YAML: .* at line 2/u);
});
