import { isSubagentRequest } from '../../../activities/gateway/subagent-request';

const NANOBOT =
  '# Subagent\n\nNow: noon\n\nYou are a subagent spawned by the main agent to complete a specific task.\nStay';
const HERMES =
  'You are Hermes.\n\nYou are a focused subagent working on a specific delegated task.\n\nYOUR TASK:\nx';
const CLAUDE = { 'x-claude-code-agent-id': 'aff5c00e7394bc5e9' };
const saying = (content: unknown, role = 'system') => ({
  messages: [
    { role, content },
    { role: 'user', content: 'x' },
  ],
});

describe('a request of a subagent', () => {
  it.each([
    ['nanobot', {}, saying(NANOBOT)],
    ['nanobot-paper', {}, saying(NANOBOT)],
    ['hermes', {}, saying(HERMES)],
    ['claude-code', CLAUDE, saying('You are a Claude agent.')],
  ])('is known from %s', (harness, headers, body) => {
    expect(isSubagentRequest(harness, headers, body)).toBe(true);
  });

  it.each([
    ['the main loop', 'nanobot', {}, saying('# nanobot\n\nYou are nanobot.')],
    ['a workspace file that says so', 'nanobot', {}, saying(`# nanobot\n\nAGENTS.md:\n${NANOBOT}`)],
    ['a user who says so', 'hermes', {}, saying(HERMES, 'user')],
    ['another harness’s words', 'nanobot', {}, saying(HERMES)],
    ['another harness’s header', 'nanobot', CLAUDE, saying('You are nanobot.')],
    ['words where a header tells', 'claude-code', {}, saying(NANOBOT)],
    ['a harness without subagents', 'minimal', CLAUDE, saying(NANOBOT)],
    ['a name of JavaScript’s own', 'constructor', CLAUDE, saying(NANOBOT)],
    ['no messages at all', 'hermes', {}, {}],
  ])('is not %s', (_title, harness, headers, body) => {
    expect(isSubagentRequest(harness, headers, body)).toBe(false);
  });
});
