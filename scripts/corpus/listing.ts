import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type ArtifactStatus } from '../../core/evidence-view';
import { projectRoot } from '../../activities/sandbox/image-recipe';

/** A word that occurs nowhere else in its file, and where the view must show it. */
export interface Marker {
  readonly text: string;
  /** Printed locator without the artifact's name, such as `cells=Sheet!B2`. */
  readonly locator: string;
  readonly visibility?: 'hidden';
  /** Further places that show it, once each, such as the list of a table's columns. */
  readonly also?: readonly string[];
  /** Labels of the segments that hold it, where it is not exactly one; `''` for none. */
  readonly labels?: readonly string[];
  /**
   * Absent for text. `formula`: of exactly one cell. `workbook`: facts of the
   * workbook. `record`: counts, facts or warnings. `present`: text that may occur often.
   */
  readonly where?: 'formula' | 'workbook' | 'record' | 'present';
  /** Path of the embedded file that holds it, within which the locator is. */
  readonly member?: string;
  /** What kind of thing it stands in, such as `footnote`; absent: as its place and file say (`featureOf`). */
  readonly feature?: string;
}

export interface CorpusFile {
  readonly file: string;
  /** What the renderer container must say of it. */
  readonly status: ArtifactStatus;
  /** What it says instead where LibreOffice cannot draw the file, which a reading without pages does not see. */
  readonly statusWithPages?: ArtifactStatus;
  /** Nothing of it is read without the container's programs. */
  readonly onlyContainer?: boolean;
  readonly counts?: Readonly<Record<string, number>>;
  readonly markers: readonly Marker[];
}

export interface LocatedFile extends CorpusFile {
  readonly path: string;
  /** The folder's name: who made it. */
  readonly generator: string;
}

export const CORPUS_FOLDER = join(projectRoot(), 'tests', 'fixtures', 'corpus');

/** Files of `<name>.json`, which lie in the folder `<name>` beside it. */
export function readListing(listingPath: string): LocatedFile[] {
  const { files } = JSON.parse(readFileSync(listingPath, 'utf8')) as { files: CorpusFile[] };
  const generator = basename(listingPath, '.json');
  return files.map((file) => ({
    ...file,
    generator,
    path: join(dirname(listingPath), generator, file.file),
  }));
}

/** Every file of the committed corpus. */
export function committedCorpus(folder: string = CORPUS_FOLDER): LocatedFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && existsSync(join(folder, basename(name, '.json'))))
    .sort()
    .flatMap((name) => readListing(join(folder, name)));
}
