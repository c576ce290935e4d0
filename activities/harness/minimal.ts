import { type StopReason } from '../../core/run';
import { type HarnessIdentity } from '../../core/sweep';
import { detailOf, readHarnessResult, RESULT_FILE, type HarnessResult } from './harness-result';
import { interpretEnd, type HarnessWord } from './interpret-end';
import { SANDBOX_PATHS, type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';

const CONFIG_FILE = '.startupbench/minimal.json';
const TOKEN_FILE = '.startupbench/token';
const STOP_REASONS: readonly string[] = ['completed', 'step_cap', 'error', 'refused', 'empty'];

/** Our own smallest agent loop: bash and two file tools. For smoke and scale tests. */
export function minimalHarness(identity: HarnessIdentity): HarnessAdapter {
  return {
    identity,
    needsSandbox: true,
    usesModel: true,
    plan: (input) => minimalPlan(input),
    interpret: async (exit, intent, files, gatewayLog) => {
      const result = await readHarnessResult(files);
      return interpretEnd({ exit, intent, gatewayLog, word: result && wordOf(result) });
    },
  };
}

function wordOf(result: HarnessResult): HarnessWord | undefined {
  const stopReason = STOP_REASONS.find((known) => known === result.stopReason);
  return stopReason === undefined
    ? undefined
    : { stopReason: stopReason as StopReason, ...detailOf(result) };
}

function minimalPlan({ harness, limits, prompt, modelAlias, token }: HarnessInput): HarnessPlan {
  const home = SANDBOX_PATHS.home;
  const config = {
    url: SANDBOX_PATHS.gatewayUrl,
    tokenFile: `${home}/${TOKEN_FILE}`,
    model: modelAlias,
    maxSteps: limits.maxSteps,
    maxOutputTokens: limits.maxOutputTokensPerReply,
    resultFile: `${home}/${RESULT_FILE}`,
  };
  return {
    image: harness.image?.name ?? 'agent',
    command: [
      '/usr/bin/python3',
      '-I',
      '-S',
      '/opt/startupbench/minimal.py',
      `${home}/${CONFIG_FILE}`,
    ],
    environment: {},
    homeFiles: { [CONFIG_FILE]: JSON.stringify(config, null, 2), [TOKEN_FILE]: token },
    standardInput: prompt,
  };
}
