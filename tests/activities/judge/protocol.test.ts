import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeProtocolDigest } from '../../../activities/judge/protocol';
import { loadBoundaryKey } from '../../../activities/judge/prompt/boundary-key';
import { protocolText } from '../../../activities/judge/prompt/protocol-text';
import { tryJudge } from '../../../activities/judge/try-judge';
import { FileStore } from '../../../activities/store/file-store';
import { type RubricItem } from '../../../core/rubric';
import { DEFAULT_JUDGE_LIMITS } from '../../../core/sweep';
import { fakeEvidence } from './fake-evidence';
import {
  BOUNDARY_KEY,
  fakeInspector,
  judgeConfiguration,
  scriptedClient,
  submit,
} from './scripted-judge';

describe('the judge protocol', () => {
  const parts = { rendererRecipe: 'r', inspectorRecipe: 'i', limits: DEFAULT_JUDGE_LIMITS };
  const digest = judgeProtocolDigest(parts);

  it('has a digest that is the same for the same parts', () => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/u);
    expect(judgeProtocolDigest({ ...parts })).toBe(digest);
  });

  it.each([
    ['the renderer', { ...parts, rendererRecipe: 'r2' }],
    ['the inspector', { ...parts, inspectorRecipe: 'i2' }],
    ['a limit', { ...parts, limits: { ...DEFAULT_JUDGE_LIMITS, maxImages: 11 } }],
    ['the sessions', { ...parts, limits: { ...DEFAULT_JUDGE_LIMITS, maxSessions: 2 } }],
  ])('has another digest with another value of %s', (_name, changed) => {
    expect(judgeProtocolDigest(changed)).not.toBe(digest);
  });

  it('says the limits that hold', () => {
    expect(protocolText(DEFAULT_JUDGE_LIMITS)).toContain('at most 25 turns and 10 page images');
  });
});

describe('the boundary key', () => {
  it('is made once, whoever asks first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'boundary-'));
    try {
      const keys = await Promise.all(
        Array.from({ length: 8 }, () => loadBoundaryKey(new FileStore(folder))),
      );
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/u);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('judge try', () => {
  const items = ['a', 'b', 'c', 'd'].map((id): RubricItem => ({
    id,
    text: `The report has ${id}.`,
    weight: 1,
    dimension: 'domain-compliance',
    ...(id === 'b' ? { check: { kind: 'file-exists', file: 'report.md' } } : {}),
  }));
  const run = (lines: readonly string[] | undefined) => {
    const client = scriptedClient(() =>
      submit({
        justification: 'x',
        pass: true,
        citations: [{ locator: 'results/report.md#lines=1-1', quote: 'Report' }],
        searched: [],
      }),
    );
    const seen: string[] = [];
    const tried = tryJudge(
      {
        models: client,
        inspector: fakeInspector(),
        runCheck: async () => ({ outcome: 'unmet', explanation: 'not there', citations: [] }),
      },
      {
        judge: judgeConfiguration(),
        items,
        taskText: 'Write.',
        evidence: fakeEvidence(lines ? [{ artifact: 'results/report.md', lines }] : []),
        boundaryKey: BOUNDARY_KEY,
        context: { taskId: 't', repetition: 1 },
        signal: new AbortController().signal,
      },
      ({ item }) => seen.push(item.id),
    );
    return { tried, client, seen };
  };

  it('runs checks and judges, and answers in the order of the items', async () => {
    const { tried, client, seen } = run(['Report']);
    const results = await tried;
    expect(
      results.map(({ item, result }) => [
        item.id,
        result.outcome === 'verdict' && result.verdict.source,
        result.outcome === 'verdict' && result.verdict.met,
      ]),
    ).toEqual([
      ['a', 'judge', true],
      ['b', 'check', false],
      ['c', 'judge', true],
      ['d', 'judge', true],
    ]);
    expect([...seen].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(client.calls.map(({ context }) => context.subject)).toEqual(Array(3).fill('reference'));
  });

  it('asks nobody when nothing was delivered', async () => {
    const { tried, client } = run(undefined);
    expect((await tried).map(({ result }) => result)).toEqual(
      items.map(() => expect.objectContaining({ outcome: 'verdict' }) as unknown),
    );
    expect(client.calls).toHaveLength(0);
  });
});
