import { type HarnessIdentity } from '../../core/sweep';
import { RESULT_FILE } from './harness-result';
import { SANDBOX_PATHS, type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';
import { NANOBOT_STOP_REASONS, runnerHarness } from './runner-harness';

/** Outside of the workspace, or nanobot refuses to start; its sessions lie beside its configuration. */
const CONFIG_FILE = '.startupbench/nanobot/config.json';

/** Everything about nanobot that decides how it behaves; part of the run key. */
export const NANOBOT_CONFIGURATION = {
  temperature: 0.1,
  maxToolResultChars: 16_000,
  execTimeoutSeconds: 120,
  disabledSkills: [
    'clawhub',
    'cron',
    'github',
    'image-generation',
    'memory',
    'my',
    'skill-creator',
    'summarize',
    'tmux',
    'update-setup',
    'weather',
  ],
  /** The runner's own allow list. */
  tools: [
    'apply_patch',
    'edit_file',
    'exec',
    'exec_session',
    'find_files',
    'grep',
    'list_dir',
    'list_exec_sessions',
    'read_file',
    'write_file',
  ],
} as const;

/** nanobot 0.3.5 through the runner in its image, which uses the SDK: the command line does not tell its ends apart. */
export function nanobotHarness(identity: HarnessIdentity): HarnessAdapter {
  return runnerHarness(identity, nanobotPlan, NANOBOT_STOP_REASONS);
}

function nanobotPlan({ harness, limits, prompt, modelAlias, token }: HarnessInput): HarnessPlan {
  const config = {
    agents: {
      defaults: {
        provider: 'custom',
        model: modelAlias,
        maxTokens: limits.maxOutputTokensPerReply,
        contextWindowTokens: limits.contextWindowTokens,
        maxToolIterations: limits.maxSteps,
        maxToolResultChars: NANOBOT_CONFIGURATION.maxToolResultChars,
        temperature: NANOBOT_CONFIGURATION.temperature,
        disabledSkills: NANOBOT_CONFIGURATION.disabledSkills,
        dream: { enabled: false },
      },
    },
    providers: { custom: { apiBase: SANDBOX_PATHS.gatewayUrl, apiKey: token } },
    tools: {
      web: { enable: false },
      my: { enable: false },
      cliApps: { enable: false },
      imageGeneration: { enabled: false },
      exec: {
        enable: true,
        timeout: NANOBOT_CONFIGURATION.execTimeoutSeconds,
        allowedEnvKeys: ['PATH', 'SHELL'],
      },
      restrictToWorkspace: false,
    },
  };
  const home = SANDBOX_PATHS.home;
  return {
    image: harness.image?.name ?? 'nanobot',
    command: [
      ...['/opt/harness/bin/python', '/opt/startupbench/runner.py'],
      ...[`${home}/${CONFIG_FILE}`, SANDBOX_PATHS.workspace, `${home}/${RESULT_FILE}`],
    ],
    environment: {
      // The gateway decides how long a reply may take; a harness that gives up would only ask again.
      NANOBOT_LLM_TIMEOUT_S: '0',
      NANOBOT_OPENAI_COMPAT_TIMEOUT_S: '86400',
      NANOBOT_STREAM_IDLE_TIMEOUT_S: '3600',
      NANOBOT_TUI_NO_DOWNLOAD: '1',
    },
    homeFiles: { [CONFIG_FILE]: JSON.stringify(config, null, 2) },
    standardInput: prompt,
  };
}
