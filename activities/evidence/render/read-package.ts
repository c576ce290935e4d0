import { type Readable } from 'node:stream';
import { readBounded, readZip } from './archive/read-zip';
import { type ZipDirectory, openZipDirectory } from './archive/zip-directory';
import { type ConvertedKind, readLegacy } from './legacy/read-legacy';
import { readOfficePackage } from './read-office-package';
import { type RenderContext } from './render-context';
import { Unreadable } from './rendering';

/** Anything in a zip package: an office file of either family, or an archive. Throws `Unreadable`. */
export async function readPackage(sourcePath: string, context: RenderContext): Promise<void> {
  const zip = await openZipDirectory(sourcePath);
  try {
    await readZipPackage(sourcePath, zip, context);
  } finally {
    zip.close();
  }
}

async function readZipPackage(
  sourcePath: string,
  zip: ZipDirectory,
  context: RenderContext,
): Promise<void> {
  const names = new Set(zip.entries.map(({ name }) => name.toLowerCase()));
  if (names.has('[content_types].xml'))
    return names.has('xl/workbook.bin')
      ? readLegacy(sourcePath, 'xlsb', context)
      : readOfficePackage(sourcePath, context);
  if (names.has('mimetype') && names.has('content.xml'))
    return readOpenDocument(sourcePath, zip, context);
  return readZip(zip, context.started('archive'));
}

const OPEN_DOCUMENTS: readonly (readonly [RegExp, ConvertedKind])[] = [
  [/opendocument\.text/u, 'odt'],
  [/opendocument\.spreadsheet/u, 'ods'],
  [/opendocument\.presentation/u, 'odp'],
];

const MAX_MANIFEST_BYTES = 1024 * 1024;

async function readOpenDocument(
  sourcePath: string,
  zip: ZipDirectory,
  context: RenderContext,
): Promise<void> {
  const read = async (wanted: string): Promise<string> => {
    const entry = zip.entries.find(({ name }) => name.toLowerCase() === wanted);
    const stream: Readable | undefined = entry && (await zip.open(entry));
    return (stream && (await readBounded(stream, MAX_MANIFEST_BYTES)))?.toString('utf8') ?? '';
  };
  if (/encryption-data/u.test(await read('meta-inf/manifest.xml')))
    throw new Unreadable('encrypted', 'the office file needs a password');
  const type = await read('mimetype');
  const kind = OPEN_DOCUMENTS.find(([pattern]) => pattern.test(type))?.[1];
  if (kind) return readLegacy(sourcePath, kind, context);
  context.started('other');
  throw new Unreadable('unsupported', `an OpenDocument file of type ${type.trim().slice(0, 100)}`);
}
