import { mkdtemp, mkdir, chmod, writeFile } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rendererOptions } from '../../../activities/evidence/renderer-options';
import { outputFile, outputOf } from '../../../activities/evidence/renderer-output';
import { formatOfName } from '../../../activities/evidence/artifact-format';
import { type TextSegment } from '../../../core/evidence-view';
import { evidenceFixture } from '../../support/evidence';
import { rarFile } from './render/archive/rar-file';
import { paragraph, run, words, wordPackage } from './render/docx/word-package';
import { smallPictures } from './render/image/small-pictures';
import { attachment, outlookMessage, texts } from './render/outlook/outlook-message';
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

const corpus = (name: string): Promise<Buffer> =>
  readFile(join(__dirname, '../../fixtures/corpus', name));

const message = outlookMessage({
  ...texts({ '0037': 'Monthly report', '1000': 'See the table.', '0C1A': 'Li Hua' }),
  ...attachment(0, 'table.csv', Buffer.from('a,b\n1,2\n')),
});

const rar = rarFile([
  { name: 'a.csv', content: Buffer.from('a,b\n1,2\n') },
  { name: 'note.md', content: Buffer.from('# Hi\n') },
]);

const pictures = smallPictures();

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
    if (!record) throw new Error(`no record of ${name} at ${zone}`);
    const { text, status } = record;
    if (status !== 'rendered') throw new Error(`${name} at ${zone} is ${status}: ${record.reason}`);
    const segments = text
      ? (JSON.parse(Buffer.from(await outputFile(outDir, text.sha256)).toString()) as TextSegment[])
      : [];
    return { record: JSON.stringify(record), segments };
  }

  test.each<readonly [string, string, () => Promise<Uint8Array>]>([
    ['a document with date, time and page fields', 'dated.docx', () => Promise.resolve(dated)],
    ['a workbook with TODAY()', 'stock.xlsx', () => readFile(evidenceFixture('stock.xlsx'))],
    ['a PDF', 'summary.pdf', () => readFile(evidenceFixture('summary.pdf'))],
    ['a PDF with an attached file', 'table.pdf', () => corpus('facts/attached-table.pdf')],
    ['a PDF with remarks', 'remarks.pdf', () => corpus('facts/remarks.pdf')],
    ['a presentation', 'notes.pptx', () => corpus('python-pptx/notes.pptx')],
    ['a web page', 'page.html', () => corpus('structured/page.html')],
    ['a mail', 'message.eml', () => corpus('structured/message.eml')],
    ['a mail of Outlook', 'message.msg', () => Promise.resolve(message)],
    ['a notebook', 'analysis.ipynb', () => corpus('structured/analysis.ipynb')],
    ['a drawing', 'drawing.svg', () => corpus('structured/drawing.svg')],
    ['an animation', 'moving.gif', () => corpus('pictures/moving.gif')],
    ['a HEIC picture', 'picture.heic', () => readFile(evidenceFixture('packed/picture.heic'))],
    ['a bitmap', 'a.bmp', () => Promise.resolve(pictures.bitmap)],
    ['an icon', 'a.ico', () => Promise.resolve(pictures.icon)],
    ['a zip archive', 'files.zip', () => corpus('structured/files.zip')],
    ['a 7z archive', 'a.7z', () => readFile(evidenceFixture('packed/plain.7z'))],
    ['a RAR archive', 'a.rar', () => Promise.resolve(rar)],
    ...['xz', 'bz2', 'zst'].map((packing): readonly [string, string, () => Promise<Uint8Array>] => [
      `a tarball packed by ${packing}`,
      `a.tar.${packing}`,
      () => readFile(evidenceFixture(`packed/members.tar.${packing}`)),
    ]),
    ['an old document', 'exported-doc.doc', () => corpus('libreoffice/exported-doc.doc')],
    ['an old workbook', 'exported-xls.xls', () => corpus('libreoffice/exported-xls.xls')],
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
