import { parseHtml } from '../../../../../activities/evidence/render/html/html-tree';
import { readRules } from '../../../../../activities/evidence/render/html/style-rules';
import { sanitized } from '../../../../../activities/evidence/render/html/sanitize';
import { readBytes } from '../../../../support/evidence';
import { printed, textAt } from '../support';

const read = (html: string) => readBytes('a.html', Buffer.from(html));

describe('what a reader of a page sees', () => {
  test('blocks in their order, each once, tables in place', async () => {
    const result = await read(
      `<!DOCTYPE html><title>Report 报告</title><body><h1>Results</h1>
       <p>Sales rose <b>12 %</b>
       in Q3.</p><ul><li>one<li>two <em>more</em></ul>
       <table><tr><th>Region<th>Sum</tr><tr><td>North<td><p>12</p><p>13</p></tr></table>
       <div>tail<div>inner</div>end</div></body>`,
    );
    expect(printed(result)).toEqual([
      'paragraph=head:1-1 | Report 报告',
      'paragraph=body:1-1 | Results',
      'paragraph=body:2-2 | Sales rose 12 % in Q3.',
      'paragraph=body:3-3 | one',
      'paragraph=body:4-4 | two more',
      'table=1&row=1&column=1 | Region',
      'table=1&row=1&column=2 | Sum',
      'table=1&row=2&column=1 | North',
      'table=1&row=2&column=2 | 12\n13',
      'paragraph=body:5-5 | tail',
      'paragraph=body:6-6 | inner',
      'paragraph=body:7-7 | end',
    ]);
    expect(result.rendering.counts).toMatchObject({ headings: 1, tables: 1 });
    expect(result.rendering.segments[1]?.label).toBe('heading 1');
  });

  test('a table within a cell keeps its own numbers', async () => {
    const result = await read(
      '<table><tr><td>outer<table><tr><td>inner</td></tr></table></td></tr></table><table><tr><td>next</td></tr></table>',
    );
    expect(printed(result).sort()).toEqual([
      'table=1&row=1&column=1 | outer',
      'table=2&row=1&column=1 | inner',
      'table=3&row=1&column=1 | next',
    ]);
  });

  test.each([
    ['<p hidden>x</p>', 'hidden-text'],
    ['<p style="display: none">x</p>', 'hidden-text'],
    ['<style>.q { visibility: hidden }</style><p class="a q">x</p>', 'hidden-text'],
    ['<div style="opacity:0"><p>x</p></div>', 'hidden-text'],
    ['<p style="font-size:1px">x</p>', 'tiny-text'],
    ['<p style="color:#FFFFFF">x</p>', 'no-contrast'],
    ['<p>seen <span style="display:none">x</span></p>', 'hidden-text'],
    ['<p style="position:absolute;left:-9999px">x</p>', 'off-page'],
    ['<input type="hidden" value="x">', 'markup'],
    ['<!--x-->', 'markup'],
    ['<img alt="x" src="a.png">', 'alternative-text'],
  ])('%s is kept apart', async (html, cause) => {
    const { rendering } = await read(`<body>${html}</body>`);
    expect(rendering.segments.filter(({ text }) => text === 'x')).toMatchObject([
      { visibility: 'hidden', cause },
    ]);
  });

  test('white words on a painted table heading are seen', async () => {
    const result = await read(
      '<table><tr style="background:#1F4E79"><th style="color:white">Head</th></tr></table>',
    );
    expect(printed(result)).toEqual(['table=1&row=1&column=1 | Head']);
  });
});

