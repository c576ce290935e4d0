import { type HarnessIdentity } from '../../core/sweep';
import { RESULT_FILE } from './harness-result';
import { SANDBOX_PATHS, type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';
import { NANOBOT_STOP_REASONS, runnerHarness } from './runner-harness';

/** Its sessions are put beside its configuration by the runner; the release itself would use the workspace. */
const CONFIG_FILE = '.startupbench/nanobot/config.json';

/**
 * Everything about the paper's nanobot that decides how it behaves; part of the run key. Values that are its own
 * defaults are stated because later releases have others.
 */
export const NANOBOT_PAPER_CONFIGURATION = {
  temperature: 0.1,
  maxToolResultChars: 16_000,
  execTimeoutSeconds: 60,
  /** Skills of tools that are not offered. */
  disabledSkills: ['cron', 'my'],
  /** The runner's own allow list. */
  tools: [
    'edit_file',
    'exec',
    'glob',
    'grep',
    'list_dir',
    'notebook_edit',
    'read_file',
    'write_file',
  ],
} as const;

/**
 * nanobot 0.1.5.post2, the release of the paper's traces, through the runner in its image. It ends at the step cap
 * without a closing request.
 */
export function nanobotPaperHarness(identity: HarnessIdentity): HarnessAdapter {
  return runnerHarness(identity, nanobotPaperPlan, NANOBOT_STOP_REASONS);
}

function nanobotPaperPlan(input: HarnessInput): HarnessPlan {
  const { harness, limits, prompt, modelAlias, token } = input;
  const config = {
    agents: {
      defaults: {
        provider: 'custom',
        model: modelAlias,
        maxTokens: limits.maxOutputTokensPerReply,
        contextWindowTokens: limits.contextWindowTokens,
        maxToolIterations: limits.maxSteps,
        maxToolResultChars: NANOBOT_PAPER_CONFIGURATION.maxToolResultChars,
        temperature: NANOBOT_PAPER_CONFIGURATION.temperature,
        disabledSkills: NANOBOT_PAPER_CONFIGURATION.disabledSkills,
      },
    },
    providers: { custom: { apiBase: SANDBOX_PATHS.gatewayUrl, apiKey: token } },
    tools: {
      web: { enable: false },
      my: { enable: false },
      exec: { enable: true, timeout: NANOBOT_PAPER_CONFIGURATION.execTimeoutSeconds },
      restrictToWorkspace: false,
    },
  };
  const home = SANDBOX_PATHS.home;
  return {
    image: harness.image?.name ?? 'nanobot-paper',
    command: [
      ...['/opt/harness/bin/python', '/opt/startupbench/paper_runner.py'],
      ...[`${home}/${CONFIG_FILE}`, SANDBOX_PATHS.workspace, `${home}/${RESULT_FILE}`],
    ],
    // How long a reply may take is the gateway's to decide.
    environment: { NANOBOT_STREAM_IDLE_TIMEOUT_S: '3600' },
    homeFiles: { [CONFIG_FILE]: JSON.stringify(config, null, 2) },
    standardInput: prompt,
  };
}
