import {
  type ArtifactEntry,
  type Comparison,
  type EvidenceView,
  type TextSegment,
  type WorkbookFacts,
} from '../../core/evidence-view';
import { Failure } from '../../core/failure';
import { parentArtifact } from '../../core/locator';
import { type ObjectStore, type StoreScope } from '../store/port';
import { compareArtifacts } from './compare/compare-artifacts';
import { pairedInput } from './compare/pair-inputs';
import { loadView } from './evidence-service';
import { type EvidenceReader } from './port';
import { resolveLocator } from './resolve-locator';

/** Reads a stored view; throws `Failure('InvalidInput')` when the store has none under this key. */
export async function openEvidenceByKey(
  store: ObjectStore,
  viewKey: string,
): Promise<EvidenceReader> {
  return openEvidence(store, await loadView(store, viewKey));
}

/** Read access to a view. Texts and workbooks are fetched once; page images and originals each time. */
export function openEvidence(store: ObjectStore, view: EvidenceView): EvidenceReader {
  const entries = new Map(view.entries.map((entry) => [entry.artifact, entry]));
  const texts = new Map<string, Promise<readonly TextSegment[]>>();
  const workbooks = new Map<string, Promise<WorkbookFacts | undefined>>();
  const comparisons = new Map<string, Promise<Comparison | undefined>>();
  const blob = (scope: StoreScope, sha256: string): Promise<Uint8Array> =>
    store.getBlob(scope, sha256);

  const readSegments = async (entry: ArtifactEntry): Promise<readonly TextSegment[]> => {
    const reference = entry.rendered.text;
    if (!reference) return [];
    const segments = parseJson(await blob('sealed', reference.sha256)) as TextSegment[];
    return segments.map((segment) => ({
      ...segment,
      locator: { ...segment.locator, artifact: entry.artifact },
    }));
  };
  const readWorkbook = async (entry: ArtifactEntry): Promise<WorkbookFacts | undefined> => {
    const reference = entry.rendered.workbook;
    return reference && (parseJson(await blob('sealed', reference.sha256)) as WorkbookFacts);
  };

  const reader: EvidenceReader = {
    view,
    segments: async (artifact) => {
      const entry = entries.get(artifact);
      return entry ? cached(texts, artifact, () => readSegments(entry)) : [];
    },
    workbook: async (artifact) => {
      const entry = entries.get(artifact);
      return entry && cached(workbooks, artifact, () => readWorkbook(entry));
    },
    pageImage: async (artifact, page) => {
      const image = entries.get(artifact)?.rendered.pages.find((each) => each.page === page);
      return image && blob('sealed', image.sha256);
    },
    resolve: async (locator) => {
      const entry = entries.get(locator.artifact);
      return entry && resolveLocator(locator, entry, reader);
    },
    inputOf: (artifact) => pairedInput(artifact, view.entries),
    compare: (artifact, input) =>
      cached(comparisons, JSON.stringify([artifact, input]), () =>
        compareArtifacts(reader, artifact, input),
      ),
    original: async (artifact) => {
      const entry = entries.get(artifact);
      if (!entry) throw new Failure('InvalidInput', `the evidence has no artifact ${artifact}`);
      // A member was unpacked by the renderer: an agent's host has never seen it as a file.
      return blob(parentArtifact(artifact) ? 'sealed' : 'open', entry.rendered.sha256);
    },
  };
  return reader;
}

/** A failed read is forgotten, so that the next one tries again. */
function cached<T>(
  cache: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const known = cache.get(key);
  if (known) return known;
  const made = make();
  cache.set(key, made);
  made.catch(() => cache.delete(key));
  return made;
}

function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}
