import {
  addEmbeddedFile,
  addEmbeddedPart,
} from '../../../../activities/evidence/render/embedded-files';
import { unwrapOle } from '../../../../activities/evidence/render/ole-package';
import { type OfficePackage } from '../../../../activities/evidence/render/package';
import { Rendering } from '../../../../activities/evidence/render/rendering';
import { compoundFile } from './outlook/compound-writer';

const NATIVE = '\u0001Ole10Native';

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const wide = (text: string): Buffer =>
  Buffer.concat([number(text.length), Buffer.from(text, 'utf16le')]);

interface Packaged {
  readonly name: string;
  readonly content: Buffer;
  /** Stated size of the content. */
  readonly stated?: number;
  readonly wideNames?: readonly [path: string, label: string, name: string];
  readonly encoding?: BufferEncoding;
}

/** An OLE object as Windows' packager writes it. */
const packaged = ({ name, content, stated, wideNames, encoding = 'utf8' }: Packaged): Buffer => {
  const path = Buffer.concat([Buffer.from(name, encoding), Buffer.alloc(1)]);
  const stream = Buffer.concat([
    Buffer.from([2, 0]),
    path,
    path,
    Buffer.from([0, 0, 3, 0]),
    number(path.length),
    path,
    number(stated ?? content.length),
    content,
    ...(wideNames ?? []).map(wide),
  ]);
  return compoundFile({ [NATIVE]: Buffer.concat([number(stream.length), stream]) });
};
const csv = Buffer.from('item,price\nbolt,2\n');

describe('files within OLE objects', () => {
  test.each([
    ['C:\\Users\\a\\quote.csv', 'quote.csv'],
    ['/home/a/quote.csv', 'quote.csv'],
    ['..\\..\\quote.csv', 'quote.csv'],
    ['quote.csv:stream', 'stream'],
    ['..', 'content'],
    ['C:\\', 'content'],
    ['a\u0007b\u202e.csv', 'ab.csv'],
    [`${'x'.repeat(5_000)}.csv`, 'x'.repeat(100)],
    ['', 'content'],
  ])('name %# keeps its last step, without signs that are none of a name', (given, expected) => {
    const found = unwrapOle(packaged({ name: given, content: csv }));
    expect(found).toMatchObject({ name: expected, content: csv });
  });

  test('names in UTF-16 win over those of a code page; of the latter Chinese ones are read', () => {
    const wideNames = ['C:\\tmp\\x.csv', '标签', 'C:\\文件\\报价.csv'] as const;
    expect(unwrapOle(packaged({ name: '??.csv', content: csv, wideNames }))?.name).toBe('报价.csv');
    const narrow = Buffer.from('b1a8bcdb2e637376', 'hex').toString('latin1');
    expect(unwrapOle(packaged({ name: narrow, content: csv, encoding: 'latin1' }))?.name).toBe(
      '报价.csv',
    );
  });

  test.each(['CONTENTS', 'Package', 'EmbeddedOdf'])(
    'the stream %s is a file as it is',
    (stream) => {
      const content = Buffer.from('%PDF-1.7 ...');
      expect(unwrapOle(compoundFile({ [stream]: content }))).toEqual({ name: 'content', content });
    },
  );

  test('bare content behind its length, as simple programs write it', () => {
    const stream = Buffer.concat([number(csv.length), csv, Buffer.from('rest')]);
    expect(unwrapOle(compoundFile({ [NATIVE]: stream }))?.content).toEqual(csv);
  });

  test('sizes that lie give what is there, and never more', () => {
    const lying = packaged({ name: 'a.csv', content: csv, stated: 0xfffffff0 });
    expect(unwrapOle(lying)?.content).toEqual(csv);
    const short = packaged({ name: 'a.csv', content: csv, stated: 4 });
    expect(unwrapOle(short)?.content.toString()).toBe('item');
  });

  test.each([
    ['cut anywhere', (bytes: Buffer, at: number) => bytes.subarray(0, at)],
    [
      'with a wrong byte anywhere',
      (bytes: Buffer, at: number) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ 0xff;
        return copy;
      },
    ],
  ])('an object %s is none, or gives a file with a plain name', (_name, damage) => {
    const whole = packaged({ name: 'a.csv', content: csv });
    for (let at = 0; at < whole.length; at += 7) {
      const found = unwrapOle(damage(whole, at));
      if (found) expect(found.name).toMatch(/^[^\\/]+$/u);
    }
    expect.hasAssertions();
  });
});

describe('the record of a file within an OLE object', () => {
  const record = (bytes: Buffer): { words: string; paths: string[] } => {
    const rendering = new Rendering('docx');
    const words = addEmbeddedFile('word/embeddings/ole1.bin', bytes, rendering);
    return {
      words: words.replace(/[0-9a-f]{64}/u, 'D'),
      paths: rendering.members.map(({ path }) => path),
    };
  };

  test('it is read as a file of its own, behind the object', () => {
    const bytes = packaged({ name: 'C:\\a\\quote.csv', content: csv });
    expect(record(bytes)).toEqual({
      words: `OLE object of ${bytes.length} bytes around a file: text, 18 bytes, sha256 D; read as a file of its own, behind //word/embeddings/ole1.bin/quote.csv`,
      paths: ['word/embeddings/ole1.bin/quote.csv'],
    });
  });

  test('of an unknown kind it is named and not read; an object within an object is not looked into', () => {
    const program = packaged({ name: 'setup.exe', content: Buffer.from('MZ') });
    expect(record(program)).toEqual({
      words: `OLE object of ${program.length} bytes around "setup.exe": of unknown kind, 2 bytes, sha256 D; its content is not read`,
      paths: [],
    });
    const nested = packaged({
      name: 'inner.bin',
      content: packaged({ name: 'a.csv', content: csv }),
    });
    expect(record(nested).paths).toEqual([]);
  });

  test('a part that is referred to many times is read once', async () => {
    let reads = 0;
    const parts = {
      has: () => true,
      read: () => {
        reads++;
        return Promise.resolve(packaged({ name: 'a.csv', content: csv }));
      },
    } as unknown as OfficePackage;
    const rendering = new Rendering('docx');
    const relation = { id: 'r', type: 'oleObject', target: 'word/o.bin', external: false };
    const said = new Set<string>();
    for (let at = 0; at < 100; at++) said.add(await addEmbeddedPart(parts, relation, rendering));
    expect({ reads, said: said.size, members: rendering.members.length }).toEqual({
      reads: 1,
      said: 1,
      members: 1,
    });
  });
});
