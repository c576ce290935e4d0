import { type JudgeLimits } from '../../core/sweep';
import { type EvidenceReader } from '../evidence/port';
import { EvidenceDesk } from './evidence-desk';
import { Framing } from './prompt/framing';
import { prefixMessages, type PromptMessage } from './prompt/prefix';
import { toolDefinitions } from './tools';

/** What all items of a run share: made once, used by every session. */
export interface PreparedJudging {
  readonly desk: EvidenceDesk;
  readonly framing: Framing;
  readonly taskText: string;
  readonly limits: JudgeLimits;
  readonly tools: readonly object[];
  readonly prefix: readonly PromptMessage[];
}

/**
 * Reads the evidence once and builds the common beginning of a run's judge sessions.
 *
 * @param boundary from `boundaryFor(deliverablesDigest, key)`
 */
export async function prepareJudging(
  evidence: EvidenceReader,
  taskText: string,
  boundary: string,
  limits: JudgeLimits,
): Promise<PreparedJudging> {
  const desk = new EvidenceDesk(evidence);
  const framing = new Framing(boundary);
  return {
    desk,
    framing,
    taskText,
    limits,
    tools: toolDefinitions(),
    prefix: await prefixMessages(desk, taskText, framing, limits),
  };
}
