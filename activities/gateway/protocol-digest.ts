import * as crypto from 'node:crypto';
import { canonicalJson } from '../../core/ids';
import { COMPACTION_MARKS } from './messages-request';
import {
  ALLOWED_FIELDS,
  ALLOWED_FUNCTION_FIELDS,
  ALLOWED_MESSAGE_FIELDS,
  ALLOWED_TOOL_CALL_FIELDS,
  IMAGE_TYPES,
  ROLES,
} from './request-filter';
import { SUBAGENT_MARKS } from './subagent-request';

/**
 * Version of the rules that are not lists: raise it with any change of what a step is, of what is refused and how,
 * or of how a request is rebuilt.
 */
const RULES_VERSION = 3;

/** sha256 over everything in the gateway that can change what an agent gets; part of every run key. */
export function gatewayProtocolDigest(): string {
  const protocol = {
    v: 1,
    rules: RULES_VERSION,
    protocols: ['openai-chat-completions', 'anthropic-messages'],
    step: 'reply to a request with tools and tool_choice other than none, subagents apart',
    subagents: SUBAGENT_MARKS,
    summaries: COMPACTION_MARKS,
    finalisations: 1,
    refusal: { status: 402, type: 'insufficient_quota' },
    fields: ALLOWED_FIELDS,
    messageFields: ALLOWED_MESSAGE_FIELDS,
    toolCallFields: ALLOWED_TOOL_CALL_FIELDS,
    functionFields: ALLOWED_FUNCTION_FIELDS,
    roles: ROLES,
    images: IMAGE_TYPES,
  };
  return crypto.createHash('sha256').update(canonicalJson(protocol)).digest('hex');
}
