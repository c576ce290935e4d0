import { mkdtemp, mkdir, chmod, writeFile } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rendererOptions } from '../../../activities/evidence/renderer-options';
import { outputFile, outputOf } from '../../../activities/evidence/renderer-output';
import { formatOfName } from '../../../activities/evidence/artifact-format';
import { type TextSegment } from '../../../core/evidence-view';
import { evidenceFixture } from '../../support/evidence';
import { paragraph, run, words, wordPackage } from './render/docx/word-package';
import { RendererBench } from './support/renderer-bench';

const TIMEOUT_MS = 240_000;

/** Days, zones and locales of machines that may render; each place has another one of each. */
const PLACES = [
  { day: '2024-02-29 23:59:30', zone: 'America/Los_Angeles', locale: 'de_DE.UTF-8' },
  { day: '2027-01-01 00:00:05', zone: 'Asia/Shanghai', locale: 'zh_CN.UTF-8' },
  { day: '2031-07-15 12:00:00', zone: 'Pacific/Kiritimati', locale: 'ar_EG.UTF-8' },
] as const;

const field = (instruction: string, result: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

/** A document whose page says what day and time it is. */
const dated = wordPackage({
  body:
    paragraph(run('Printed on ') + field('DATE \\@ "yyyy-MM-dd"', '2020-05-06')) +
    paragraph(run('at ') + field('TIME \\@ "HH:mm:ss"', '07:08:09')) +
    paragraph(run('page ') + field('PAGE', '1')) +
    words('Amount 1,234.50'),
});

describe('the same file on other days, in other zones and under other locales', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  /** The record and the text as the renderer leaves them when its container runs at that place. */
  async function renderAt(
    name: string,
    content: Uint8Array,
    { day, zone, locale }: (typeof PLACES)[number],
  ): Promise<{ readonly record: string; readonly segments: readonly TextSegment[] }> {
    const job = await mkdtemp(join(bench.folder, 'place-'));
    const [sourcePath, outDir] = [join(job, 'source'), join(job, 'out')];
    await writeFile(sourcePath, content);
    await mkdir(outDir);
    await chmod(outDir, 0o777);
    await chmod(sourcePath, 0o444);
    const options = rendererOptions(
      { sourcePath, outDir, format: formatOfName(name) },
      { imageTag: bench.image, stack: bench.stack, innerTimeoutMs: 150_000 },
    );
    const container = await bench.docker.createContainer({
      ...options,
      Entrypoint: ['faketime', '-f', `@${day}`, ...(options.Entrypoint as string[])],
      Env: [
        ...(options.Env ?? []).filter((each) => !/^(?:TZ|LANG)=/u.test(each)),
        ...[`TZ=${zone}`, `LANG=${locale}`, `LC_ALL=${locale}`],
      ],
    });
    await container.start();
    await container.wait();
    await container.remove({ force: true });
    const record = await outputOf(outDir);
    const text = record?.text;
    if (!record || !text) throw new Error(`no text of ${name} at ${zone}`);
    const segments = JSON.parse(
      Buffer.from(await outputFile(outDir, text.sha256)).toString(),
    ) as TextSegment[];
    return { record: JSON.stringify(record), segments };
  }

  test.each([
    ['a document with date, time and page fields', 'dated.docx', () => Promise.resolve(dated)],
    ['a workbook with TODAY()', 'stock.xlsx', () => readFile(evidenceFixture('stock.xlsx'))],
    ['a PDF', 'summary.pdf', () => readFile(evidenceFixture('summary.pdf'))],
  ])(
    '%s: one record, byte by byte',
    async (_title, name, source) => {
      const content = await source();
      const [first, ...others] = await Promise.all(
        PLACES.map((place) => renderAt(name, content, place)),
      );
      for (const other of others) expect(other.record).toBe(first?.record);
    },
    TIMEOUT_MS,
  );

  test(
    'the clock did differ, and what follows it is labelled',
    async () => {
      const clocks = await Promise.all(
        PLACES.map(async ({ day, zone, locale }) => {
          const container = await bench.docker.createContainer({
            Image: bench.image,
            Labels: { 'startupbench.stack': bench.stack },
            Entrypoint: ['faketime', '-f', `@${day}`],
            Cmd: ['node', '-p', 'new Date().toLocaleString()'],
            Env: [`TZ=${zone}`, `LANG=${locale}`, `LC_ALL=${locale}`],
            HostConfig: { NetworkMode: 'none' },
          });
          await container.start();
          await container.wait();
          const log = (await container.logs({ stdout: true, stderr: true })).toString();
          await container.remove({ force: true });
          return log;
        }),
      );
      expect(new Set(clocks).size).toBe(PLACES.length);
      const [place] = PLACES;
      const { segments } = await renderAt('dated.docx', dated, place);
      expect(
        segments.filter(({ isVolatile }) => isVolatile === true).map(({ text }) => text),
      ).toEqual([
        'Printed on 2020-05-06',
        'at 07:08:09',
        'page 1',
        expect.stringContaining('DATE'),
        expect.stringContaining('TIME'),
        expect.stringContaining('PAGE'),
      ]);
    },
    TIMEOUT_MS,
  );
});
