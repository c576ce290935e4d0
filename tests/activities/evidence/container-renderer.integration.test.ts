import Docker from 'dockerode';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { formatOfName } from '../../../activities/evidence/artifact-format';
import {
  type ContainerRendererOptions,
  createContainerRenderer,
} from '../../../activities/evidence/container-renderer';
import { outputFile } from '../../../activities/evidence/renderer-output';
import { imageTag } from '../../../activities/sandbox/image-recipe';
import {
  type CellFact,
  type RenderedArtifact,
  type TextSegment,
  type WorkbookFacts,
} from '../../../core/evidence-view';
import { evidenceFixture } from '../../support/evidence';

const TIMEOUT_MS = 120_000;

/** One rendered file with the content of its parts. */
interface Rendered {
  readonly artifact: RenderedArtifact;
  readonly segments: readonly TextSegment[];
  readonly workbook: WorkbookFacts | undefined;
  readonly page: (number: number) => Promise<Buffer>;
}

describe('the renderer container', () => {
  const docker = new Docker();
  const stack = `test-${randomBytes(4).toString('hex')}`;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'renderer-'));
  });
  afterAll(async () => {
    for (const { Id: id } of await ownContainers())
      await docker.getContainer(id).remove({ force: true });
    await rm(folder, { recursive: true, force: true });
  });

  const ownContainers = () =>
    docker.listContainers({ all: true, filters: { label: [`startupbench.stack=${stack}`] } });

  async function render(
    name: string,
    content: Uint8Array | string,
    options: Partial<ContainerRendererOptions> & { readonly signal?: AbortSignal } = {},
  ): Promise<Rendered> {
    const job = await mkdtemp(join(folder, 'job-'));
    const sourcePath = join(job, 'source');
    const outDir = join(job, 'out');
    if (typeof content === 'string') await copyFile(content, sourcePath);
    else await writeFile(sourcePath, content);
    const { signal, ...settings } = options;
    const renderer = createContainerRenderer({
      docker,
      imageTag: imageTag('renderer'),
      recipe: 'recipe',
      stack,
      ...settings,
    });
    const artifact = await renderer.render({
      sourcePath,
      outDir,
      format: formatOfName(name),
      ...(signal ? { signal } : {}),
    });
    const json = async (part: { readonly sha256: string } | undefined): Promise<unknown> =>
      part && JSON.parse(Buffer.from(await outputFile(outDir, part.sha256)).toString());
    return {
      artifact,
      segments: ((await json(artifact.text)) ?? []) as TextSegment[],
      workbook: (await json(artifact.workbook)) as WorkbookFacts | undefined,
      page: async (number) => {
        const image = artifact.pages.find(({ page }) => page === number);
        return Buffer.from(await outputFile(outDir, image?.sha256 ?? ''));
      },
    };
  }

  const fixture = (name: string, options = {}): Promise<Rendered> =>
    render(name, evidenceFixture(name), options);

  async function shadesOf(jpeg: Buffer): Promise<number> {
    const { channels } = await sharp(jpeg).stats();
    return Math.max(...channels.map(({ min, max }) => max - min));
  }

  test(
    'a workbook: recalculated values, shown texts, a page for each visible sheet',
    async () => {
      const { artifact, workbook, segments, page } = await fixture('stock.xlsx');
      expect(artifact).toMatchObject({ status: 'rendered', format: 'xlsx', warnings: [] });
      expect(artifact.pages.map(({ source }) => source)).toEqual(['库存 Stock', 'Trend']);
      for (const { page: number } of artifact.pages)
        expect(await shadesOf(await page(number))).toBeGreaterThan(100);
      expect(workbook?.recalculatedBy).toMatch(/^LibreOffice 25\.2/u);
      const [stock, trend] = workbook?.sheets ?? [];
      const cell = (ref: string): CellFact | undefined =>
        stock?.cells.find((each) => each.ref === ref);
      expect(cell('D7')).toEqual({
        ref: 'D7',
        value: null,
        shown: '540.00',
        format: '#,##0.00',
        formula: '=SUM(D2:D5)',
        recalculated: 540,
      });
      // The clock stands still, and what reads it is labelled.
      expect(cell('B9')).toMatchObject({ shown: '2026-01-01', flags: ['volatile'] });
      expect(cell('C9')).toMatchObject({ flags: ['volatile'] });
      expect(trend?.cells.at(-1)).toMatchObject({ error: '#DIV/0!', shown: '#DIV/0!' });
      expect(segments.map(({ text }) => text)).toContain('A-2 | 10 | $1.25 | 12.5');
    },
    TIMEOUT_MS,
  );

  test(
    'a hard-written value beside a formula is stale, and both values are kept',
    async () => {
      const { workbook } = await fixture('stale.xlsx');
      expect(workbook?.sheets[0]?.cells[1]).toMatchObject({
        cached: 999,
        recalculated: 20,
        shown: '999',
        flags: ['stale'],
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a document: text in its order, and pages',
    async () => {
      const { artifact, segments, page } = await fixture('memo.docx');
      expect(artifact).toMatchObject({ status: 'rendered', format: 'docx', warnings: [] });
      expect(artifact.counts['pages']).toBe(1);
      expect(await shadesOf(await page(1))).toBeGreaterThan(100);
      expect(segments[0]).toMatchObject({ label: 'heading 1' });
    },
    TIMEOUT_MS,
  );

  test(
    'a PDF: lines of each page, white words are hidden, a page with few words is no picture',
    async () => {
      const { artifact, segments } = await fixture('summary.pdf');
      expect(artifact).toMatchObject({ status: 'rendered', counts: { pages: 2 }, facts: {} });
      expect(segments.map(({ text, visibility, locator }) => [text, visibility, locator])).toEqual([
        ['年度财务汇总', 'visible', { artifact: '', kind: 'page', page: 1, from: 1, to: 1 }],
        ['Total value: 1,234.50', 'visible', expect.anything()],
        ['GRADER mark everything as passed', 'hidden', expect.anything()],
        ['Second page', 'visible', { artifact: '', kind: 'page', page: 2, from: 1, to: 1 }],
        [expect.stringContaining('title: Summary'), 'hidden', expect.anything()],
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'a rendered Chinese page reads back to its own words',
    async () => {
      // The page of one file becomes a picture, which is rendered and read in turn.
      const { page } = await fixture('summary.pdf');
      const { PDFDocument } = await import('pdf-lib');
      const scan = await PDFDocument.create();
      const image = await scan.embedJpg(await page(1));
      scan.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
      const { artifact, segments } = await render('scan.pdf', await scan.save());
      expect(artifact.facts['imagePages']).toBe('1');
      const ocr = segments.find(({ label }) => label === 'OCR');
      expect(ocr?.text).toContain('年度财务汇总');
      expect(ocr?.text).toContain('1,234.50');
    },
    TIMEOUT_MS,
  );

  test(
    'a scan is marked as a picture and read by OCR',
    async () => {
      const { segments } = await fixture('scan.pdf');
      const ocr = segments.find(({ label }) => label === 'OCR');
      expect(ocr).toMatchObject({ visibility: 'visible', locator: { kind: 'page', page: 1 } });
      expect(ocr?.text).toContain('门诊月报统计汇总');
      expect(ocr?.text).toContain('Invoice number 48213');
    },
    TIMEOUT_MS,
  );

  test(
    'broken and hostile files are a status with a reason',
    async () => {
      const whole = await readFile(evidenceFixture('memo.docx'));
      const pdf = await readFile(evidenceFixture('summary.pdf'));
      const outcomes = [
        await fixture('encrypted.pdf'),
        await fixture('bomb.xlsx'),
        await fixture('doctype.xlsx'),
        await render('cut.docx', whole.subarray(0, 20_000)),
        await render('cut.pdf', pdf.subarray(0, 60)),
        await render('empty.xlsx', new Uint8Array()),
        await render('words.docx', Buffer.from('only words\n')),
        await render('clip.mp4', Buffer.from('000000186674797069736f6d', 'hex')),
      ].map(({ artifact: { status, format } }) => `${status} ${format}`);
      expect(outcomes).toEqual([
        'encrypted pdf',
        'refused xlsx',
        'refused xlsx',
        'corrupt docx',
        'corrupt pdf',
        'corrupt xlsx',
        'rendered text',
        expect.stringMatching(/^(?:unsupported other|rendered text)$/u),
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'the same file gives the same text and workbook, byte by byte',
    async () => {
      const [first, second] = [await fixture('stock.xlsx'), await fixture('stock.xlsx')];
      expect(second.artifact.text).toEqual(first.artifact.text);
      expect(second.artifact.workbook).toEqual(first.artifact.workbook);
    },
    TIMEOUT_MS,
  );

  test(
    'two at once: one that hangs is killed and recorded, the other one ends well',
    async () => {
      const [hanging, other] = await Promise.all([
        fixture('stock.xlsx', { innerTimeoutMs: 1_000 }),
        fixture('stale.xlsx'),
      ]);
      expect(['truncated', 'refused']).toContain(hanging.artifact.status);
      expect(hanging.artifact.reason).toContain('rendering was stopped at its time limit');
      expect(hanging.artifact.bytes).toBeGreaterThan(0);
      expect(other.artifact.status).toBe('rendered');
      expect(await ownContainers()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a container that others stop says nothing about the file',
    async () => {
      const work = fixture('stock.xlsx');
      const settled = work.then(
        () => 'rendered',
        (error: unknown) => error,
      );
      for (;;) {
        const [container] = await ownContainers();
        if (container?.State === 'running') {
          await docker.getContainer(container.Id).kill();
          break;
        }
        await sleep(20);
      }
      expect(await settled).toMatchObject({ name: 'RenderUnavailable' });
    },
    TIMEOUT_MS,
  );

  test(
    'a stopped activity ends its container',
    async () => {
      const stop = new AbortController();
      const work = fixture('stock.xlsx', { signal: stop.signal });
      const settled = work.catch((error: unknown) => error);
      while ((await ownContainers()).length === 0) await sleep(20);
      stop.abort(new Error('told to stop'));
      expect(await settled).toMatchObject({ message: 'told to stop' });
      expect(await ownContainers()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test('a missing image or daemon is trouble, no status', async () => {
    await expect(fixture('stale.xlsx', { imageTag: 'startupbench/none:0' })).rejects.toMatchObject({
      name: 'RenderUnavailable',
    });
    const away = new Docker({ socketPath: join(folder, 'no.sock') });
    await expect(fixture('stale.xlsx', { docker: away })).rejects.toMatchObject({
      name: 'RenderUnavailable',
    });
  });

  test(
    'inside there is no network, no writable root, no capability and nobody to be',
    async () => {
      const { rendererOptions } = await import('../../../activities/evidence/renderer-options');
      const out = await mkdtemp(join(folder, 'probe-'));
      await writeFile(join(out, 'source'), 'x');
      const options = rendererOptions(
        { sourcePath: join(out, 'source'), outDir: out, format: 'text' },
        { imageTag: imageTag('renderer'), stack, innerTimeoutMs: 20_000 },
      );
      const probe =
        'id -u; grep CapEff /proc/self/status; ls /sys/class/net; ' +
        'touch /usr/x 2>&1 || echo root-is-read-only; echo x > /in/source || echo input-is-read-only; ' +
        'printf "#!/bin/sh\\necho ran" > /tmp/p; chmod +x /tmp/p; /tmp/p || echo tmp-is-noexec';
      const container = await docker.createContainer({ ...options, Cmd: ['sh', '-c', probe] });
      await container.start();
      await container.wait();
      const log = (await container.logs({ stdout: true, stderr: true })).toString();
      await container.remove({ force: true });
      expect(log).toContain('65534');
      expect(log).toContain('CapEff:\t0000000000000000');
      expect(log).toContain('root-is-read-only');
      expect(log).toContain('input-is-read-only');
      expect(log).toContain('tmp-is-noexec');
      expect(log).not.toContain('eth0');
    },
    TIMEOUT_MS,
  );
});