describe('nothing runs and nothing is loaded', () => {
  test('scripts are shown as text that was not run; what is outside is named', async () => {
    const { rendering } = await read(
      '<script src="https://example.org/a.js"></script><script>document.write("made")</script><link rel=stylesheet href=b.css><iframe src="file:///etc/passwd"></iframe><img src="https://example.org/a.png"><img src="charts/a%20b.png">',
    );
    expect(rendering.facts['externalParts']).toBe(3);
    expect(rendering.counts).toMatchObject({ scripts: 2, images: 2, remoteImages: 1 });
    expect(rendering.localImages).toEqual(['charts/a%20b.png']);
    expect(rendering.segments.map(({ text, cause }) => [text, cause])).toContainEqual([
      'document.write("made")',
      'markup',
    ]);
    expect(rendering.warnings).toContain(
      'the page has hardly a word of its own: its scripts, which are not run, would make it',
    );
  });

  test('what is drawn has no script, no address and nothing that a browser hides', () => {
    const document = parseHtml(
      `<base href="http://a.example/"><style>@import url(http://a.example/x.css); p { background: url('http://a.example/y.png') } .no { display: none }</style>
       <body background="http://a.example/b.png" onload="run()"><p style="background:u\\72l(http://a.example/z)" onclick="run()">kept</p>
       <img src="file:///etc/passwd"><img src="data:image/png;base64,AAAA"><img srcset="http://a.example/s.png 2x">
       <svg><image xlink:href="http://a.example/i.png"/><script>run()</script></svg><object data="http://a.example/o"></object>
       <p class="no">gone</p><a href="http://a.example/l">link</a><meta http-equiv="refresh" content="0;url=http://a.example/r">`,
    );
    const drawn = sanitized(document, readRules(['.no { display: none }']));
    expect(drawn).toContain('kept');
    expect(drawn).toContain('data:image/png;base64,AAAA');
    for (const word of ['a.example', 'etc/passwd', 'run()', 'gone'])
      expect(drawn).not.toContain(word);
  });
});

describe('hostile pages', () => {
  test('deep nesting: the page is shown as text', async () => {
    const deep = `<p>top\n${'<div>'.repeat(50_000)}deep`;
    const { status, reason, rendering } = await read(deep);
    expect([status, reason]).toEqual([
      'truncated',
      expect.stringContaining('nested deeper than 500: shown as text'),
    ]);
    expect(rendering.segments[0]).toMatchObject({ text: '<p>top', locator: { kind: 'lines' } });
  });

  test('entities are letters, an unclosed page is read', async () => {
    const result = await read('<p>a &lt;b&gt; &#20013;<p>open <b>bold');
    expect(textAt(result, 'paragraph=body:1-1')).toEqual(['a <b> 中']);
    expect(textAt(result, 'paragraph=body:2-2')).toEqual(['open bold']);
  });
});

test.each([
  ['<svg><foreignObject><p>x</p></foreignObject></svg>', 'paragraph=drawings:1-1 | x'],
  ['<svg><text>x</text></svg>', 'paragraph=drawings:1-1 | x'],
  ['<svg hidden><text>x</text></svg>', 'paragraph=drawings:1-1 [hidden-text] | x'],
  [
    '<div style="display:none"><svg><text>x</text></svg></div>',
    'paragraph=drawings:1-1 [hidden-text] | x',
  ],
])('words of a drawing: %s', async (html, line) => {
  expect(printed(await read(`<body>${html}</body>`))).toEqual([line]);
});

