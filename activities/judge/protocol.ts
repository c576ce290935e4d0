import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/ids';
import { type JudgeLimits } from '../../core/sweep';
import { GROUNDING_VERSION } from './grounding/ground-submission';
import { FIRST_EVIDENCE_TOKENS } from './prompt/prefix';
import { itemMessage, LAST_TURN, NO_TOOL_CALL, protocolText } from './prompt/protocol-text';
import { toolDefinitions } from './tools';
import { MAX_ANSWER_CHARACTERS } from './tools/lookup';

/** Raised when the layout of prompts or answers changes in a way that none of the parts below shows. */
const LAYOUT_VERSION = 1;

/**
 * sha256 over everything that decides what a judge sees and what is accepted from it: prompts, tool schemas,
 * limits, recipes of renderer and inspector. Part of every verdict key.
 */
export function judgeProtocolDigest(parts: {
  readonly rendererRecipe: string;
  readonly inspectorRecipe: string;
  readonly limits: JudgeLimits;
}): string {
  const content = canonicalJson({
    v: 1,
    layout: LAYOUT_VERSION,
    grounding: GROUNDING_VERSION,
    prompts: [protocolText(parts.limits), itemMessage(''), NO_TOOL_CALL, LAST_TURN],
    tools: toolDefinitions(),
    firstEvidenceTokens: FIRST_EVIDENCE_TOKENS,
    maxAnswerCharacters: MAX_ANSWER_CHARACTERS,
    limits: parts.limits,
    rendererRecipe: parts.rendererRecipe,
    inspectorRecipe: parts.inspectorRecipe,
  });
  return createHash('sha256').update(content).digest('hex');
}
