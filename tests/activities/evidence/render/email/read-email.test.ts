import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';

const attachment = Buffer.from('x,y\n1,2\n').toString('base64');

const MAIL = `From: =?utf-8?B?5p2O6Zu3?= <li@example.org>\r
To: board@example.org\r
Subject: =?utf-8?Q?Quarter_=E4=B8=89?=\r
 and more\r
X-Mailer: program 1\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary="outer"\r
\r
ignored preamble\r
--outer\r
Content-Type: multipart/alternative; boundary=inner\r
\r
--inner\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
Dear all,\r
the sum is =E2=82=AC 12 and this line goes =\r
on.\r
--inner\r
Content-Type: text/html\r
\r
<p>Dear <b>all</b></p>\r
--inner--\r
--outer\r
Content-Type: text/csv; name="a.csv"\r
Content-Disposition: attachment; filename*=utf-8''%E6%95%B0%E6%8D%AE%2Fa.csv\r
Content-Transfer-Encoding: base64\r
\r
${attachment}\r
--outer--\r
`;

test('headers, the plain body, attachments as members; other headers are kept apart', async () => {
  const result = await readBytes('a.eml', Buffer.from(MAIL));
  expect(result.status).toBe('rendered');
  expect(printed(result)).toEqual([
    'paragraph=headers:1-1 | from: 李雷 <li@example.org>',
    'paragraph=headers:2-2 | to: board@example.org',
    'paragraph=headers:3-3 | subject: Quarter 三 and more',
    expect.stringMatching(/^file \[metadata\] \| X-Mailer: program 1\n/u),
    'paragraph=body:1-1 | Dear all,',
    'paragraph=body:2-2 | the sum is € 12 and this line goes on.',
    'paragraph=html:1-1 | Dear all',
    'member=数据_a.csv | 数据_a.csv | 8 bytes',
  ]);
  expect(result.rendering.members).toEqual([
    { path: '数据_a.csv', content: Buffer.from('x,y\n1,2\n') },
  ]);
  expect(result.rendering.counts['attachments']).toBe(1);
});

test('a mail of HTML alone is its text', async () => {
  const mail = 'Subject: s\nContent-Type: text/html; charset=gb18030\n\n<p>one</p><p>two</p>';
  const result = await readBytes('a.eml', Buffer.from(mail));
  expect(printed(result).slice(-2)).toEqual([
    'paragraph=body:1-1 | one',
    'paragraph=body:2-2 | two',
  ]);
});

test('parts within parts without end are read to a depth', async () => {
  let mail = 'Content-Type: text/plain\n\nbottom';
  for (let depth = 0; depth < 40; depth++)
    mail = `Content-Type: multipart/mixed; boundary=b${depth}x\n\n--b${depth}x\n${mail}\n--b${depth}x--`;
  const { status } = await readBytes('a.eml', Buffer.from(mail));
  expect(status).toBe('truncated');
});

test('a text that is no mail is shown as text', async () => {
  const result = await readBytes('a.eml', Buffer.from('just words\n'));
  expect(printed(result)).toEqual(['lines=1-1 | just words']);
});

test('a page saved as one file is its parts', async () => {
  const saved =
    'From: <Saved by a browser>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>words of it</p>\n--b\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n';
  const result = await readBytes('page.mht', Buffer.from(saved));
  expect(result.rendering.format).toBe('email');
  expect(printed(result)).toContain('paragraph=body:1-1 | words of it');
  expect(result.rendering.members.map(({ path }) => path)).toEqual(['a.png']);
});

test('words beside an element of an HTML body stay', async () => {
  const mail = 'From: a@b.c\nContent-Type: text/html\n\n<p>We owe <b>5</b> million.</p>\n';
  expect(printed(await readBytes('a.eml', Buffer.from(mail)))).toContain(
    'paragraph=body:1-1 | We owe 5 million.',
  );
});

test('a long run of blanks is read in no time', async () => {
  const head =
    'From: a@b.c\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n';
  const mail = `${head}\nfirst ${' '.repeat(2_000_000)}last`;
  const { rendering } = await readBytes('a.eml', Buffer.from(mail));
  expect(rendering.counts['headers']).toBe(3);
});

test('parts beyond the limit are said to be left out', async () => {
  const head = 'From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n';
  const mail = `${head}${'--x\n\npart\n'.repeat(600)}--x--`;
  expect(await readBytes('a.eml', Buffer.from(mail))).toMatchObject({
    status: 'truncated',
    reason: 'parts of the mail are too many or too deep to be read',
  });
});

describe('a mail in two versions', () => {
  const versions = (plain: string, html: string): Buffer =>
    Buffer.from(
      `Subject: s
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

${plain}
--b
Content-Type: multipart/related; boundary=c

--c
Content-Type: text/html

${html}
--c
Content-Type: image/png; name=logo.png

png
--c--
--b--
`,
    );

  test('both are shown where their words differ, the one of HTML labelled', async () => {
    const html = '<p>The total is <b>13</b>.</p><p style="display:none">unseen</p>';
    const result = await readBytes('a.eml', versions('The total is 12.', html));
    expect(printed(result).slice(2)).toEqual([
      'paragraph=body:1-1 | The total is 12.',
      'paragraph=html:1-1 | The total is 13.',
      'member=logo.png | logo.png | 3 bytes',
    ]);
    expect(result.rendering.segments[3]?.label).toBe('html version');
    expect(result.rendering.facts['htmlVersion']).toBe('other words');
  });

  test('the same words in other marks are shown once', async () => {
    const result = await readBytes('a.eml', versions('*The total*\nis 12.', '<p>The total is 12.'));
    expect(printed(result).filter((line) => line.includes('html:'))).toEqual([]);
    expect(result.rendering.facts['htmlVersion']).toBe('the same words as the plain text');
  });
});

test('attachments of one name are all read, a forwarded mail as a mail', async () => {
  const part = (head: string, body: string): string => `--b\n${head}\n\n${body}\n`;
  const image = 'Content-Type: image/png; name=image.png';
  const mail =
    `Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n${part(image, 'one')}` +
    `${part(image, 'two')}${part('Content-Type: message/rfc822', 'Subject: inner\n\nwords')}--b--\n`;
  const { rendering } = await readBytes('a.eml', Buffer.from(mail));
  expect(
    rendering.members.map(({ path, content }) => [path, Buffer.from(content).toString()]),
  ).toEqual([
    ['image.png', 'one'],
    ['image (2).png', 'two'],
    ['part-3.eml', 'Subject: inner\n\nwords'],
  ]);
});

test('an encrypted mail says so', async () => {
  const mail = 'Subject: s\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n';
  const result = await readBytes('a.eml', Buffer.from(mail));
  expect(result).toMatchObject({
    status: 'encrypted',
    reason: 'the mail is encrypted: only its headers can be read',
  });
});
