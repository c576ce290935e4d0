import { paragraph, readWord, run, words } from './word-package';

const field = (instruction: string, result: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

const picture = (attributes = ''): string =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="3600000" cy="1800000"/><wp:docPr id="1" name="p" ${attributes}/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rIdP"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

describe('fields', () => {
  test('the result is text, the instruction is hidden; what changes by itself is labelled', async () => {
    const { segment, hidden, rendering } = await readWord({
      body:
        paragraph(run('Printed ') + field('DATE \\@ "yyyy"', '2024')) +
        paragraph(run('See ') + field('REF _Ref1 \\h', 'Table 2')) +
        paragraph(`<w:fldSimple w:instr=" PAGE ">${run('7')}</w:fldSimple>`),
    });
    expect(segment('paragraph=body:1-1')).toMatchObject({ text: 'Printed 2024', isVolatile: true });
    expect(segment('paragraph=body:2-2')).toMatchObject({ text: 'See Table 2' });
    expect(segment('paragraph=body:2-2')).not.toHaveProperty('isVolatile');
    expect(segment('paragraph=body:3-3')).toMatchObject({ text: '7', isVolatile: true });
    expect(hidden).toEqual([
      'paragraph=fields:1-1 | volatile field | DATE \\@ "yyyy" (paragraph=body:1-1)',
      'paragraph=fields:2-2 | field | REF _Ref1 \\h (paragraph=body:2-2)',
      'paragraph=fields:3-3 | volatile field | PAGE (paragraph=body:3-3)',
    ]);
    expect(rendering.counts).toMatchObject({ fields: 3, volatileFields: 2 });
  });

  test('a table of contents runs over paragraphs and keeps its page numbers, hidden on the web only', async () => {
    const { visible, segment } = await readWord({
      body:
        paragraph(
          '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>' +
            run('Scope') +
            run('4', '<w:webHidden/>'),
        ) +
        paragraph(run('Terms 5')) +
        paragraph('<w:r><w:fldChar w:fldCharType="end"/></w:r>') +
        words('After'),
    });
    expect(visible.slice(0, 3)).toEqual([
      'paragraph=body:1-1 |  | Scope4',
      'paragraph=body:2-2 |  | Terms 5',
      'paragraph=body:4-4 |  | After',
    ]);
    expect(segment('paragraph=body:2-2')).toHaveProperty('isVolatile', true);
    expect(segment('paragraph=body:4-4')).not.toHaveProperty('isVolatile');
  });

  test('a field within an instruction is no text', async () => {
    const { segment, hidden } = await readWord({
      body: paragraph(
        `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>${field('QUANTITY', '3')}<w:r><w:instrText> &gt; 2</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('many')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
      ),
    });
    expect(segment('paragraph=body:1-1')?.text).toBe('many');
    expect(hidden).toContain('paragraph=fields:2-2 | field | IF 3 > 2 (paragraph=body:1-1)');
  });

  test('form fields tell their state', async () => {
    const { visible } = await readWord({
      body: paragraph(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Agreed"/><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
    });
    expect(visible).toEqual([
      'paragraph=forms:1-1 | form field | Agreed: check box, checked (paragraph=body:1-1)',
    ]);
  });
});

describe('what hangs on places of the text', () => {
  test('links by relationship, anchor and field', async () => {
    const { visible, rendering } = await readWord({
      body:
        paragraph(`<w:hyperlink r:id="rIdL">${run('the law')}</w:hyperlink>`) +
        paragraph(`<w:hyperlink w:anchor="clause5">${run('clause 5')}</w:hyperlink>`) +
        paragraph(field('HYPERLINK "https://example.org/a"', 'source')),
      parts: {
        link: { type: 'hyperlink', id: 'rIdL', content: '', external: 'https://example.org/law' },
      },
    });
    expect(rendering.counts).toMatchObject({ hyperlinks: 3 });
    expect(visible.filter((line) => line.includes('| link |'))).toEqual([
      'paragraph=links:1-1 | link | https://example.org/law (paragraph=body:1-1)',
      'paragraph=links:2-2 | link | #clause5 (paragraph=body:2-2)',
      'paragraph=links:3-3 | link | https://example.org/a (paragraph=body:3-3)',
    ]);
  });

  test('pictures with size and description, charts, diagrams and objects', async () => {
    const { visible, hidden, rendering } = await readWord({
      body:
        paragraph(picture('descr="A red barn"')) +
        paragraph(
          '<w:r><w:drawing><wp:inline><c:chart r:id="rIdC"/></wp:inline></w:drawing></w:r>',
        ) +
        paragraph(
          '<w:r><w:drawing><wp:inline><dgm:relIds r:dm="rIdD"/></wp:inline></w:drawing></w:r>',
        ) +
        paragraph(
          '<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12" r:id="rIdO"/></w:object></w:r>',
        ),
      parts: {
        'word/media/image1.png': { type: 'image', id: 'rIdP', content: 'png' },
        'word/charts/chart1.xml': {
          type: 'chart',
          id: 'rIdC',
          root: 'c:chartSpace',
          content:
            '<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:pieChart><c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:val><c:numRef><c:f>Sheet1!$B$2:$B$4</c:f></c:numRef></c:val></c:ser></c:pieChart></c:plotArea></c:chart>',
        },
        'word/diagrams/data1.xml': {
          type: 'diagramData',
          id: 'rIdD',
          root: 'dgm:dataModel',
          content:
            '<dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Build</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>',
        },
        'word/embeddings/book.xlsx': { type: 'package', id: 'rIdO', content: 'zip' },
      },
    });
    expect(rendering.counts).toMatchObject({
      images: 1,
      charts: 1,
      diagrams: 1,
      embeddedObjects: 1,
    });
    expect(hidden).toContain('paragraph=body:1-1 | alternative text | A red barn');
    expect(visible).toEqual([
      'paragraph=images:1-1 | image | word/media/image1.png, 10 x 5 cm (paragraph=body:1-1)',
      expect.stringMatching(
        /^paragraph=charts:1-1 \| chart \| pie chart: Sales\nNorth.*\(paragraph=body:2-2\)$/su,
      ),
      'paragraph=diagrams:1-1 | SmartArt | Plan\nBuild',
      'paragraph=objects:1-1 | embedded object | Excel.Sheet.12 in word/embeddings/book.xlsx: of unknown kind, 3 bytes, sha256 4a70fe9aa6436e02c2dea340fbd1e352e4ef2d8ce6ca52ad25d4b95471fc8bf2; its content is not read (paragraph=body:4-4)',
    ]);
  });

  test('a linked picture is named and not fetched', async () => {
    const { visible, rendering } = await readWord({
      body: paragraph(picture().replace('r:embed', 'r:link')),
      parts: { x: { type: 'image', id: 'rIdP', content: '', external: 'file:///etc/passwd' } },
    });
    expect(visible[0]).toContain('file:///etc/passwd, 10 x 5 cm, linked and not fetched');
    expect(rendering.facts).toMatchObject({ externalParts: 1 });
  });

  test('content controls with name, tag and state', async () => {
    const { visible } = await readWord({
      body:
        `<w:sdt><w:sdtPr><w:alias w:val="Approved"/><w:tag w:val="ok"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${words('☒')}</w:sdtContent></w:sdt>` +
        paragraph(
          `<w:sdt><w:sdtPr><w:alias w:val="Risk"/><w:showingPlcHdr/><w:dropDownList><w:listItem w:displayText="High" w:value="3"/><w:listItem w:displayText="Low" w:value="1"/></w:dropDownList></w:sdtPr><w:sdtContent>${run('Choose')}</w:sdtContent></w:sdt>`,
        ),
    });
    expect(visible).toEqual([
      'paragraph=body:1-1 |  | ☒',
      'paragraph=body:2-2 |  | Choose',
      'paragraph=controls:1-1 | content control | Approved, tag ok, check box checked (paragraph=body:1-1)',
      'paragraph=controls:2-2 | content control | Risk, choice of High / Low, showing its placeholder (paragraph=body:2-2)',
    ]);
  });

  test('comments: author, day, place, replies, resolved', async () => {
    const { visible, rendering } = await readWord({
      body: paragraph(
        `<w:commentRangeStart w:id="0"/>${run('Clause')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`,
      ),
      parts: {
        'word/comments.xml': {
          type: 'comments',
          id: 'rIdC',
          root: 'w:comments',
          content: `<w:comment w:id="0" w:author="Ann" w:date="2024-01-02T00:00:00Z"><w:p w14:paraId="0A">${run('Too long?')}</w:p></w:comment><w:comment w:id="1" w:author="Bo"><w:p w14:paraId="0B">${run('Cut.')}</w:p></w:comment>`,
        },
        'word/commentsExtended.xml': {
          type: 'commentsExtended',
          id: 'rIdX',
          root: 'w15:commentsEx',
          content:
            '<w15:commentEx w15:paraId="0A" w15:done="1"/><w15:commentEx w15:paraId="0B" w15:paraIdParent="0A" w15:done="0"/>',
        },
      },
    });
    expect(visible.slice(1)).toEqual([
      'paragraph=comments:1-1 | comment | Ann (2024-01-02), on paragraph=body:1-1, resolved: Too long?',
      'paragraph=comments:2-2 | comment | Bo, in reply to comment 1: Cut.',
    ]);
    expect(rendering.counts).toMatchObject({ comments: 2, commentReplies: 1, resolvedComments: 1 });
  });

  test('page setup of each section', async () => {
    const { visible } = await readWord({
      body:
        paragraph(
          run('one'),
          '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:cols w:num="2"/></w:sectPr>',
        ) +
        words('two') +
        '<w:sectPr><w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/><w:pgMar w:top="1417" w:right="1134" w:bottom="1417" w:left="1134"/><w:pgNumType w:start="3"/></w:sectPr>',
    });
    expect(visible.slice(2)).toEqual([
      'paragraph=sections:1-1 | page setup | section 1: 21 x 29.7 cm portrait, 2 columns',
      'paragraph=sections:2-2 | page setup | section 2: 29.7 x 21 cm landscape, margins top 2.5 right 2 bottom 2.5 left 2 cm, page numbers from 3',
    ]);
  });
});

describe('headers and notes', () => {
  const header = (id: string, text: string) => ({
    type: 'header',
    id,
    root: 'w:hdr',
    content: words(text),
  });

  test('a header that no page shows is hidden; its relationships are its own', async () => {
    const { visible, hidden } = await readWord({
      body:
        words('body') +
        '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/><w:headerReference w:type="first" r:id="rId2"/></w:sectPr>',
      parts: {
        'word/header1.xml': header('rId1', 'On every page'),
        'word/header2.xml': header('rId2', 'Never shown'),
        'word/header3.xml': header('rId3', 'Unused'),
      },
    });
    expect(visible).toContain('paragraph=header1:1-1 | header | On every page');
    expect(hidden).toEqual(['paragraph=header2:1-1 | header that no page shows | Never shown']);
  });

  test('notes have the number they are shown under, whatever their id', async () => {
    const { visible, hidden } = await readWord({
      body:
        paragraph(`${run('Later')}<w:r><w:footnoteReference w:id="9"/></w:r>`) +
        paragraph(`${run('First')}<w:r><w:footnoteReference w:id="4"/></w:r>`),
      parts: {
        'word/footnotes.xml': {
          type: 'footnotes',
          id: 'rIdN',
          root: 'w:footnotes',
          content: `<w:footnote w:type="separator" w:id="-1">${words('')}</w:footnote><w:footnote w:id="4">${words('four')}</w:footnote><w:footnote w:id="9">${words('nine')}</w:footnote><w:footnote w:id="5">${words('stray')}</w:footnote>`,
        },
      },
    });
    expect(visible).toEqual([
      'paragraph=body:1-1 |  | Later[footnote 1]',
      'paragraph=body:2-2 |  | First[footnote 2]',
      'paragraph=footnotes:1-1 | footnote 2 | four',
      'paragraph=footnotes:2-2 | footnote 1 | nine',
    ]);
    expect(hidden).toEqual(['paragraph=footnotes:3-3 | footnote without a reference | stray']);
  });
});
