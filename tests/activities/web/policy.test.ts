import { grantFault, isGranted } from '../../../core/web';
import { checkUrl, WebRefused } from '../../../activities/web/url-policy';

describe('an allow-list', () => {
  it.each(['example.org', '*.example.org', 'xn--bcher-kva.example', 'data.gov.uk', 'a-b.c1.org'])(
    'may name %s',
    (grant) => expect(grantFault(grant)).toBeUndefined(),
  );

  it.each([
    ...['', '*', '*.', '*.org', 'org', 'Example.org', 'example.org.', '.example.org', 'a..org'],
    ...['https://example.org', 'example.org/path', 'example.org:443', 'me@example.org', 'a.*.org'],
    ...['127.0.0.1', '10.0.0.1', '[::1]', '::1', '0x7f.1', 'bücher.example', 'exa mple.org'],
    ...['localhost', 'a.localhost', 'metadata.google.internal', 'printer.local', 'x.onion'],
    ...['-a.org', 'a-.org', `${'a'.repeat(64)}.org`, `${'a.'.repeat(130)}org`],
  ])('may not name %s', (grant) => expect(grantFault(grant)).toBeDefined());

  it('names hosts, not their ends', () => {
    const grants = ['example.org', '*.data.example'];
    expect(isGranted('example.org', grants)).toBe(true);
    expect(isGranted('a.data.example', grants)).toBe(true);
    expect(isGranted('b.a.data.example', grants)).toBe(true);
    for (const host of [
      'www.example.org',
      'evilexample.org',
      'example.org.evil.net',
      'data.example',
      'evildata.example',
      '.data.example',
    ])
      expect({ host, granted: isGranted(host, grants) }).toEqual({ host, granted: false });
  });
});

describe('checkUrl', () => {
  const rules = { grants: ['example.org', 'xn--bcher-kva.example'] };
  const reasonOf = (text: string, base?: URL): string => {
    try {
      checkUrl(text, rules, base);
    } catch (error) {
      if (error instanceof WebRefused) return error.reason;
    }
    return 'taken';
  };

  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c'],
    ['HTTP://EXAMPLE.org:80/', 'http://example.org/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://ｅｘａｍｐｌｅ.org/', 'https://example.org/'],
    ['https://example.org/a/../b', 'https://example.org/b'],
  ])('takes %s', (text, href) => expect(checkUrl(text, rules).href).toBe(href));

  it.each([
    ['bad-url', 'file:///etc/passwd'],
    ['bad-url', 'ftp://example.org/'],
    ['bad-url', 'gopher://example.org/'],
    ['bad-url', 'data:text/plain,x'],
    ['bad-url', 'javascript:alert(1)'],
    ['bad-url', 'https://user@example.org/'],
    ['bad-url', 'https://example.org:pass@example.org/'],
    ['bad-url', 'https://example.org:22/'],
    ['bad-url', 'http://example.org:443/'],
    ['bad-url', 'https://example.org:0/'],
    ['bad-url', 'https://exa\tmple.org/'],
    ['bad-url', 'https://example.org\\@evil.net/'],
    ['bad-url', ' https://example.org/'],
    ['bad-url', 'https://example.org/\r\nhost: evil.net'],
    ['bad-url', 'https://example.org/\u202e'],
    ['bad-url', `https://example.org/${'a'.repeat(2_100)}`],
    ['bad-url', 'example.org/a'],
    ['bad-url', ''],
    ['bad-url', 'https://example.org:99999/'],
    ['not-granted', 'https://evil.net/'],
    ['not-granted', 'https://example.org@evil.net/'.replace('example.org@', '')],
    ['bad-url', 'https://example.org@evil.net/'],
    ['not-granted', 'https://www.example.org/'],
    ['not-granted', 'https://example.org./'],
    ['not-granted', 'https://evilexample.org/'],
    ['not-granted', 'https://exаmple.org/'],
    ['not-granted', 'https://example。org.evil.net/'],
    ['not-granted', 'https://xn--exmple-4nf.org/'],
    ['not-granted', 'http://127.0.0.1/'],
    ['not-granted', 'http://2130706433/'],
    ['not-granted', 'http://0x7f.1/'],
    ['not-granted', 'http://0177.0.0.1/'],
    ['not-granted', 'http://[::1]/'],
    ['not-granted', 'http://[::ffff:169.254.169.254]/'],
    ['not-granted', 'http://169.254.169.254/latest/meta-data/'],
    ['not-granted', 'http://localhost/'],
  ])('refuses as %s: %s', (reason, text) => expect(reasonOf(text)).toBe(reason));

  it('checks where a redirect leads', () => {
    const base = new URL('https://example.org/a/');
    expect(checkUrl('../b', rules, base).href).toBe('https://example.org/b');
    expect(reasonOf('//evil.net/', base)).toBe('not-granted');
    expect(reasonOf('http://169.254.169.254/', base)).toBe('not-granted');
    expect(reasonOf('file:///etc/passwd', base)).toBe('bad-url');
  });
});
