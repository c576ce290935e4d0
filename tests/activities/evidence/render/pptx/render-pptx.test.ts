import { readBytes } from '../../../../support/evidence';
import { printed, textAt } from '../support';
import { frame, paragraph, shape, slidePackage, xml } from './slide-package';

const OTHER_RELATIONS = 'http://schemas.microsoft.com/office/2018/10/relationships';

describe('what a slide says', () => {
  test('shapes in their order, groups before what they hold, each with its number', async () => {
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="g" descr="two boxes"/></p:nvGrpSpPr><p:grpSpPr/>${shape(paragraph('inner one'))}${shape(paragraph('inner two'))}</p:grpSp>`;
    const result = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes:
            shape(paragraph('季度总结'), { ph: 'title' }) +
            group +
            shape(paragraph('last') + paragraph('deeper', '<a:pPr lvl="2"/>'), { ph: 'body' }),
        },
      ]),
    );
    expect(printed(result)).toEqual([
      'slide=1&shape=1&lines=1-1 | 季度总结',
      'slide=1&shape=2&part=alt [alternative-text] | two boxes',
      'slide=1&shape=3&lines=1-1 | inner one',
      'slide=1&shape=4&lines=1-1 | inner two',
      'slide=1&shape=5&lines=1-1 | last',
      'slide=1&shape=5&lines=2-2 | deeper',
    ]);
    expect(result.rendering.segments.at(-1)?.label).toBe('body, level 3');
    expect(result.rendering.counts).toMatchObject({ slides: 1, titles: 1, groups: 1, shapes: 5 });
  });

  test('an embedded object says what it is, and is handed out where that can be told', async () => {
    const object = (id: string): string =>
      frame(`<p:oleObj progId="Excel.Sheet.12" r:id="${id}"><p:embed/></p:oleObj>`);
    const part = (id: string, target: string, content: string) =>
      ({ id, type: 'package', target, content }) as const;
    const { rendering } = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes: object('o1') + object('o2') + object('o1'),
          parts: [
            part('o1', '/ppt/embeddings/notes.txt', 'plain words'),
            part('o2', '/ppt/embeddings/a.bin', '???'),
          ],
        },
      ]),
    );
    const said = rendering.segments.flatMap(({ label, text }) =>
      label === 'embedded object' ? [text.replace(/[0-9a-f]{64}/u, 'D')] : [],
    );
    const notes =
      'Excel.Sheet.12 in ppt/embeddings/notes.txt: text, 11 bytes, sha256 D; read as a file of its own, behind //ppt/embeddings/notes.txt';
    expect(said).toEqual([
      notes,
      'Excel.Sheet.12 in ppt/embeddings/a.bin: of unknown kind, 3 bytes, sha256 D; its content is not read',
      notes,
    ]);
    expect(rendering.members.map(({ path }) => path)).toEqual(['ppt/embeddings/notes.txt']);
  });

  test('a shape in an alternative is read once, in its new form', async () => {
    const result = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes: `<mc:AlternateContent><mc:Choice Requires="a14">${shape(paragraph('new form'))}</mc:Choice><mc:Fallback>${shape(paragraph('old form'))}</mc:Fallback></mc:AlternateContent>`,
        },
      ]),
    );
    expect(printed(result)).toEqual(['slide=1&shape=1&lines=1-1 | new form']);
  });

  test('a diagram is its outline in order, with levels', async () => {
    const point = (id: string, text: string, type = 'node'): string =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${text === '' ? '' : paragraph(text)}</dgm:t></dgm:pt>`;
    const link = (from: string, to: string, order: number): string =>
      `<dgm:cxn modelId="c${from}${to}" srcId="${from}" destId="${to}" srcOrd="${order}" destOrd="0"/>`;
    const data = xml(
      `<dgm:dataModel><dgm:ptLst>${point('0', '', 'doc')}${point('2', 'Second')}${point('1', 'First')}${point('3', 'Below first')}${point('9', 'no words of it', 'pres')}</dgm:ptLst><dgm:cxnLst>${link('0', '2', 1)}${link('0', '1', 0)}${link('1', '3', 0)}</dgm:cxnLst></dgm:dataModel>`,
    );
    const result = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes: frame('<dgm:relIds r:dm="rId7"/>'),
          parts: [
            { id: 'rId7', type: 'diagramData', target: '/ppt/diagrams/data1.xml', content: data },
          ],
        },
      ]),
    );
    expect(printed(result)).toEqual([
      'slide=1&shape=1&lines=1-1 | First',
      'slide=1&shape=1&lines=2-2 | Below first',
      'slide=1&shape=1&lines=3-3 | Second',
    ]);
    expect(result.rendering.segments[1]?.label).toBe('diagram, level 2');
    expect(result.rendering.counts['diagrams']).toBe(1);
  });

  test('a chart has its type, title, and points', async () => {
    const cache = (values: readonly string[]): string =>
      values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('');
    const chart = xml(
      `<c:chartSpace><c:chart><c:title><c:tx><c:rich>${paragraph('Revenue')}</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache>${cache(['2026'])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:f>Sheet1!$A$2:$A$3</c:f><c:strCache>${cache(['North', 'South'])}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Sheet1!$B$2:$B$3</c:f><c:numCache>${cache(['12.5', '7'])}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    );
    const result = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes: frame('<c:chart r:id="rId7"/>'),
          parts: [{ id: 'rId7', type: 'chart', target: '/ppt/charts/chart1.xml', content: chart }],
        },
      ]),
    );
    expect(printed(result)).toEqual([
      'slide=1&shape=1&lines=1-1 | column chart: Revenue',
      'slide=1&shape=1&lines=2-2 | 2026: North = 12.5; South = 7',
      'slide=1&shape=1&lines=3-3 | shown: no legend',
    ]);
  });

  test('comments of both kinds with their authors and answers', async () => {
    const old = xml(
      '<p:cmLst><p:cm authorId="0" idx="1"><p:text>Check this sum</p:text></p:cm></p:cmLst>',
    );
    const threaded = xml(
      `<p188:cmLst><p188:cm id="{1}" authorId="{A}"><p188:txBody>${paragraph('Is it final?')}</p188:txBody><p188:replyLst><p188:reply authorId="{B}"><p188:txBody>${paragraph('Yes.')}</p188:txBody></p188:reply></p188:replyLst></p188:cm></p188:cmLst>`,
    );
    const result = await readBytes(
      'deck.pptx',
      slidePackage(
        [
          {
            shapes: '',
            parts: [
              { id: 'rId1', type: 'comments', target: '/ppt/comments/comment1.xml', content: old },
              {
                id: 'rId2',
                type: `${OTHER_RELATIONS}/comments`,
                target: '/ppt/comments/modern1.xml',
                content: threaded,
              },
            ],
          },
        ],
        {
          parts: [
            {
              id: 'rId8',
              type: 'commentAuthors',
              target: '/ppt/commentAuthors.xml',
              content: xml('<p:cmAuthorLst><p:cmAuthor id="0" name="李雷"/></p:cmAuthorLst>'),
            },
            {
              id: 'rId9',
              type: `${OTHER_RELATIONS}/authors`,
              target: '/ppt/authors.xml',
              content: xml(
                '<p188:authorLst><p188:author id="{A}" name="Ann"/><p188:author id="{B}" name="Ben"/></p188:authorLst>',
              ),
            },
          ],
        },
      ),
    );
    expect(textAt(result, 'slide=1&part=comments&lines=1-1')).toEqual(['李雷: Check this sum']);
    expect(textAt(result, 'slide=1&part=comments&lines=2-2')).toEqual(['Ann: Is it final?']);
    expect(textAt(result, 'slide=1&part=comments&lines=3-3')).toEqual(['Ben: Yes.']);
    expect(result.rendering.counts['comments']).toBe(3);
  });

  test('text of the layout and its master is shown, their placeholders are not', async () => {
    const tree = (shapes: string): string =>
      `<p:cSld name="Corporate"><p:spTree>${shapes}</p:spTree></p:cSld>`;
    const slides = slidePackage([
      {
        shapes: shape('', { ph: 'title' }),
        parts: [
          {
            id: 'rId1',
            type: 'slideLayout',
            target: '/ppt/slideLayouts/slideLayout1.xml',
            content: xml(
              `<p:sldLayout>${tree(shape(paragraph('Confidential')) + shape(paragraph('Click to add'), { ph: 'body' }))}</p:sldLayout>`,
            ),
          },
        ],
      },
    ]);
    const result = await readBytes('deck.pptx', slides);
    expect(printed(result)).toEqual(['slide=1&part=layout&lines=1-1 | Confidential']);
    expect(result.rendering.counts['emptyPlaceholders']).toBe(1);
    expect(result.rendering.facts['layouts']).toBe('Corporate');
  });
});

describe('what no audience sees is kept apart', () => {
  const away = '<a:xfrm><a:off x="-9000000" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm>';
  test('hidden slides, hidden and far-away shapes, tiny words, notes, addresses of links', async () => {
    const result = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes:
            shape(paragraph('seen')) +
            shape(paragraph('hidden shape'), { nv: 'hidden="1"' }) +
            shape(paragraph('far away'), { place: away }) +
            shape('<a:p><a:r><a:rPr sz="100"/><a:t>tiny</a:t></a:r></a:p>') +
            shape(
              '<a:p><a:r><a:rPr><a:hlinkClick r:id="rId5"/></a:rPr><a:t>our site</a:t></a:r></a:p>',
            ),
          parts: [
            { id: 'rId5', type: 'hyperlink', target: 'https://example.org/x' },
            {
              id: 'rId6',
              type: 'notesSlide',
              target: '/ppt/notesSlides/notesSlide1.xml',
              content: xml(
                `<p:notes><p:cSld><p:spTree>${shape(paragraph('say hello'), { ph: 'body' })}${shape(paragraph('1'), { ph: 'sldNum' })}</p:spTree></p:cSld></p:notes>`,
              ),
            },
          ],
        },
        { shapes: shape(paragraph('skipped slide')), attributes: 'show="0"' },
      ]),
    );
    expect(printed(result)).toEqual([
      'slide=1&shape=1&lines=1-1 | seen',
      'slide=1&shape=2&lines=1-1 [hidden-text] | hidden shape',
      'slide=1&shape=3&lines=1-1 [off-page] | far away',
      'slide=1&shape=4&lines=1-1 [tiny-text] | tiny',
      'slide=1&shape=5&lines=1-1 | our site',
      'slide=1&shape=5&part=links&lines=1-1 [markup] | our site -> https://example.org/x',
      'slide=1&part=notes&lines=1-1 [notes] | say hello',
      'slide=2&shape=1&lines=1-1 [hidden-slide] | skipped slide',
    ]);
    expect(result.rendering.counts).toMatchObject({ slides: 2, hiddenSlides: 1, notes: 1 });
    expect(result.rendering.facts['hiddenSlideNumbers']).toBe('2');
  });
});

describe('every variant of the format, and broken ones', () => {
  test.each([
    ['deck.pptm', 'ms-powerpoint.presentation.macroEnabled.main'],
    ['deck.ppsx', 'openxmlformats-officedocument.presentationml.slideshow.main'],
    ['deck.ppsm', 'ms-powerpoint.slideshow.macroEnabled.main'],
    ['deck.potx', 'openxmlformats-officedocument.presentationml.template.main'],
    ['deck.potm', 'ms-powerpoint.template.macroEnabled.main'],
  ])('%s is read', async (name, type) => {
    const result = await readBytes(
      name,
      slidePackage([{ shapes: shape(paragraph('words')) }], { type }),
    );
    expect(result.rendering.format).toBe('pptx');
    expect(printed(result)).toEqual(['slide=1&shape=1&lines=1-1 | words']);
  });

  test('a slide that cannot be read is said, the others are there', async () => {
    const slides = slidePackage([
      { shapes: shape('<a:p><broken') },
      { shapes: shape(paragraph('second')) },
    ]);
    const result = await readBytes('deck.pptx', slides);
    expect(result.status).toBe('truncated');
    expect(result.reason).toContain('slide 1 has no part that can be read');
    expect(printed(result)).toEqual(['slide=2&shape=1&lines=1-1 | second']);
  });

  test('a part that declares entities ends the reading, a picture from elsewhere is not fetched', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "b">]><p:notes>&a;</p:notes>';
    const parts = [
      { id: 'rId1', type: 'notesSlide', target: '/ppt/notesSlides/n1.xml', content: bomb },
    ];
    expect(await readBytes('a.pptx', slidePackage([{ shapes: '', parts }]))).toMatchObject({
      status: 'refused',
      reason: 'part ppt/notesSlides/n1.xml declares a DOCTYPE',
    });
    const outside = [{ id: 'rId1', type: 'image', target: 'https://example.org/a.png' }];
    const { rendering } = await readBytes('b.pptx', slidePackage([{ shapes: '', parts: outside }]));
    expect(rendering.facts['externalParts']).toBe(1);
    expect(rendering.warnings).toContain('linked from outside and not fetched: image');
  });

  test('a diagram whose points lead in a circle ends', async () => {
    const data = xml(
      '<dgm:dataModel><dgm:ptLst><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>one</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="1" destId="1" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>',
    );
    const parts = [{ id: 'rId7', type: 'diagramData', target: '/ppt/d.xml', content: data }];
    const shapes = frame('<dgm:relIds r:dm="rId7"/>');
    const result = await readBytes('a.pptx', slidePackage([{ shapes, parts }]));
    expect(printed(result)).toEqual(['slide=1&shape=1&lines=1-1 | one']);
  });
});
