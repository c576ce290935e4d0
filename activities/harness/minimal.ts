import { type HarnessIdentity } from '../../core/sweep';
import { RESULT_FILE } from './harness-result';
import { SANDBOX_PATHS, type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';
import { OUR_STOP_REASONS, runnerHarness } from './runner-harness';

const CONFIG_FILE = '.startupbench/minimal.json';
const TOKEN_FILE = '.startupbench/token';

/** Our own smallest agent loop: bash and two file tools. For smoke and scale tests. */
export function minimalHarness(identity: HarnessIdentity): HarnessAdapter {
  return runnerHarness(identity, minimalPlan, OUR_STOP_REASONS);
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
