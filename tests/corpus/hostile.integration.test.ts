import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { RendererBench, type Rendered } from '../activities/evidence/support/renderer-bench';
import { workbook, zipOf } from './support/hostile-packages';
import { outsideDocument, outsideFiles } from './support/outside-references';

const TIMEOUT_MS = 240_000;

describe('files that reach for something outside', () => {
  let bench: RendererBench;
  let server: Server;
  const requests: string[] = [];
  beforeAll(async () => {
    bench = await RendererBench.open();
    server = createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.end('fetched');
    });
    server.on('connection', (socket) => requests.push(`from ${socket.remoteAddress ?? ''}`));
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  });
  afterAll(async () => {
    server.close();
    await bench.close();
  });

  /** Addresses of this host, loopback and the one that containers could reach. */
  function addresses(): string[] {
    const { port } = server.address() as AddressInfo;
    const hosts = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    return hosts
      .filter(({ family }) => family === 'IPv4')
      .map(({ address }) => `http://${address}:${port}/x.png`);
  }

  test('the listener hears who asks', async () => {
    for (const address of addresses()) await fetch(address);
    expect(requests.filter((each) => each === 'GET /x.png')).toHaveLength(addresses().length);
    requests.length = 0;
  });

  test(
    'nothing arrives, whatever the format, and the file is read all the same',
    async () => {
      for (const { file, content } of outsideFiles(addresses().at(-1) ?? '')) {
        const { artifact } = await bench.render(file, content);
        expect(`${file} ${artifact.status}`).toMatch(/ (?:rendered|truncated)$/u);
      }
      expect(requests).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'no other file is shown: neither its words nor its pixels',
    async () => {
      for (const { file, content } of outsideFiles('file:///etc/passwd')) {
        const { segments, workbook: facts } = await bench.render(file, content);
        expect(JSON.stringify([segments, facts])).not.toContain('root:x:0');
      }
      // A picture that is there, once by its path and once by a path where nothing is: the same page.
      const present = await bench.render('a.docx', outsideDocument('file:///in/source'));
      const absent = await bench.render('a.docx', outsideDocument('file:///in/nothing'));
      expect(await pixels(present)).toEqual(await pixels(absent));
    },
    TIMEOUT_MS,
  );

  async function pixels(rendered: Rendered): Promise<string> {
    return (await rendered.page(1)).toString('base64');
  }
});

describe('workbooks that calculate without end', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  const storm = (formula: (row: number) => string, rows: number): string =>
    Array.from(
      { length: rows },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><f>${formula(at + 1)}</f></c></row>`,
    ).join('');
  const storms: Readonly<Record<string, string>> = {
    'a circle of cells': storm((row) => `A${(row % 2_000) + 1}+1`, 2_000),
    'offsets over whole sheets': storm(() => 'SUM(OFFSET($B$1,0,0,1048576,1000))', 500),
    'products of arrays': storm(() => 'SUMPRODUCT((ROW($1:$1048576)&lt;COLUMN(B:XFD))*1)', 500),
  };

  test.each(Object.entries(storms))(
    '%s: the limit ends them, what was read before stays, and no container is left',
    async (_name, rows) => {
      const file = zipOf(workbook(rows));
      const { artifact, workbook: facts } = await bench.render('storm.xlsx', file, {
        innerTimeoutMs: 8_000,
      });
      expect(['rendered', 'truncated']).toContain(artifact.status);
      expect(facts?.sheets[0]?.formulaCount).toBeGreaterThan(400);
      expect(await bench.containers()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
