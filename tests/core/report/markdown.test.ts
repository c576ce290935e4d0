import { escapeMarkdown } from '../../../core/report/markdown';

/** What a reader makes of entities and escapes before it looks for addresses. */
const asRead = (markdown: string) =>
  markdown
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll('&#8288;', '\u2060')
    .replaceAll(/\\([\\`*_{}[\]#|~!])/gu, '$1');

describe('escapeMarkdown', () => {
  it('lets no name become a link, a tag or a table cell', () => {
    expect(escapeMarkdown('a|b <img src=x> [c](d) `e`\u001b[1m')).toBe(
      'a\\|b &lt;img src=x> \\[c\\](d) \\`e\\` \\[1m',
    );
  });

  it.each([
    ...['https://example.com/a_b?x=1&y=2', 'see:HTTP://Example.com.', 'ftp://a.example.com'],
    ...['www.example.com', 'WWW.Example.com/x', '(www.example.com)'],
    ...['some_one+x@ex-ample.co.uk', 'mailto:a@b.com', 'xmpp:a@b.com/z', 'a@b@c.com', '-@b.com'],
    ...['@somebody', 'by @somebody (here)', 'x;@somebody'],
  ])('breaks the address %s, whose letters stay', (text) => {
    const read = asRead(escapeMarkdown(text));
    expect(read.replaceAll('\u2060', '')).toBe(text);
    expect(read).not.toMatch(/:\/\/|www\.|[\w.+-]@[\w-]+\.|(?<!\w)@\w/iu);
  });

  it.each(['gpt-5.5@nanobot-paper', 'a: b // c', 'www', 'at 3 @ 4', 'model@harness/task/r1'])(
    'leaves %s as it is',
    (text) => expect(escapeMarkdown(text)).toBe(text),
  );
});
