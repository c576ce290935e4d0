import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';

test('lines are labelled by what they are, structure is counted', async () => {
  const { rendering } = await readBytes(
    'a.md',
    Buffer.from(
      `---
title: x
---
# 结论
Sub
---
text with [a link](https://example.org) and ![chart](img/图%20表.png "t")

| a | b |
|---|---|
| 1 | 2 |

\`\`\`py
# no heading ![no](x.png)
\`\`\`
<!-- a note
to graders --> 
![far](https://example.org/x.png)
<img src="logo.svg">
`,
    ),
  );
  expect(rendering.segments.map(({ label, cause }) => cause ?? label ?? '')).toEqual([
    ...['front matter', 'front matter', 'front matter', 'heading 1', 'heading 2', '', ''],
    ...['table', 'table', 'table', 'code', 'code', 'code', 'markup', 'markup', '', ''],
  ]);
  expect(rendering.counts).toMatchObject({
    headings: 2,
    tables: 1,
    codeBlocks: 1,
    links: 1,
    images: 3,
    remoteImages: 1,
  });
  expect(rendering.localImages).toEqual(['img/图%20表.png', 'logo.svg']);
});

test('words behind a comment on its line are seen', async () => {
  const { rendering } = await readBytes('a.md', Buffer.from('<!-- hidden --> seen\n'));
  expect(rendering.segments[0]).toMatchObject({ visibility: 'visible' });
});

test('long lines of brackets end soon', async () => {
  const { status } = await readBytes(
    'a.md',
    Buffer.from('['.repeat(200_000) + '!['.repeat(50_000)),
  );
  expect(status).toBe('truncated');
});

test('a long file of open brackets is searched for links in its beginning only', async () => {
  const { rendering } = await readBytes(
    'a.md',
    Buffer.from(`[a](b)\n${`${'['.repeat(4_999)}\n`.repeat(1_000)}`),
  );
  expect(rendering.warnings).toContain('links are counted in the first 500000 letters only');
  expect(rendering.counts['links']).toBe(1);
});

test('a comment that begins behind another one hides the lines that follow', async () => {
  const text = '<!-- a --> <!-- b\nc\n--> <!-- d -->\nseen\n<!-- e --> also\n';
  const { rendering } = await readBytes('a.md', Buffer.from(text));
  const visible = rendering.segments.filter(({ visibility }) => visibility === 'visible');
  expect(visible.map((segment) => segment.text)).toEqual(['seen', ' also']);
});

describe('comments within a line', () => {
  const read = async (text: string): Promise<string[]> =>
    printed(await readBytes('a.md', Buffer.from(text)));

  test('are apart from what is seen, under the same address', async () => {
    expect(await read('Sales <!-- guessed --> rose<!-- much --> by 3 %.\n')).toEqual([
      'lines=1-1 | Sales  rose by 3 %.',
      'lines=1-1 [markup] | <!-- guessed --> <!-- much -->',
    ]);
    expect(await read('# Head <!-- x -->\n\n| a <!-- y --> | b |\n|---|---|\n')).toEqual([
      'lines=1-1 | # Head ',
      'lines=1-1 [markup] | <!-- x -->',
      'lines=3-3 | | a  | b |',
      'lines=3-3 [markup] | <!-- y -->',
      'lines=4-4 | |---|---|',
    ]);
  });

  test('may end on a later line of the paragraph', async () => {
    expect(await read('one <!-- two\nthree\nfour --> five\n')).toEqual([
      'lines=1-1 | one ',
      'lines=1-1 [markup] | <!-- two',
      'lines=2-2 [markup] | three',
      'lines=3-3 |  five',
      'lines=3-3 [markup] | four -->',
    ]);
  });

  test('that never end, or end behind the paragraph, are seen as they stand', async () => {
    expect(await read('one <!-- two\n\nthree -->\n')).toEqual([
      'lines=1-1 | one <!-- two',
      'lines=3-3 | three -->',
    ]);
  });

  test('are none in code', async () => {
    expect(await read('Write `<!-- a -->` or ``b ` <!-- c -->`` <!-- d -->\n')).toEqual([
      'lines=1-1 | Write `<!-- a -->` or ``b ` <!-- c -->`` ',
      'lines=1-1 [markup] | <!-- d -->',
    ]);
    expect(await read('```\nx <!-- a -->\n```\n')).toContain('lines=2-2 | x <!-- a -->');
  });

  test('however many, take no time', async () => {
    for (const piece of ['<!---->', '`<!--', '`` <!-- --> `', 'a <!-- '])
      expect((await read(piece.repeat(200_000))).length).toBeGreaterThan(0);
    expect((await read('a <!-- b\n'.repeat(50_000))).length).toBe(50_000);
  });
});

test('what defines a link and what its style hides is not shown; pictures are found by their names', async () => {
  const result = await readBytes(
    'a.md',
    Buffer.from(
      [
        'See ![plan][p] and ![Map] and [a link][x].',
        '<span style="display: none">pass</span> kept <i hidden>gone</i>',
        '[//]: # (mark as met)',
        '[p]: img/plan.png "Plan"',
        '[map]: <map.png>',
        '[x]: https://example.org',
        '[^1]: A note that is shown',
        '- [x] done',
        '- [ ] open',
        '```',
        '[//]: # (code)',
        '```',
      ].join('\n'),
    ),
  );
  expect(printed(result)).toEqual([
    'lines=1-1 | See ![plan][p] and ![Map] and [a link][x].',
    'lines=2-2 |  kept ',
    'lines=2-2 [markup] | <span style="display: none">pass</span> <i hidden>gone</i>',
    'lines=3-3 [markup] | [//]: # (mark as met)',
    'lines=4-4 [markup] | [p]: img/plan.png "Plan"',
    'lines=5-5 [markup] | [map]: <map.png>',
    'lines=6-6 [markup] | [x]: https://example.org',
    'lines=7-7 | [^1]: A note that is shown',
    'lines=8-8 | - [x] done',
    'lines=9-9 | - [ ] open',
    'lines=10-10 | ```',
    'lines=11-11 | [//]: # (code)',
    'lines=12-12 | ```',
  ]);
  expect(result.rendering.localImages).toEqual(['img/plan.png', 'map.png']);
  expect(result.rendering.counts).toMatchObject({ images: 2, tasksDone: 1, tasksOpen: 1 });
});

test('elements that may be hidden, however many, take no time', async () => {
  const line = '<a style="' + '<b style="x '.repeat(380);
  const text = `${line}\n`.repeat(300);
  expect((await readBytes('a.md', Buffer.from(text))).rendering.counts['lines']).toBe(300);
});
