import { createHash } from 'node:crypto';

/**
 * What every agent is told. It names no file of the task: the request itself is in the workspace, so that no prompt
 * has to carry it. Its digest is part of every run's identity.
 */
export const AGENT_PROMPT = `You are doing a piece of office work on your own. The current folder, /workspace, is your workspace:

- query/task.md is the request. Read it first, to its end.
- The other files here are the material that came with the request.
- results/ is where everything you deliver must be when you finish.

How to work:
- Deliver every file that the request asks for, under exactly the name and in exactly the format it asks for.
- Put finished work only into results/: no drafts, scripts, logs or copies of the material. Use /tmp or another folder for those.
- Leave the material as it is.
- Nobody can answer questions or confirm a step. Where the request leaves something open, decide as a careful professional would, and say so in the deliverable where a reader needs to know.
- Tools such as Python with openpyxl, python-docx, python-pptx, pandas, matplotlib and reportlab, and LibreOffice, are installed. There is no network.
- Before you finish, open what you delivered and check it against the request: that it is complete, that its numbers agree with each other and with the material, that it opens and reads well.

When everything asked for is in results/, say in a few sentences what you delivered and stop.
`;

/** Folder of the workspace with the text of attachments, where a sweep asks for it. */
export const PARSED_FOLDER = '_parsed';
/** Told to agents whose sweep has the attachments parsed; part of the parser's identity. */
export const PARSED_PROMPT = `- ${PARSED_FOLDER}/ has the text of the office files and PDFs among them, each as <name>.txt. Prefer it for reading; where layout, formulas or figures matter, open the file itself.
`;

/** Where the program for fetching lies, below HOME. */
export const WEB_PROGRAM = 'web_fetch.py';
/** Told to agents whose task grants access to hosts, which are then named; part of the identity of such runs. */
export const WEB_PROMPT = `There is no network but for pages of these public hosts, fetched with \`python3 ~/${WEB_PROGRAM} HOST/PATH [FILE]\` (from programs: GET http://127.0.0.1:8080/web/https://HOST/PATH):`;

/** What an agent is told, with what its run offers beside the bare workspace. */
export function agentPrompt(offers: {
  readonly parsed: boolean;
  /** Hosts that the task grants. */
  readonly web: readonly string[];
}): string {
  const material = '- The other files here are the material that came with the request.\n';
  const withParsed = offers.parsed
    ? AGENT_PROMPT.replace(material, `${material}${PARSED_PROMPT}`)
    : AGENT_PROMPT;
  return offers.web.length === 0
    ? withParsed
    : withParsed.replace('There is no network.', `${WEB_PROMPT} ${offers.web.join(', ')}.`);
}

export const AGENT_PROMPT_DIGEST = digest(AGENT_PROMPT);
/** For harnesses that read no prompt. */
export const NO_PROMPT_DIGEST = digest('');

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
