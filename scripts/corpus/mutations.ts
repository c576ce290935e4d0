import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type ArtifactStatus } from '../../core/evidence-view';
import { seededRandom } from '../../core/statistics/seeded-random';
import { type LocatedFile } from './listing';
import { type ZipEntry, readZip, writeZip } from './zip';

type Random = () => number;

export interface Mutation {
  /** `<class> <number> of <file>` */
  readonly name: string;
  /** Name that the mutated file is delivered under. */
  readonly file: string;
  readonly kind: MutationKind;
  make(): Promise<Buffer>;
}

const READ = ['rendered', 'truncated'] as const;
const UNREADABLE = ['corrupt', 'unsupported', 'encrypted'] as const;

/**
 * What may become of a file of each class. `refused` is only where a change can make a file that must be refused: a
 * size, a name or a count in the directory of a package, a part that turns into a DOCTYPE or an endless nest.
 */
export const MUTATION_KINDS = {
  /** 1 to 20 bytes anywhere. */
  bytes: [...READ, ...UNREADABLE, 'refused'],
  /** The end is missing. */
  cut: [...READ, ...UNREADABLE],
  /** Bytes of a block are doubled, moved or zeroed, as by a broken disk. */
  blocks: [...READ, ...UNREADABLE, 'refused'],
  /** Words before the file or behind it. */
  padded: [...READ, ...UNREADABLE],
  /** Another extension. */
  misnamed: [...READ, ...UNREADABLE],
  /** A part of the package is missing. */
  dropped: [...READ, ...UNREADABLE],
  /** Relationships that lead elsewhere, outside or nowhere. */
  swapped: [...READ, ...UNREADABLE],
  /** Bytes within a part. */
  inside: [...READ, ...UNREADABLE, 'refused'],
  /** Numbers within a part are huge, negative or no numbers. */
  numbers: [...READ, ...UNREADABLE, 'refused'],
  /** Elements within a part are doubled, dropped or nested. */
  elements: [...READ, ...UNREADABLE, 'refused'],
  /** Parts have each other's content. */
  exchanged: [...READ, ...UNREADABLE],
} as const satisfies Readonly<Record<string, readonly ArtifactStatus[]>>;
export type MutationKind = keyof typeof MUTATION_KINDS;

const WHOLE_FILE: Readonly<
  Partial<Record<MutationKind, (content: Buffer, random: Random) => Buffer>>
> = {
  bytes: flipBytes,
  cut: (content, random) => content.subarray(0, Math.floor(random() * content.length)),
  blocks: damageBlock,
  padded: (content, random) =>
    random() < 0.5
      ? Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), content])
      : Buffer.concat([content, Buffer.from('\0'.repeat(100) + '</html>')]),
  misnamed: (content) => content,
};

const IN_PACKAGE: Readonly<
  Partial<Record<MutationKind, (parts: ZipEntry[], random: Random) => ZipEntry[]>>
> = {
  dropped: (parts, random) => without(parts, pick(parts.length, random)),
  swapped: (parts, random) => changePart(parts, random, /\.rels$/u, swapRelationships),
  inside: (parts, random) => changePart(parts, random, /./u, flipBytes),
  numbers: (parts, random) => changePart(parts, random, /\.xml$/u, strangeNumbers),
  elements: (parts, random) => changePart(parts, random, /\.xml$/u, disturbElements),
  exchanged: exchangeParts,
};

const EXTENSIONS = [
  '.xlsx',
  '.docx',
  '.pptx',
  '.pdf',
  '.csv',
  '.md',
  '.txt',
  '.png',
  '.jpg',
  '.zip',
  '.html',
  '.ipynb',
  '.xls',
  '.bin',
];

/**
 * `count` mutations of the files, alike for the same seed and files: each file in turn, a class drawn for each.
 * Packages get those of their parts four times in five.
 */
export function mutationsOf(
  files: readonly LocatedFile[],
  count: number,
  seed: number,
): Mutation[] {
  const random = seededRandom(seed);
  const whole = Object.keys(WHOLE_FILE) as MutationKind[];
  const inner = Object.keys(IN_PACKAGE) as MutationKind[];
  return Array.from({ length: count }, (_, number): Mutation => {
    const file = files[number % files.length];
    if (!file) throw new Error('no files to change');
    const isPackage = /\.(?:xlsx|xlsm|xltx|docx|docm|pptx|odt|ods|odp)$/u.test(file.file);
    const kinds = isPackage && random() < 0.8 ? inner : whole;
    const kind = kinds[pick(kinds.length, random)] ?? 'bytes';
    const own = seededRandom(Math.floor(random() * 2 ** 31));
    return {
      name: `${kind} ${number} of ${file.generator}/${file.file}`,
      file: kind === 'misnamed' ? misnamed(file.file, own) : file.file,
      kind,
      make: async () => mutate(await readFile(file.path), kind, own),
    };
  });
}

