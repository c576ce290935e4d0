import { createHash } from 'node:crypto';
import { isPlainPath } from './archive/archive-entry';
import { unwrapOle } from './ole-package';
import { type OfficePackage, messageOf } from './package';
import { type Relationship } from './relationships';
import { type Rendering } from './rendering';
import { DIRECTORY_BYTES, compoundKind, directoryOffset } from './sniff-compound';

/** Files within one file that are handed out, and their bytes each and together. */
const MAX_FILES = 20;
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Says what a file within an office file or a PDF is, and hands it out to be read as a file of its own, behind `//`
 * like the member of an archive, where it is of a kind that can be.
 *
 * @param path its name within, which is its address
 */
export function addEmbeddedFile(path: string, content: Uint8Array, rendering: Rendering): string {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const kind = kindOf(bytes, path);
  const wrapped = kind === undefined ? unwrapOle(bytes) : undefined;
  if (wrapped) {
    const inner = describe(`${path}/${wrapped.name}`, wrapped.content, rendering);
    // Its address ends with its name.
    const name = inner.endsWith(wrapped.name) ? 'a file' : JSON.stringify(wrapped.name);
    return `OLE object of ${bytes.length} bytes around ${name}: ${inner}`;
  }
  return describe(path, bytes, rendering);
}

/** An OLE object within another one is not looked into. */
function describe(path: string, bytes: Buffer, rendering: Rendering): string {
  const kind = kindOf(bytes, path);
  const digest = createHash('sha256').update(bytes).digest('hex');
  const about = `${kind ?? 'of unknown kind'}, ${bytes.length} bytes, sha256 ${digest}`;
  if (kind === undefined) return `${about}; its content is not read`;
  return `${about}; ${handOut(path, bytes, rendering)}`;
}

function handOut(path: string, bytes: Buffer, rendering: Rendering): string {
  const { members } = rendering;
  if (!members.some((member) => member.path === path)) {
    if (!isPlainPath(path)) return 'its content is not read: its name is no path within the file';
    const all = members.reduce((sum, { content }) => sum + content.length, 0);
    if (members.length >= MAX_FILES || all + bytes.length > MAX_BYTES) {
      rendering.truncate(`files within beyond ${MAX_FILES}, or ${MAX_BYTES} bytes, are not read`);
      return 'its content is not read: over the limits';
    }
    members.push({ path, content: bytes });
    rendering.counts['unpackedMembers'] = members.length;
  }
  return `read as a file of its own, behind //${path}`;
}

/** The same for a part that a relationship leads to; what cannot be read is said. */
export async function addEmbeddedPart(
  parts: OfficePackage,
  relation: Relationship | undefined,
  rendering: Rendering,
): Promise<string> {
  if (!relation) return 'without a file';
  const { target, external } = relation;
  if (external) return `in ${target}, linked and not fetched`;
  if (!parts.has(target)) return `in ${target}, which is not in the file`;
  // A file may refer to one part many times.
  const known = rendering.embeddedParts.get(target);
  if (known !== undefined) return known;
  const words = await readEmbeddedPart(parts, target, rendering);
  rendering.embeddedParts.set(target, words);
  return words;
}

async function readEmbeddedPart(
  parts: OfficePackage,
  target: string,
  rendering: Rendering,
): Promise<string> {
  try {
    const content = await parts.read(target, MAX_FILE_BYTES);
    return `in ${target}: ${addEmbeddedFile(target, content, rendering)}`;
  } catch (error) {
    return `in ${target}; its content is not read: ${messageOf(error)}`;
  }
}

const PACKAGES = [
  ['Word document', 'word/'],
  ['Excel workbook', 'xl/'],
  ['PowerPoint presentation', 'ppt/'],
  ['OpenDocument file', 'mimetypeapplication/vnd.oasis'],
] as const;
const COMPOUNDS: ReadonlyMap<string, string> = new Map([
  ['doc', 'Word document (old format)'],
  ['xls', 'Excel workbook (old format)'],
  ['ppt', 'PowerPoint presentation (old format)'],
  ['msg', 'mail'],
  ['encrypted', 'encrypted office file'],
]);
const TEXTS = /\.(?:csv|tsv|txt|md|json|xml|html?|py|ipynb|eml)$/iu;

/** By content; `undefined` where nothing can be told. Text is taken for it by its name. */
function kindOf(bytes: Buffer, path: string): string | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  if (head.startsWith('PK\x03\x04'))
    return PACKAGES.find(([, mark]) => bytes.includes(mark))?.[0] ?? 'zip archive';
  if (head.startsWith('%PDF-')) return 'PDF';
  if (head.startsWith('\x89PNG') || head.startsWith('\xff\xd8\xff')) return 'picture';
  const directory = directoryOffset(bytes);
  if (directory !== undefined) {
    const names = bytes.subarray(directory, directory + DIRECTORY_BYTES);
    return COMPOUNDS.get(compoundKind(names, bytes.subarray(0, DIRECTORY_BYTES)));
  }
  return TEXTS.test(path) ? 'text' : undefined;
}
