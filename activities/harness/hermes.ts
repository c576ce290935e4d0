import { type HarnessIdentity } from '../../core/sweep';
import { RESULT_FILE } from './harness-result';
import { SANDBOX_PATHS, type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';
import { OUR_STOP_REASONS, runnerHarness } from './runner-harness';

/** Outside of the workspace; Hermes keeps its logs and caches here. */
const HERMES_HOME = '.startupbench/hermes';
const RUNNER_CONFIG_FILE = '.startupbench/hermes-runner.json';
const TOKEN_FILE = '.startupbench/token';
const TRANSCRIPT_FILE = `${HERMES_HOME}/messages.jsonl`;
/** How long a reply may take is the gateway's to decide; a harness that gives up would only ask again. */
const LONGEST_REPLY_SECONDS = 86_400;

/** Everything about Hermes that decides how it behaves; part of the run key. */
export const HERMES_CONFIGURATION = {
  /** No web, subagents, memory, skills, messages or schedules; `code_execution` would not count all of its turns. */
  toolsets: ['terminal', 'file', 'todo', 'vision'],
  terminalTimeoutSeconds: 120,
  /** `vision` then puts an image before the model itself; else another request would describe it in words. */
  supportsVision: true,
} as const;

/** Hermes 0.19.0 through the runner in its image, which uses the library: the command line does not tell its ends apart. */
export function hermesHarness(identity: HarnessIdentity): HarnessAdapter {
  return runnerHarness(identity, hermesPlan, OUR_STOP_REASONS);
}

function hermesPlan({ harness, limits, prompt, modelAlias, token }: HarnessInput): HarnessPlan {
  const home = SANDBOX_PATHS.home;
  const runner = {
    url: SANDBOX_PATHS.gatewayUrl,
    tokenFile: `${home}/${TOKEN_FILE}`,
    model: modelAlias,
    toolsets: HERMES_CONFIGURATION.toolsets,
    maxSteps: limits.maxSteps,
    maxOutputTokens: limits.maxOutputTokensPerReply,
    resultFile: `${home}/${RESULT_FILE}`,
    transcriptFile: `${home}/${TRANSCRIPT_FILE}`,
  };
  return {
    image: harness.image?.name ?? 'hermes',
    command: [
      ...['/opt/harness/bin/python', '/opt/startupbench/hermes_runner.py'],
      `${home}/${RUNNER_CONFIG_FILE}`,
    ],
    environment: {
      HERMES_HOME: `${home}/${HERMES_HOME}`,
      // Nobody is there to approve a command; the container is the boundary.
      HERMES_YOLO_MODE: '1',
      HERMES_DISABLE_LAZY_INSTALLS: '1',
      HERMES_API_TIMEOUT: String(LONGEST_REPLY_SECONDS),
      HERMES_STREAM_READ_TIMEOUT: String(LONGEST_REPLY_SECONDS),
      HERMES_STREAM_STALE_TIMEOUT: String(LONGEST_REPLY_SECONDS),
      HERMES_STREAM_RETRIES: '0',
      TERMINAL_ENV: 'local',
      TERMINAL_CWD: SANDBOX_PATHS.workspace,
      TERMINAL_TIMEOUT: String(HERMES_CONFIGURATION.terminalTimeoutSeconds),
    },
    homeFiles: {
      [RUNNER_CONFIG_FILE]: JSON.stringify(runner, null, 2),
      [TOKEN_FILE]: token,
      // JSON is YAML.
      [`${HERMES_HOME}/config.yaml`]: JSON.stringify(
        hermesConfiguration(limits, modelAlias, token),
        null,
        2,
      ),
    },
    standardInput: prompt,
  };
}

/** What Hermes reads itself: the model for its auxiliary requests (summaries of long contexts), and what is off. */
function hermesConfiguration(
  limits: HarnessInput['limits'],
  modelAlias: string,
  token: string,
): Readonly<Record<string, unknown>> {
  return {
    model: {
      default: modelAlias,
      provider: 'custom:gateway',
      context_length: limits.contextWindowTokens,
      max_tokens: limits.maxOutputTokensPerReply,
      supports_vision: HERMES_CONFIGURATION.supportsVision,
    },
    custom_providers: [
      {
        name: 'gateway',
        base_url: SANDBOX_PATHS.gatewayUrl,
        api_key: token,
        api_mode: 'chat_completions',
      },
    ],
    // One attempt: retries are the gateway's.
    agent: { max_turns: limits.maxSteps, api_max_retries: 1 },
    terminal: {
      backend: 'local',
      cwd: SANDBOX_PATHS.workspace,
      timeout: HERMES_CONFIGURATION.terminalTimeoutSeconds,
    },
    memory: { memory_enabled: false, user_profile_enabled: false },
    skills: { creation_nudge_interval: 0 },
    security: { allow_lazy_installs: false, tirith_enabled: false },
    model_catalog: { enabled: false },
    checkpoints: { enabled: false },
  };
}
