import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  canonicalJson,
  isIdPart,
  judgeDigest,
  runKey,
  runKeyParts,
  verdictKey,
} from '../../core/ids';
import { samplePlan } from '../support/sample-plan';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function setAt(target: unknown, [name, ...rest]: readonly string[], value: unknown): void {
  const holder = target as Record<string, unknown>;
  if (rest.length > 0) setAt(holder[name!], rest, value);
  else holder[name!] = value;
}

describe('canonicalJson', () => {
  it('sorts keys, leaves out undefined members and writes no white space', () => {
    expect(canonicalJson({ b: 1, a: [1, { d: undefined, c: 'é' }], e: null })).toBe(
      '{"a":[1,{"c":"é"}],"b":1,"e":null}',
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %p', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  });

  it('is the same for equal values, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      }),
    );
  });

  it('reads back as what was written, and differs for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const text = canonicalJson(left);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        if (canonicalJson(right) === text) expect(right).toEqual(left);
      }),
    );
  });
});

describe('isIdPart', () => {
  it.each(['a', 'gpt-5.5', 'replay_x', '0', 'x'.repeat(60)])('accepts %s', (text) => {
    expect(isIdPart(text)).toBe(true);
  });
  it.each(['', '.', '..', 'A', 'a b', 'a/b', 'x'.repeat(61), 'é', 'a\n'])('refuses %j', (text) => {
    expect(isIdPart(text)).toBe(false);
  });
});

describe('runKey', () => {
  const plan = samplePlan();
  const [lane] = plan.lanes;
  const [task] = plan.tasks;
  const keyOf = (path: string, value: unknown): string => {
    const changed = structuredClone(plan);
    setAt(changed, path.split('.'), value);
    return runKey(changed, changed.lanes[0]!, changed.tasks[0]!, 1, sha256);
  };
  const key = runKey(plan, lane!, task!, 1, sha256);

  it.each<[string, string, unknown]>([
    ['the account', 'lanes.0.model.account', 'another'],
    ['the id under which the model is shown', 'lanes.0.model.id', 'another'],
    ['the window', 'window', 99],
    ['the budget', 'budget', { maxCostMicroUsd: 1 }],
    ['the rubric', 'tasks.0.rubric.sha256', 'f'.repeat(64)],
    ['the title', 'tasks.0.title', 'Another'],
    ['the judge', 'judge.model.name', 'another'],
    ['the timings', 'timings.leaseMs', 1],
    ['the prices', 'prices', {}],
  ])('does not change with %s', (_title, path, value) => {
    expect(keyOf(path, value)).toBe(key);
  });

  it.each<[string, string, unknown]>([
    ['the cohort', 'cohort', 'another'],
    ['the task content', 'tasks.0.digest', 'f'.repeat(64)],
    ["the provider's kind", 'lanes.0.model.provider', 'openai'],
    ['the model', 'lanes.0.model.name', 'another'],
    ['a parameter', 'lanes.0.model.parameters', { temperature: 0 }],
    ['the revision', 'lanes.0.model.revision', '2026-01-01'],
    ['the seed of a simulation', 'lanes.0.model.simulation.seed', 2],
    ['the harness version', 'lanes.0.harness.version', '2'],
    ['the prompt', 'lanes.0.harness.promptDigest', 'f'.repeat(64)],
    ['the image recipe', 'lanes.0.harness.image', { name: 'x', recipe: 'y' }],
    ['the gateway protocol', 'gatewayProtocolDigest', 'f'.repeat(64)],
    ['a limit', 'limits.maxSteps', 7],
  ])('changes with %s', (_title, path, value) => {
    expect(keyOf(path, value)).not.toBe(key);
  });

  it('changes with the reference for the oracle, which delivers it, and for nobody else', () => {
    const withReference = (harness: string, content: string): string => {
      const changed = structuredClone(plan);
      setAt(changed, ['lanes', '0', 'harness', 'name'], harness);
      const file = { path: 'report.md', sha256: content.repeat(64), bytes: 1 };
      setAt(changed, ['tasks', '0', 'reference'], [file]);
      return runKey(changed, changed.lanes[0]!, changed.tasks[0]!, 1, sha256);
    };
    expect(withReference('oracle', 'a')).not.toBe(withReference('oracle', 'b'));
    expect(withReference('minimal', 'a')).toBe(withReference('minimal', 'b'));
  });

  it('changes with the repetition', () => {
    expect(runKey(plan, lane!, task!, 2, sha256)).not.toBe(key);
  });

  it('is the same for a plan that was stored and read back', () => {
    const stored = JSON.parse(canonicalJson(plan)) as typeof plan;
    expect(runKey(stored, stored.lanes[0]!, stored.tasks[0]!, 1, sha256)).toBe(key);
    expect(runKeyParts(stored, stored.lanes[0]!, stored.tasks[0]!, 1).v).toBe(1);
  });
});

describe('verdictKey', () => {
  const { judge } = samplePlan();
  const subject = { runKey: 'k', generation: 1, deliverablesDigest: 'd' };
  const item = { id: 'a', text: 'The total is right.' };
  const key = verdictKey(subject, item, judge, 1, sha256);

  it('changes with everything that a judge can see', () => {
    const check = { kind: 'no-error-cells' as const, file: 'a.xlsx' };
    const keys = [
      key,
      verdictKey({ ...subject, generation: 2 }, item, judge, 1, sha256),
      verdictKey({ ...subject, deliverablesDigest: 'e' }, item, judge, 1, sha256),
      verdictKey(subject, { ...item, text: 'The total is wrong.' }, judge, 1, sha256),
      verdictKey(subject, { ...item, check }, judge, 1, sha256),
      verdictKey(subject, item, { ...judge, protocolDigest: 'x' }, 1, sha256),
      verdictKey(subject, item, { ...judge, model: { ...judge.model, name: 'x' } }, 1, sha256),
      verdictKey(subject, item, judge, 2, sha256),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not change with the account of the judge, nor with a check when checks are off', () => {
    const elsewhere = { ...judge, model: { ...judge.model, account: 'x', id: 'y' } };
    expect(verdictKey(subject, item, elsewhere, 1, sha256)).toBe(key);
    expect(judgeDigest(elsewhere, sha256)).toBe(judgeDigest(judge, sha256));
    const off = { ...judge, checks: false };
    const checked = { ...item, check: { kind: 'no-error-cells' as const, file: 'a.xlsx' } };
    expect(verdictKey(subject, checked, off, 1, sha256)).toBe(
      verdictKey(subject, item, off, 1, sha256),
    );
  });
});
