import { type IncomingHttpHeaders } from 'node:http';
import { objectsOf, textOf, type Json } from '../../core/anthropic/json';

/** How a harness's requests for a subagent differ from those of its main loop. */
interface SubagentMarks {
  /** A header that only they have. */
  readonly header?: string;
  /** How their system prompt begins, where an agent could write into its own but not at its start. */
  readonly begins?: string;
  /** What their system prompt says. */
  readonly says?: string;
}

const NANOBOT: SubagentMarks = {
  // Files of the workspace become part of the main loop's prompt, behind its own beginning.
  begins: '# Subagent',
  says: 'You are a subagent spawned by the main agent to complete a specific task.',
};

/**
 * By harness, read off the pinned programs. None of them is offered the tool that makes subagents: these are for the
 * day on which one is. A harness that is not named here has none, or they are counted like its main loop.
 */
export const SUBAGENT_MARKS: Readonly<Record<string, SubagentMarks>> = {
  'claude-code': { header: 'x-claude-code-agent-id' },
  hermes: { says: 'You are a focused subagent working on a specific delegated task.' },
  nanobot: NANOBOT,
  'nanobot-paper': NANOBOT,
};

/** Whether a request (in the form of Chat Completions) is one of a subagent of this harness. */
export function isSubagentRequest(
  harness: string,
  headers: IncomingHttpHeaders,
  body: Json,
): boolean {
  const marks = Object.hasOwn(SUBAGENT_MARKS, harness) ? SUBAGENT_MARKS[harness] : undefined;
  if (marks === undefined) return false;
  const { header, begins, says } = marks;
  if (header !== undefined) return headers[header] !== undefined;
  const [first] = objectsOf(body['messages']);
  if (first?.['role'] !== 'system' || says === undefined) return false;
  const prompt = textOf(first['content']).trimStart();
  return prompt.startsWith(begins ?? '') && prompt.includes(says);
}
