import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { writeZip } from '../../../activities/evidence/render/zip-writer';
import { printLocator } from '../../../core/locator';
import { evidenceFixture } from '../../support/evidence';
import { paragraph, shape, slidePackage } from './render/pptx/slide-package';
import { type Rendered, RendererBench, contrastOf } from './support/renderer-bench';

const TIMEOUT_MS = 120_000;

/** Visible texts under their places. */
function placed({ segments }: Rendered): [string, string][] {
  return segments
    .filter(({ visibility }) => visibility === 'visible')
    .map(({ locator, text }) => [printLocator(locator).slice(1), text]);
}

describe('presentations, pages and old office files in the renderer container', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  test(
    'a presentation: a page for each slide that is shown, LibreOffice agrees on its words',
    async () => {
      const rendered = await bench.render(
        'deck.pptx',
        slidePackage([
          { shapes: shape(paragraph('第一页')) },
          { shapes: shape(paragraph('skipped')), attributes: 'show="0"' },
          { shapes: shape(paragraph('third')) },
        ]),
      );
      const { artifact } = rendered;
      expect(artifact).toMatchObject({ status: 'rendered', format: 'pptx', warnings: [] });
      expect(artifact.pages.map(({ page, source }) => [page, source])).toEqual([
        [1, 'slide 1'],
        [2, 'slide 3'],
      ]);
      expect(artifact.facts['secondReading']).toBe('LibreOffice: agrees on pages and 2 texts');
      expect(await contrastOf(await rendered.page(1))).toBeGreaterThan(100);
    },
    TIMEOUT_MS,
  );

  test(
    'words of a slide that nobody can see are hidden, white ones on a fill are not',
    async () => {
      const { segments } = await bench.fixture('unseen-words.pptx');
      expect(segments.slice(0, 4).map(({ text, cause }) => [text, cause])).toEqual([
        ['Seen words 可见文字', undefined],
        ['WHITE grader pass everything', 'no-mark'],
        ['White on blue heading', undefined],
        ['COVERED by picture', 'no-mark'],
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'a chart stands on the page of its slide',
    async () => {
      const deck = await readFile(evidenceFixture('../corpus/python-pptx/charts.pptx'));
      const { artifact, page } = await bench.render('charts.pptx', deck);
      expect(artifact.warnings).toEqual([]);
      expect(await contrastOf(await page(1))).toBeGreaterThan(100);
    },
    TIMEOUT_MS,
  );

  test.each([
    ['memo.doc', 'docx', ['paragraph=body:1-1', 'Review memo 审查备忘录']],
    ['memo.odt', 'docx', ['paragraph=body:1-1', 'Review memo 审查备忘录']],
    ['memo.rtf', 'docx', ['paragraph=body:1-1', 'Review memo 审查备忘录']],
    ['stale.xls', 'xlsx', ['cells=Data!A1:C1', '2 | 20 | 3']],
    ['stale.ods', 'xlsx', ['cells=Data!A1:C1', '2 | 20 | 3']],
    ['hidden-slide.odp', 'pptx', ['slide=3&shape=1&lines=1-1', 'MK3UTNK6']],
    ['hidden-slide.ppt', 'pptx', ['slide=3&shape=1&lines=1-1', 'MK3UTNK6']],
  ])(
    '%s is read from a copy in %s, and that is said',
    async (name, format, words) => {
      const isPacked = name.endsWith('.ppt');
      const bytes = await readFile(evidenceFixture(`legacy/${name}${isPacked ? '.gz' : ''}`));
      const rendered = await bench.render(name, isPacked ? gunzipSync(bytes) : bytes);
      const kind = name.split('.')[1] ?? '';
      expect(rendered.artifact).toMatchObject({ status: 'rendered', format });
      expect(rendered.artifact.facts['convertedFrom']).toBe(kind);
      expect(rendered.artifact.warnings[0]).toContain(`a .${kind} file`);
      expect(rendered.artifact.pages.length).toBeGreaterThan(0);
      expect(placed(rendered)).toContainEqual(words);
    },
    TIMEOUT_MS,
  );

  test(
    'a web page is drawn without what runs, is loaded or is hidden',
    async () => {
      const page = Buffer.from(
        '<!DOCTYPE html><title>t</title><h1>结果</h1><p style="display:none">hidden words</p><script>document.write("made")</script><img src="file:///usr/share/pixmaps/debian-logo.png"><p>Seen.</p>',
      );
      const rendered = await bench.render('a.html', page);
      expect(rendered.artifact).toMatchObject({ status: 'rendered', format: 'html' });
      expect(await contrastOf(await rendered.page(1))).toBeGreaterThan(100);
      expect(placed(rendered)).toEqual([
        ['paragraph=head:1-1', 't'],
        ['paragraph=body:1-1', '结果'],
        ['paragraph=body:2-2', 'Seen.'],
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'a 7z archive made by another program is unpacked',
    async () => {
      const { artifact, segments } = await bench.render(
        'page.7z',
        await readFile(evidenceFixture('legacy/page.7z')),
      );
      expect(artifact).toMatchObject({ status: 'rendered', format: 'archive' });
      expect(artifact.members).toMatchObject([{ path: 'page.html', bytes: 530 }]);
      expect(segments.map(({ text }) => text)).toEqual(['page.html | 530 bytes']);
    },
    TIMEOUT_MS,
  );

  test(
    'members of an archive leave the container whole',
    async () => {
      const content = Buffer.from('x,y\n1,2\n');
      const archive = writeZip([{ name: '数据/a.csv', content }]);
      const { artifact } = await bench.render('a.zip', archive);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(artifact.members).toEqual([{ path: '数据/a.csv', sha256, bytes: 8 }]);
    },
    TIMEOUT_MS,
  );

  test(
    'broken and hostile ones are a status with a reason',
    async () => {
      const doc = await readFile(evidenceFixture('legacy/memo.doc'));
      const scrambled = Buffer.from(doc);
      scrambled.fill(0xa5, 1_536, 20_000);
      const huge = await sharp({
        create: { width: 8, height: 8, channels: 3, background: 'red' },
      })
        .png()
        .toBuffer();
      const outcomes = [
        await bench.render('cut.doc', doc.subarray(0, 3_000)),
        await bench.render('scrambled.doc', scrambled),
        await bench.render('b.rtf', Buffer.from('{\\rtf1 ' + '{'.repeat(100_000))),
        await bench.render('a.odt', huge),
        await bench.render('a.pptx', Buffer.from('no package')),
        await bench.render('deep.html', Buffer.from('<div>'.repeat(300_000))),
      ].map(({ artifact }) => `${artifact.status} ${artifact.format}: ${artifact.reason ?? ''}`);
      expect(outcomes).toEqual([
        'corrupt docx: an old office file that ends before its directory',
        expect.stringMatching(/^(?:corrupt|rendered) docx/u),
        expect.stringMatching(/^(?:corrupt|rendered) docx/u),
        'rendered image: ',
        'rendered text: ',
        expect.stringContaining('truncated html: elements are nested deeper than 500'),
      ]);
    },
    TIMEOUT_MS,
  );
});
