import { readFile } from 'node:fs/promises';
import { type TextSegment } from '../../../../../core/evidence-view';
import { printLocator } from '../../../../../core/locator';
import { evidenceFixture } from '../../../../support/evidence';
import { type Rendered, RendererBench, contrastOf } from '../../support/renderer-bench';
import {
  columnsFile,
  croppedFile,
  featureFile,
  hugePage,
  layeredFile,
  longFile,
  markedFile,
} from './pdf-files';

const TIMEOUT_MS = 180_000;

/** `place | label | text`, as a test compares it. */
const lineOf = ({ locator, label, text }: TextSegment): string =>
  `${printLocator(locator).slice(1)} | ${label ?? ''} | ${text.trim().replace(/\s+/gu, ' ')}`;
const visible = ({ segments }: Rendered): string[] =>
  segments.filter(({ visibility }) => visibility === 'visible').map(lineOf);
const hidden = ({ segments }: Rendered): string[] =>
  segments
    .filter(({ visibility }) => visibility === 'hidden')
    .map((segment) => `${String(segment.cause)} ${lineOf(segment)}`);

describe('PDFs in the renderer container', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  test(
    'what a file holds beside its pages, and what no page shows',
    async () => {
      const rendered = await bench.render('features.pdf', await featureFile());
      const { artifact } = rendered;
      expect(artifact).toMatchObject({ status: 'rendered', warnings: [] });
      expect(artifact.counts).toMatchObject({
        pages: 1,
        bookmarks: 2,
        annotations: 3,
        links: 2,
        attachments: 1,
        formFields: 3,
      });
      expect(artifact.facts).toMatchObject({
        openAction: true,
        javaScript: true,
        launchesPrograms: true,
        secondReading: 'pdf-lib counts the same pages',
      });
      expect(visible(rendered)).toEqual(
        expect.arrayContaining([
          'page=1&lines=1-1 |  | Visible heading',
          expect.stringContaining('Printed on a picture'),
          'paragraph=outline:2-2 | bookmark | level 2: Part one',
          'paragraph=annotations:1-1 | annotation | page 1, Text by Ann: Please check the sum',
          'paragraph=annotations:3-3 | annotation | page 1, FreeText: its words are among those of the page',
          'paragraph=links:1-1 | link | page 1: https://example.org/source',
          'paragraph=links:2-2 | link | page 1: Launch action',
          expect.stringMatching(
            /^paragraph=attachments:1-1 \| attachment \| figures\.csv, the figures: text, 8 bytes, sha256 [0-9a-f]{64}; read as a file of its own, behind \/\/figures\.csv$/u,
          ) as string,
          'paragraph=forms:1-1 | form field | applicant.name: text "Li Hua"',
          'paragraph=forms:2-2 | form field | agreed: check box, checked',
          'paragraph=forms:3-3 | form field | risk: choice "Low" of High / Low',
        ]),
      );
      const concealed = hidden(rendered).join('\n');
      expect(concealed).toMatch(/^no-mark page=1.*Concealed by colour$/mu);
      expect(concealed).toMatch(/^tiny-text page=1.*Minute letters here$/mu);
      expect(concealed).toMatch(/^no-mark page=1.*Buried under a picture$/mu);
      expect(concealed).toMatch(/^no-mark page=1.*Spoken in silence$/mu);
      expect(concealed).toMatch(/^off-page page=1 .*Beyond the margin$/mu);
      expect(concealed).toMatch(/^markup paragraph=annotations:2-2.*Nobody sees this$/mu);
      expect(artifact.hidden?.map(({ cause, count }) => [cause, count])).toEqual([
        ['tiny-text', 1],
        ['off-page', 1],
        ['no-mark', 3],
        ['metadata', 1],
        ['markup', 1],
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'layers that are off, and what a crop box cuts off',
    async () => {
      const layered = await bench.render('layers.pdf', await layeredFile());
      expect(visible(layered)).toContain('page=1&lines=1-1 |  | Shown layer words');
      expect(visible(layered)).toContain('paragraph=layers:2-2 | layer | Secret: off');
      expect(hidden(layered)[0]).toBe(
        'layer-off page=1 | on a layer that is off | Switched off words',
      );
      const cropped = await bench.render('cropped.pdf', await croppedFile());
      expect(visible(cropped)[0]).toBe('page=1&lines=1-1 |  | Kept words');
      expect(hidden(cropped)[0]).toBe(
        'off-page page=1&lines=1-1 | outside of the page | Cropped words',
      );
      const [page] = cropped.artifact.pages;
      expect((page?.widthPixels ?? 0) / (page?.heightPixels ?? 1)).toBeCloseTo(300 / 842, 1);
    },
    TIMEOUT_MS,
  );

  test(
    'columns in both orders, and where tables stand',
    async () => {
      const rendered = await bench.render('columns.pdf', await columnsFile());
      expect(rendered.artifact.counts).toMatchObject({ pagesInColumns: 1, tables: 1 });
      expect(visible(rendered)).toContain(
        'paragraph=tables:1-1 | table geometry | page 1, lines 17 to 20: 4 rows, 3 columns',
      );
      const raw = rendered.segments.find(({ label }) => label === 'raw order');
      expect(raw?.text).toMatch(
        /left column line 11.*\nleft column line 12.*\nright column line 1 /u,
      );
    },
    TIMEOUT_MS,
  );

  test(
    'a file cut in its middle is read as far as it goes, and said to be damaged',
    async () => {
      const whole = Buffer.from(await featureFile());
      // All objects are there; the table at the end that says where is not.
      const { artifact, segments } = await bench.render(
        'cut.pdf',
        whole.subarray(0, whole.lastIndexOf('xref\n') - 10),
      );
      expect(artifact.facts['repaired']).toBe(true);
      expect(artifact.warnings.join()).toContain('the file is damaged');
      expect(segments[0]?.text).toContain('Visible heading');
    },
    TIMEOUT_MS,
  );

  test(
    'a file encrypted for its owner only is read; what cannot be is said',
    async () => {
      const source = evidenceFixture('../corpus/pdfs/owner-password.pdf');
      const { artifact, segments } = await bench.render('owner.pdf', await readFile(source));
      expect(artifact.status).toBe('rendered');
      expect(artifact.facts['encryptedWithoutPassword']).toBe(true);
      expect(artifact.warnings.join()).toContain('structure is not read: the file is encrypted');
      expect(segments.length).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'what is marked and linked, what a field shows, pictures and pages of shapes',
    async () => {
      const rendered = await bench.render('marked.pdf', await markedFile());
      expect(visible(rendered)).toEqual(
        expect.arrayContaining([
          'paragraph=annotations:1-1 | annotation | page 1, StrikeOut by Ann over "30 days": too short',
          'paragraph=links:1-1 | link | page 1: https://example.org/terms, written on "read the terms"',
          'paragraph=pictures:1-1 | picture | page 1: 200 x 100 pixels, 5.1 x 2.5 cm',
        ]),
      );
      expect(hidden(rendered)).toContain(
        'markup paragraph=forms:1-1 | form field | total: text "9900"; the page shows "1200"',
      );
      // A page without a letter that is not empty is read as a picture.
      expect(rendered.artifact.facts['imagePages']).toBe('2');
      expect(rendered.artifact.counts).toMatchObject({ images: 1, imagePieces: 1 });
    },
    TIMEOUT_MS,
  );

  test(
    'pages as large as the format allows are drawn small',
    async () => {
      const { artifact, page } = await bench.render('huge.pdf', await hugePage(14_400, 14_400));
      expect(artifact).toMatchObject({ status: 'rendered', pages: [{ widthPixels: 2_000 }] });
      expect(await contrastOf(await page(1))).toBeGreaterThan(100);
    },
    TIMEOUT_MS,
  );

  test(
    '10,000 pages are counted and read, 60 of them drawn',
    async () => {
      const { artifact, segments } = await bench.render('many.pdf', await longFile(10_000, 1, 150));
      expect(artifact.counts['pages']).toBe(10_000);
      expect(artifact.status).toBe('truncated');
      expect(artifact.reason).toBe('page images of pages 61 to 10000 are left out');
      expect(artifact.pages).toHaveLength(60);
      expect(segments.find(({ text }) => text.startsWith('Page 10000 line 1'))).toBeDefined();
      expect(segments.find(({ text }) => text === 'whitewords')).toMatchObject({
        cause: 'no-mark',
        locator: { page: 150 },
      });
      expect(artifact.facts['uncheckedPages']).toBe('1001-10000');
    },
    TIMEOUT_MS,
  );
});
