import { HARNESS_NAMES } from '../../../core/sweep';
import { DEFAULT_LIMITS } from '../../../core/limits';
import { AGENT_PROMPT } from '../../../activities/harness/prompt';
import { createHarness, harnessIdentity } from '../../../activities/harness/registry';
import { type HarnessFiles } from '../../../activities/harness/port';

const recipeOf = (image: string) => `recipe-of-${image}`;
const filesWith = (result: string): HarnessFiles => ({
  standardOutput: '',
  standardError: '',
  readHomeFile: async (path) =>
    path === '.startupbench/result.json' ? Buffer.from(result) : undefined,
});
const SANDBOXED = ['nanobot', 'nanobot-paper', 'hermes', 'claude-code', 'minimal'] as const;
const inputFor = (name: (typeof SANDBOXED)[number]) => ({
  harness: harnessIdentity(name, recipeOf),
  limits: { ...DEFAULT_LIMITS, maxSteps: 17, maxOutputTokensPerReply: 4_321 },
  prompt: AGENT_PROMPT,
  modelAlias: 'bench-model',
  token: 'secret-token',
});

describe('harnesses', () => {
  it.each(HARNESS_NAMES)('%s can be created from its own identity', (name) => {
    const identity = harnessIdentity(name, recipeOf);
    const harness = createHarness(identity);
    expect(harness.identity).toEqual(identity);
    expect(harness.needsSandbox).toBe(identity.image !== undefined);
    expect(harness.plan !== undefined).toBe(harness.needsSandbox);
    expect(harness.deliver !== undefined).toBe(!harness.needsSandbox);
  });

  it('refuses a plan of another version or prompt', () => {
    const identity = harnessIdentity('nanobot', recipeOf);
    expect(() => createHarness({ ...identity, version: '0.3.4' })).toThrow(
      'harness nanobot of this worker has version 0.3.5, the plan has 0.3.4; run the code that made the plan',
    );
    expect(() => createHarness({ ...identity, promptDigest: 'other' })).toThrow(/another prompt/u);
  });

  it.each(SANDBOXED)('%s keeps prompt and token out of its command', (name) => {
    const plan = createHarness(harnessIdentity(name, recipeOf)).plan?.(inputFor(name));
    const visible = JSON.stringify([plan?.command, plan?.environment]);
    expect(visible).not.toContain('secret-token');
    expect(visible).not.toContain('task.md');
    expect(plan?.standardInput).toBe(AGENT_PROMPT);
    const files = JSON.stringify(plan?.homeFiles);
    expect(files).toContain('secret-token');
    // Where the harness takes them from: a file or its environment.
    const told = files + JSON.stringify(plan?.environment);
    expect(told).toContain('17');
    expect(told).toContain('4321');
  });

  it.each([
    ['nanobot', 'completed', 'completed'],
    ['nanobot', 'max_iterations', 'step_cap'],
    ['nanobot-paper', 'max_iterations', 'step_cap'],
    ['nanobot', 'empty_final_response', 'empty'],
    ['nanobot-paper', 'empty_final_response', 'empty'],
    ['nanobot', 'error', 'error'],
    ['nanobot', 'crashed', 'error'],
    ['nanobot', 'something new', 'completed'],
    ['nanobot', 'constructor', 'completed'],
    ['hermes', 'step_cap', 'step_cap'],
    ['hermes', 'refused', 'refused'],
    ['hermes', 'max_iterations', 'completed'],
    ['minimal', 'empty', 'empty'],
  ] as const)('%s’s %s is %s', async (name, word, stopReason) => {
    const harness = createHarness(harnessIdentity(name, recipeOf));
    const files = filesWith(JSON.stringify({ stopReason: word, error: 'why', transcript: 'a/b' }));
    const verdict = await harness.interpret(undefined, undefined, files, undefined);
    expect(verdict).toMatchObject({ stopReason, nativeTranscript: 'a/b' });
  });

  it.each(['not json', '[]', '{"stopReason": 7}', '{"stopReason": "completed", "transcript": 9}'])(
    'a result that an agent spoiled is no word: %s',
    async (result) => {
      for (const name of SANDBOXED) {
        const harness = createHarness(harnessIdentity(name, recipeOf));
        const verdict = await harness.interpret(undefined, 'timeout', filesWith(result), undefined);
        expect(verdict.stopReason).toBe('timeout');
      }
    },
  );
});