describe('what a browser shows of an element', () => {
  const lines = async (body: string, css = '') =>
    printed(await read(`<style>${css}</style><body>${body}</body>`));

  test.each([
    ['clip-path: inset(100%)', 'hidden-text'],
    ['clip: rect(0, 0, 0, 0)', 'hidden-text'],
    ['height: 0; overflow: hidden', 'hidden-text'],
    ['transform: scale(0)', 'hidden-text'],
    ['opacity: .01', 'hidden-text'],
    ['background: #333; color: #333333', 'no-mark'],
    ['color: rgba(0, 0, 0, 0)', 'no-mark'],
  ])('%s hides it: %s', async (style, cause) => {
    expect(await lines(`<p style="${style}">x</p>`)).toEqual([
      `paragraph=hidden:1-1 [${cause}] | x`,
    ]);
  });

  test.each([
    'opacity: .6',
    'height: 0',
    'transform: scale(1.5)',
    'background: #333; color: #fff',
    'color: rgb(0, 0, 0)',
    'clip-path: inset(5%)',
  ])('%s does not', async (style) => {
    expect(await lines(`<p style="${style}">x</p>`)).toEqual(['paragraph=body:1-1 | x']);
  });

  test('cells stand in the columns where spans of others leave them', async () => {
    const table =
      '<table><tr><th rowspan=2>R<th colspan=2>2026<tr><th>Q1<th>Q2<tr><td colspan=2>both<td>9</table>';
    expect(await lines(table)).toEqual([
      'table=1&row=1&column=1 | R',
      'table=1&row=1&column=2 | 2026',
      'table=1&row=2&column=2 | Q1',
      'table=1&row=2&column=3 | Q2',
      'table=1&row=3&column=1 | both',
      'table=1&row=3&column=3 | 9',
    ]);
  });

  test('raised, lowered and struck out letters, letters in capitals, words of the style sheet', async () => {
    expect(
      await lines(
        '<p>12<sup>3</sup> m<sup>2</sup> CO<sub>2</sub> <del>old</del></p><h1>due</h1><i class=n>x</i>',
        'h1 { text-transform: uppercase } .n::before { content: "Note: " }',
      ),
    ).toEqual([
      'paragraph=body:1-1 | 12^3 m² CO₂ ~~old~~',
      'paragraph=body:2-2 | DUE',
      'paragraph=body:3-3 | Note: x',
    ]);
  });

  test('lines of preformatted text, marks of controls, a section that is closed', async () => {
    const result = await read(
      '<body><pre>a\n  b</pre><p><input type=checkbox checked> yes <input type=radio> no' +
        '<input type=password value=secret><details><summary>More</summary><p>inside</details></body>',
    );
    expect(printed(result)).toEqual([
      'paragraph=body:1-1 | a',
      'paragraph=body:2-2 |   b',
      'paragraph=hidden:1-1 [markup] | secret',
      'paragraph=body:3-3 | ☑ yes ○ no',
      'paragraph=body:4-4 | More',
      'paragraph=body:5-5 | inside',
    ]);
    expect(result.rendering.segments.at(-1)?.label).toMatch(/closed at first/u);
  });

  test('a drawing without the words that it hides', async () => {
    const drawing = '<svg><text>a</text><g display=none><text>b</text></g></svg>';
    expect(await lines(drawing)).toEqual([
      'paragraph=drawings:1-1 | a',
      'paragraph=drawings:2-2 [hidden-text] | b',
    ]);
  });
});

describe('rules of style sheets', () => {
  const visible = async (css: string, body: string) => {
    const { rendering } = await read(`<style>${css}</style><body>${body}</body>`);
    return rendering.segments.filter(({ visibility }) => visibility === 'visible').length === 1;
  };

  test.each([
    ['@media print { p { display: none } }', '<p>x</p>', true],
    [
      '@media (max-width: 600px) { .a { display: none } b { color: red } }',
      '<p class=a>x</p>',
      true,
    ],
    ['.t { display: none } .t.on { display: block }', '<p class="t on">x</p>', true],
    ['.t { display: none } .t.on { display: block }', '<p class="t">x</p>', false],
    ['.t.on { display: block } .t { display: none }', '<p class="on t">x</p>', true],
    ['.b { display: none } .a { display: block }', '<p class="a b">x</p>', true],
    ['@media screen { p { display: none } }', '<p>x</p>', false],
    ['@import "a.css"; p { display: none }', '<p>x</p>', false],
    ['@media print { i { color: red } } p { display: none }', '<p>x</p>', false],
    ['p { display: none', '<p>x</p>', false],
    ['div .a { display: none }', '<div><b><p class=a>x</p></b></div>', false],
    ['div .a { display: none }', '<p class=a>x</p>', true],
    ['div > .a { display: none }', '<div><b><i class=a>x</i></b></div>', true],
    ['div > .a { display: none }', '<div><p class=a>x</p></div>', false],
    ['table td.no { visibility: hidden }', '<table><tr><td class=no>x</table>', false],
    ['p::before { display: none }', '<p>x</p>', true],
  ])('%s on %s: shown is %s', async (css, body, shown) => {
    expect(await visible(css, body)).toBe(shown);
  });

  test('a sheet that names every element again and again costs each of them little', async () => {
    const rule = `${'p,'.repeat(900)}p{${'a:b;'.repeat(1_200)}color:red}`;
    const css = rule.repeat(70) + 'p{color:red}'.repeat(5_000);
    const body = `<p class="${'p '.repeat(1_000)}">x`.repeat(300);
    const { rendering } = await read(`<style>${css}</style><body>${body}</body>`);
    expect(rendering.segments.filter(({ text }) => text === 'x')).toHaveLength(300);
  });
});
