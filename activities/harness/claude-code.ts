import { type HarnessIdentity } from '../../core/sweep';
import { RESULT_FILE } from './harness-result';
import { SANDBOX_PATHS, type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';
import { OUR_STOP_REASONS, runnerHarness } from './runner-harness';

/** Outside of the workspace: settings, sessions, caches. */
const CLAUDE_HOME = '.startupbench/claude';
const RUNNER_CONFIG_FILE = '.startupbench/claude-runner.json';
const SETTINGS_FILE = '.startupbench/claude-settings.json';
const TOKEN_FILE = '.startupbench/token';
/** Every attempt has a HOME of its own, so its one session may always have the same id. */
const SESSION_ID = '5f3b1c9e-0000-4000-8000-000000000001';
/** How long a reply may take is the gateway's to decide; a harness that gives up would only ask again. */
const LONGEST_REPLY_MS = 86_400_000;

/** Everything about Claude Code that decides how it behaves; part of the run key. */
export const CLAUDE_CODE_CONFIGURATION = {
  /** Files and commands: no web, subagents, skills, schedules or messages. */
  tools: ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'],
  bashTimeoutMs: 120_000,
  bashMaxTimeoutMs: 600_000,
  maxRetries: 2,
  /** How hard the model thinks is the lane's to say. */
  maxThinkingTokens: 0,
} as const;

/**
 * Claude Code's native program through the runner in its image, which reads the last event of its stream. Its
 * `--max-turns` ends at exactly as many model requests; the gateway holds the cap as well.
 */
export function claudeCodeHarness(identity: HarnessIdentity): HarnessAdapter {
  return runnerHarness(identity, claudeCodePlan, OUR_STOP_REASONS);
}

function claudeCodePlan(input: HarnessInput): HarnessPlan {
  const { harness, limits, prompt, modelAlias, token } = input;
  const home = SANDBOX_PATHS.home;
  const runner = {
    command: [
      ...['/opt/harness/bin/claude', '-p', '--output-format', 'stream-json', '--verbose'],
      ...['--model', modelAlias, '--max-turns', String(limits.maxSteps)],
      // Nobody is there to approve a command; the container is the boundary.
      '--dangerously-skip-permissions',
      ...['--tools', CLAUDE_CODE_CONFIGURATION.tools.join(',')],
      ...['--strict-mcp-config', '--setting-sources', '', '--settings', `${home}/${SETTINGS_FILE}`],
      ...['--disable-slash-commands', '--session-id', SESSION_ID],
    ],
    resultFile: `${home}/${RESULT_FILE}`,
    // The folder is named after the working directory.
    transcriptFile: `${home}/${CLAUDE_HOME}/projects/-workspace/${SESSION_ID}.jsonl`,
  };
  const settings = { apiKeyHelper: `cat ${home}/${TOKEN_FILE}` };
  return {
    image: harness.image?.name ?? 'claude-code',
    command: [
      ...['/usr/bin/python3', '-I', '-S', '/opt/startupbench/claude_runner.py'],
      `${home}/${RUNNER_CONFIG_FILE}`,
    ],
    environment: environmentOf(input),
    homeFiles: {
      [RUNNER_CONFIG_FILE]: JSON.stringify(runner, null, 2),
      [SETTINGS_FILE]: JSON.stringify(settings),
      [TOKEN_FILE]: token,
    },
    standardInput: prompt,
  };
}

function environmentOf({ limits, modelAlias }: HarnessInput): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: SANDBOX_PATHS.gatewayUrl.replace(/\/v1$/u, ''),
    ANTHROPIC_DEFAULT_OPUS_MODEL: modelAlias,
    ANTHROPIC_DEFAULT_SONNET_MODEL: modelAlias,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: modelAlias,
    CLAUDE_CODE_SUBAGENT_MODEL: modelAlias,
    CLAUDE_CONFIG_DIR: `${SANDBOX_PATHS.home}/${CLAUDE_HOME}`,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.maxOutputTokensPerReply),
    // It takes a model it does not know for one with a window of a million tokens.
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(limits.contextWindowTokens),
    MAX_THINKING_TOKENS: String(CLAUDE_CODE_CONFIGURATION.maxThinkingTokens),
    BASH_DEFAULT_TIMEOUT_MS: String(CLAUDE_CODE_CONFIGURATION.bashTimeoutMs),
    BASH_MAX_TIMEOUT_MS: String(CLAUDE_CODE_CONFIGURATION.bashMaxTimeoutMs),
    // Retries are the gateway's.
    CLAUDE_CODE_MAX_RETRIES: String(CLAUDE_CODE_CONFIGURATION.maxRetries),
    API_TIMEOUT_MS: String(LONGEST_REPLY_MS),
    CLAUDE_STREAM_IDLE_TIMEOUT_MS: String(LONGEST_REPLY_MS),
    // Only the gateway can be reached; what would look elsewhere is off.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
    ENABLE_TOOL_SEARCH: '0',
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1',
  };
}
