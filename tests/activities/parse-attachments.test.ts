import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInProcessRenderer } from '../../activities/evidence/in-process-renderer';
import { type Renderer } from '../../activities/evidence/port';
import { AGENT_PROMPT, agentPrompt } from '../../activities/harness/prompt';
import { parseAttachments, parserDigest, readParsed } from '../../activities/parse-attachments';
import { FileStore } from '../../activities/store/file-store';
import { runKey, runKeyParts } from '../../core/ids';
import { samplePlan, sampleTask } from '../support/sample-plan';

const FIXTURES = resolve(__dirname, '../fixtures/evidence');
const PARSER = 'a'.repeat(64);

let folder: string;
let store: FileStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parse-attachments-'));
  store = new FileStore(join(folder, 'store'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function taskWith(...names: readonly string[]) {
  const files = await Promise.all(
    names.map(async (name) => ({
      path: `data/${name}`,
      ...(await store.putBlobFile('open', join(FIXTURES, name))),
    })),
  );
  return { ...sampleTask('one', 'stem', '2'), files };
}

function countingRenderer(): { readonly renderer: Renderer; count(): number } {
  const inner = createInProcessRenderer();
  let calls = 0;
  const render: Renderer['render'] = (job) => {
    calls += 1;
    return inner.render(job);
  };
  return { renderer: { ...inner, render }, count: () => calls };
}

const deps = (renderer: Renderer) => ({ store, renderer, scratchDir: join(folder, 'scratch') });

async function textOf(sha256: string): Promise<string> {
  return Buffer.from(await store.getBlob('open', sha256)).toString('utf8');
}

describe('parseAttachments', () => {
  it('writes the text of office files into the open store, and of nothing else', async () => {
    const task = await taskWith('memo.docx', 'stock.xlsx', 'report.md', 'gbk.csv', 'scan.png');
    const { files } = await parseAttachments(deps(createInProcessRenderer()), task, PARSER);
    expect(files.map(({ path }) => path)).toEqual([
      '_parsed/data/memo.docx.txt',
      '_parsed/data/stock.xlsx.txt',
    ]);
    const [memo = '', stock = ''] = await Promise.all(files.map(({ sha256 }) => textOf(sha256)));
    expect(memo).toContain('=== text ===');
    // Table rows stand on one line each.
    expect(memo).toMatch(/^[^\n|]+ \| [^\n]+$/mu);
    expect(stock).toMatch(/^=== sheet [^\n]+ ===$/mu);
    for (const { sha256, bytes } of files)
      expect(Buffer.byteLength(await textOf(sha256))).toBe(bytes);
  });

  it('says why a file has no text', async () => {
    const task = await taskWith('encrypted.pdf', 'bomb.xlsx');
    const { files } = await parseAttachments(deps(createInProcessRenderer()), task, PARSER);
    expect(files).toHaveLength(2);
    for (const { sha256 } of files) expect(await textOf(sha256)).toMatch(/^\[not parsed: .+\]\n$/u);
  });

  it('is done once per task content and parser, whoever comes second', async () => {
    const task = await taskWith('memo.docx');
    const { renderer, count } = countingRenderer();
    const [first, second] = await Promise.all([
      parseAttachments(deps(renderer), task, PARSER),
      parseAttachments(deps(renderer), task, PARSER),
    ]);
    expect(second).toEqual(first);
    const before = count();
    expect(await parseAttachments(deps(renderer), task, PARSER)).toEqual(first);
    expect(count()).toBe(before);
    expect(await readParsed(store, task, PARSER)).toEqual(first);
    expect(await readParsed(store, task, 'b'.repeat(64))).toBeUndefined();
  });
});

describe('the setting', () => {
  it('is part of the run key, with the version of the parser, and leaves keys without it as they were', () => {
    const plan = samplePlan();
    const [lane] = plan.lanes;
    const [task] = plan.tasks;
    const key = (parser?: string) =>
      runKey({ ...plan, ...(parser !== undefined && { parser }) }, lane!, task!, 1, (text) => text);
    expect(runKeyParts(plan, lane!, task!, 1).tools).toEqual({ web: [], parsed: false });
    expect(new Set([key(), key(parserDigest('x')), key(parserDigest('y'))]).size).toBe(3);
  });

  it('stands in the prompt beside the hosts that a task grants, once each', () => {
    const prompt = agentPrompt({ parsed: true, web: ['data.example.org', '*.example.net'] });
    expect(prompt).toContain('_parsed/ has the text');
    expect(prompt).toContain('HOST/PATH): data.example.org, *.example.net.');
    expect(prompt).not.toContain('There is no network.');
  });

  it('is told to the agent, and to no other', () => {
    expect(agentPrompt({ parsed: false, web: [] })).toBe(AGENT_PROMPT);
    expect(agentPrompt({ parsed: true, web: [] })).toContain(
      '_parsed/ has the text of the office files',
    );
  });
});
