import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';
import { compoundFile } from './compound-writer';
import { attachment, outlookMessage, properties, recipient, texts } from './outlook-message';

const csv = Buffer.from('x,y\n1,2\n');
const large = Buffer.alloc(20_000, 'words ');
const HTML = '__substg1.0_10130102';

const MESSAGE = outlookMessage({
  ...texts({
    '001A': 'IPM.Note',
    '0037': '季度 results',
    '0C1A': '李雷',
    '5D01': 'li@example.org',
  }),
  ...texts({ '1000': 'Dear all,\r\nthe sum is € 12.\r\n', '007D': 'X-Mailer: program 1\r\n' }),
  ...recipient(0, 1, 'Board', 'board@example.org'),
  ...recipient(1, 2, 'copy@example.org', 'copy@example.org'),
  ...attachment(0, '数据.csv', csv),
  ...attachment(1, 'notes.txt', large),
  ...attachment(2, 'inner', {
    ...properties(24, []),
    ...texts({ '0037': 'Inner', '1000': 'inner words' }),
  }),
});

test('headers, body, attachments, and a message within', async () => {
  const result = await readBytes('a.msg', MESSAGE);
  expect(result).toMatchObject({ status: 'rendered' });
  expect(result.rendering.format).toBe('email');
  expect(printed(result)).toEqual([
    'paragraph=headers:1-1 | from: 李雷 <li@example.org>',
    'paragraph=headers:2-2 | to: Board <board@example.org>',
    'paragraph=headers:3-3 | cc: copy@example.org',
    'paragraph=headers:4-4 | subject: 季度 results',
    'paragraph=headers:5-5 | date: 2026-01-05T09:00:00.000Z',
    'file [metadata] | X-Mailer: program 1',
    'paragraph=body:1-1 | Dear all,',
    'paragraph=body:2-2 | the sum is € 12.',
    'paragraph=message1-headers:1-1 | subject: Inner',
    'paragraph=message1-body:1-1 | inner words',
    'member=数据.csv | 数据.csv | 8 bytes',
    'member=notes.txt | notes.txt | 20000 bytes',
  ]);
  expect(result.rendering.members).toEqual([
    { path: '数据.csv', content: csv },
    { path: 'notes.txt', content: large },
  ]);
});

test('an HTML body alone is the body, in its encoding; beside other plain words it is kept too', async () => {
  const html = Buffer.from('<p>caf\u00e9 13</p>', 'latin1');
  const codePage = properties(32, [[0x3fde, 3, 1252]]);
  const alone = await readBytes('a.msg', compoundFile({ ...codePage, [HTML]: html }));
  expect(printed(alone)).toEqual(['paragraph=body:1-1 | café 13']);
  const both = { ...codePage, ...texts({ '1000': 'café 12' }), [HTML]: html };
  expect(printed(await readBytes('b.msg', compoundFile(both)))).toEqual([
    'paragraph=body:1-1 | café 12',
    'paragraph=html:1-1 | café 13',
  ]);
});

test('texts in an old encoding', async () => {
  const subject = Buffer.from('bcbeb6c8b1a8b8e6', 'hex');
  const parts = { ...properties(32, [[0x3ffd, 3, 936]]), '__substg1.0_0037001E': subject };
  expect(printed(await readBytes('a.msg', compoundFile(parts)))).toEqual([
    'paragraph=headers:1-1 | subject: 季度报告',
  ]);
});

test('what cannot be read is said: packed RTF alone, an encrypted mail', async () => {
  const rtf = outlookMessage({ ...texts({ '0037': 's' }), '__substg1.0_10090102': large });
  expect(await readBytes('a.msg', rtf)).toMatchObject({
    status: 'truncated',
    reason: 'the body is kept as packed RTF alone, which is not read',
  });
  const locked = outlookMessage(texts({ '0037': 's', '001A': 'IPM.Note.SMIME' }));
  const result = await readBytes('a.msg', locked);
  expect(result).toMatchObject({ status: 'encrypted' });
  expect(printed(result)[0]).toBe('paragraph=headers:1-1 | subject: s');
});

test('cut anywhere, or with any number changed, it ends with a status', async () => {
  const outcomes = new Set<string>();
  for (let length = 600; length < MESSAGE.length; length += 1_111)
    outcomes.add((await readBytes('a.msg', MESSAGE.subarray(0, length))).status);
  for (let at = 0x1e; at < MESSAGE.length; at += 211)
    for (const value of [0, 1, 0xfffffff0]) {
      const other = Buffer.from(MESSAGE);
      other.writeUInt32LE(value, Math.min(at, other.length - 4));
      outcomes.add((await readBytes('a.msg', other)).status);
    }
  const known = ['rendered', 'truncated', 'corrupt', 'encrypted', 'unsupported', 'refused'];
  expect([...outcomes].filter((status) => !known.includes(status))).toEqual([]);
});

test('loops end: a chain that leads to itself, a tree that does', async () => {
  const looped = Buffer.from(MESSAGE);
  const directory = (looped.readUInt32LE(0x30) + 1) * 512;
  for (let at = directory; at < directory + 1_024; at += 128)
    for (const field of [68, 72, 76]) looped.writeUInt32LE(1, at + field);
  expect((await readBytes('a.msg', looped)).status).toBeDefined();
  const table = (looped.readUInt32LE(0x4c) + 1) * 512;
  const chained = Buffer.from(MESSAGE);
  for (let index = 0; index < 128; index++) chained.writeUInt32LE(index, table + index * 4);
  expect((await readBytes('b.msg', chained)).status).toBeDefined();
});

test('a message that holds itself many times is read a number of times', async () => {
  const inner = Object.assign(
    {},
    ...Array.from({ length: 9 }, (_, number) => attachment(number, 'again', {})),
  ) as Parameters<typeof outlookMessage>[0];
  const bytes = outlookMessage({ ...texts({ '0037': 's' }), ...inner });
  const directory = (bytes.readUInt32LE(0x30) + 1) * 512;
  const child = bytes.readUInt32LE(directory + 76);
  // Each empty message within gets the children of the whole.
  const name = Buffer.from('__substg1.0_3701000D', 'utf16le');
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1))
    bytes.writeUInt32LE(child, at + 76);
  const { status, rendering } = await readBytes('a.msg', bytes);
  expect(status).toBe('truncated');
  expect(rendering.counts['attachments']).toBe(50);
});
