import { writeZip } from '../../../activities/evidence/render/zip-writer';
import { formatOfName } from '../../../activities/evidence/artifact-format';
import { type EvidenceReader } from '../../../activities/evidence/port';
import { type TextSegment } from '../../../core/evidence-view';
import { parseLocator, printLocator } from '../../../core/locator';
import { evidenceOf, readBytes } from '../../support/evidence';
import { paragraph, shape, slidePackage, xml } from './render/pptx/slide-package';

const table =
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>cell 1</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>cell 2</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';

const notes = xml(
  `<p:notes><p:cSld><p:spTree>${shape(paragraph('note'), { ph: 'body' })}</p:spTree></p:cSld></p:notes>`,
);

/** A file of each format, small, with something at every kind of place it has. */
const FILES: Readonly<Record<string, Buffer>> = {
  'deck.pptx': slidePackage([
    {
      shapes:
        shape(paragraph('标题'), { ph: 'title', nv: 'descr="alt words"' }) +
        table +
        shape(paragraph('one') + paragraph('two')),
      parts: [
        { id: 'rId6', type: 'notesSlide', target: '/ppt/notesSlides/n1.xml', content: notes },
      ],
    },
    { shapes: shape(paragraph('unseen')), attributes: 'show="0"' },
    { shapes: '' },
  ]),
  'n.ipynb': Buffer.from(
    JSON.stringify({
      cells: [
        {
          cell_type: 'code',
          source: 'a = 1\n\nprint(a)',
          outputs: [{ output_type: 'stream', text: '1\n' }],
        },
        { cell_type: 'markdown', source: '' },
      ],
    }),
  ),
  'a#b %.zip': writeZip([
    { name: 'dir/数据 #1.csv', content: Buffer.from('1,2') },
    { name: '../up&row=1', content: Buffer.from('x') },
  ]),
  'page.html': Buffer.from(
    '<title>t</title><h1>h</h1><table><tr><td>1<td>2</table><p hidden>no</p>',
  ),
  'mail.eml': Buffer.from('From: a\nSubject: s\nX-Id: 1\n\nbody\nmore\n'),
  'text.md': Buffer.from('# a\n\nb\n'),
  'data.json': Buffer.from('{"a": 1}\n'),
  'draw.svg': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>t</text></svg>',
  ),
};

async function evidenceOfFile(name: string): Promise<EvidenceReader> {
  const { rendering, status } = await readBytes(name, FILES[name] ?? Buffer.alloc(0));
  const { format, counts, facts, segments } = rendering;
  return evidenceOf({
    [`results/${name}`]: { rendered: { format, status, counts, facts }, segments },
  });
}

describe.each(Object.keys(FILES))('every place of %s', (name) => {
  let evidence: EvidenceReader;
  let segments: readonly TextSegment[];
  beforeAll(async () => {
    evidence = await evidenceOfFile(name);
    segments = await evidence.segments(`results/${name}`);
  });

  test('is printed, read again, and resolves to the words that stand there', async () => {
    expect(segments.length).toBeGreaterThan(0);
    for (const { locator, text, visibility } of segments) {
      const parsed = parseLocator(printLocator(locator));
      expect(parsed).toEqual(locator);
      const found = parsed && (await evidence.resolve(parsed));
      // What holds visible and hidden words resolves to the visible ones.
      if (found?.visibility === visibility)
        expect(found.text.split('\n')).toContain(text.split('\n')[0]);
      else expect([visibility, found?.visibility]).toEqual(['hidden', 'visible']);
    }
  });

  test('has a place of its own, apart from others', () => {
    const places = segments
      .filter(({ visibility, locator }) => visibility === 'visible' && locator.kind !== 'file')
      .map(({ locator }) => printLocator(locator));
    expect(new Set(places).size).toBe(places.length);
  });

  test('is known by the format of its name', () => {
    expect(evidence.view.entries[0]?.rendered.format).toBe(formatOfName(name));
  });
});

describe('places that hold others', () => {
  const at = async (name: string, fragment: string) => {
    const locator = parseLocator(
      printLocator({ artifact: `results/${name}`, kind: 'file' }).replace(/file$/u, fragment),
    );
    if (!locator) throw new Error(`not a locator: ${fragment}`);
    const found = await (await evidenceOfFile(name)).resolve(locator);
    return found && [found.visibility, found.text];
  };

  test.each([
    ['slide=1', ['visible', '标题\n1 row x 2 columns\ncell 1\ncell 2\none\ntwo']],
    ['slide=1&shape=1', ['visible', '标题']],
    ['slide=1&shape=1&part=alt', ['hidden', 'alt words']],
    ['slide=1&shape=2', ['visible', '1 row x 2 columns\ncell 1\ncell 2']],
    ['slide=1&shape=2&row=1&column=2', ['visible', 'cell 2']],
    ['slide=1&shape=3&lines=2-2', ['visible', 'two']],
    ['slide=1&part=notes', ['hidden', 'note']],
    ['slide=2', ['hidden', 'unseen']],
    ['slide=3', ['visible', '']],
    ['slide=4', undefined],
    ['slide=1&shape=9', undefined],
    ['slide=1&shape=3&lines=7-9', undefined],
  ])('a presentation at %s', async (fragment, wanted) => {
    expect(await at('deck.pptx', fragment)).toEqual(wanted);
  });

  test.each([
    ['cell=1', ['visible', 'a = 1\nprint(a)\n1']],
    ['cell=1&lines=1-3', ['visible', 'a = 1\nprint(a)']],
    ['cell=1&output=1', ['visible', '1']],
    ['cell=2', ['visible', '']],
    ['cell=3', undefined],
    ['cell=1&output=2', undefined],
  ])('a notebook at %s', async (fragment, wanted) => {
    expect(await at('n.ipynb', fragment)).toEqual(wanted);
  });

  test('a member of an archive, by its name alone', async () => {
    expect(await at('a#b %.zip', 'member=dir/数据 %231.csv')).toEqual([
      'visible',
      'dir/数据 #1.csv | 3 bytes',
    ]);
    expect(await at('a#b %.zip', 'member=dir')).toBeUndefined();
  });
});