async function mutate(content: Buffer, kind: MutationKind, random: Random): Promise<Buffer> {
  const change = WHOLE_FILE[kind];
  if (change) return change(content, random);
  try {
    return writeZip(IN_PACKAGE[kind]?.(await readZip(content), random) ?? []);
  } catch {
    // No package in spite of its name: an encrypted or broken one.
    return flipBytes(content, random);
  }
}

function pick(length: number, random: Random): number {
  return Math.floor(random() * length);
}

function misnamed(file: string, random: Random): string {
  const others = EXTENSIONS.filter((extension) => extension !== extname(file));
  return file.replace(/\.[^.]*$/u, '') + (others[pick(others.length, random)] ?? '');
}

function flipBytes(content: Buffer, random: Random): Buffer {
  const changed = Buffer.from(content);
  if (changed.length === 0) return Buffer.from([pick(256, random)]);
  for (let times = 1 + pick(20, random); times > 0; times--)
    changed[pick(changed.length, random)] = pick(256, random);
  return changed;
}

function damageBlock(content: Buffer, random: Random): Buffer {
  const from = pick(content.length, random);
  const block = content.subarray(from, from + 1 + pick(2_000, random));
  const [before, after] = [content.subarray(0, from), content.subarray(from + block.length)];
  switch (pick(3, random)) {
    case 0:
      return Buffer.concat([before, block, block, after]);
    case 1:
      return Buffer.concat([before, Buffer.alloc(block.length), after]);
    default:
      return Buffer.concat([after, block, before]);
  }
}

function without(parts: readonly ZipEntry[], at: number): ZipEntry[] {
  return parts.filter((_, index) => index !== at);
}

function changePart(
  parts: readonly ZipEntry[],
  random: Random,
  which: RegExp,
  change: (content: Buffer, random: Random) => Buffer,
): ZipEntry[] {
  const candidates = parts.filter(({ name }) => which.test(String(name)));
  const chosen = candidates[pick(candidates.length, random)];
  return parts.map((part) =>
    part === chosen
      ? { name: part.name, content: change(Buffer.from(part.content), random) }
      : part,
  );
}

function exchangeParts(parts: readonly ZipEntry[], random: Random): ZipEntry[] {
  const [first, second] = [parts[pick(parts.length, random)], parts[pick(parts.length, random)]];
  return parts.map((part) => {
    if (part === first && second) return { name: part.name, content: second.content };
    if (part === second && first) return { name: part.name, content: first.content };
    return part;
  });
}

const TARGETS = [
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:9/x',
  '/',
  '',
  '#',
  '../_rels/.rels',
  '\\\\server\\share\\x',
  'a'.repeat(5_000),
];

function swapRelationships(content: Buffer, random: Random): Buffer {
  const text = content.toString('utf8');
  const attributes = [...text.matchAll(/(Target|Type|Id)="([^"]*)"/gu)];
  const [first, second] = [
    attributes[pick(attributes.length, random)],
    attributes[pick(attributes.length, random)],
  ];
  if (!first || !second) return content;
  const name = first[1] ?? '';
  const other = attributes.filter((each) => each[1] === name && each[2] !== first[2])[0];
  const value =
    random() < 0.5 && other ? (other[2] ?? '') : (TARGETS[pick(TARGETS.length, random)] ?? '');
  const mode = random() < 0.3 ? ' TargetMode="External"' : '';
  return Buffer.from(
    text.slice(0, first.index) +
      `${name}="${value}"${mode}` +
      text.slice(first.index + first[0].length),
  );
}

const NUMBERS = [
  '-1',
  '0',
  '999999999999',
  '1e400',
  'NaN',
  '',
  '2147483648',
  '1048577',
  '0x41',
  '１２',
];

function strangeNumbers(content: Buffer, random: Random): Buffer {
  const value = NUMBERS[pick(NUMBERS.length, random)] ?? '';
  return Buffer.from(
    content
      .toString('utf8')
      .replace(/(?<=[">A-Z])\d+(?=["<:])/gu, (found) => (random() < 0.15 ? value : found)),
  );
}

function disturbElements(content: Buffer, random: Random): Buffer {
  const text = content.toString('utf8');
  const tags = [...text.matchAll(/<[A-Za-z][^<>]*\/>|<([A-Za-z:0-9]+)[^<>]*>[^<]*<\/\1>/gu)];
  const chosen = tags[pick(tags.length, random)];
  if (!chosen) return content;
  const [element] = chosen;
  const end = chosen.index + element.length;
  const replacement = [
    '',
    element.repeat(1 + pick(300, random)),
    `${'<x>'.repeat(400)}${element}${'</x>'.repeat(400)}`,
    `<!-- ${element} -->`,
    `<![CDATA[${element}]]>`,
  ][pick(5, random)];
  return Buffer.from(text.slice(0, chosen.index) + (replacement ?? '') + text.slice(end));
}
