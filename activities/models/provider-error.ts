import { type FailureType } from '../../core/failure';

/** What is known about a try that got no completed reply. */
export interface TryFault {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly message: string;
  readonly retryAfterMs: number | undefined;
}

/** `retry` = transport fault: the same call may be made again. Others end the call with a failure of that type. */
export type FaultDecision =
  | { readonly kind: 'retry'; readonly overloaded: boolean }
  | { readonly kind: 'fail'; readonly type: FailureType };

const QUOTA_CODES = new Set([
  'insufficient_quota',
  'exceeded_current_quota_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'quota_exceeded',
  'access_terminated',
  'arrearage',
  '1113',
  '1304',
]);
const MODEL_CODES = new Set([
  'model_not_found',
  'model_not_available',
  'model_not_supported',
  'invalid_model',
  'resource_not_found_error',
  'invalidendpointormodel.notfound',
  '1211',
]);
const AUTH_CODES = new Set(['invalid_api_key', 'invalid_authentication_error', 'invalidapikey']);
const CONTENT_CODES = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
  'bio_policy',
  'image_content_policy_violation',
  'data_inspection_failed',
  'datainspectionfailed',
  'sensitive_content',
  '1301',
]);
/** A quota that a wait of minutes does not lift. Only short, provider-made messages are read. */
const QUOTA_TEXT =
  /insufficient (?:balance|quota|credit|funds)|out of credits|per[ _-]?day\b|\bdaily\b.{0,40}(?:limit|quota)|(?:limit|quota).{0,40}\bdaily\b|billing|exceeded your current quota(?!.*per minute)/iu;
/** Anthropic says so with status 400. */
const CREDIT_TEXT = /^your credit balance is too low/iu;
const MODEL_TEXT =
  /^(?:the )?model\b.{0,80}(?:not exist|not found|not supported|unknown)|^model not exist/iu;
/** The model does not take tools over the protocol of this account: the operator's to change, no agent's fault. */
const PROTOCOL_TEXT = /use \/v1\/responses/iu;
/** What relays and providers of models without eyes say of a request with an image in it. */
const IMAGE_TEXT = /\bsupport\w* .{0,40}\bimages?\b|\bimages?\b.{0,60}\bnot supported/iu;
const CONTENT_TEXT = /content (?:filter|policy|management)|flagged|moderation/iu;

/** True for a refusal of the content by the provider: the agent's result, not trouble of ours. */
export function isContentRefusal(fault: Pick<TryFault, 'status' | 'code' | 'message'>): boolean {
  if (CONTENT_CODES.has(fault.code?.toLowerCase() ?? '')) return true;
  return (
    (fault.status === 400 || fault.status === 403) && CONTENT_TEXT.test(fault.message.slice(0, 300))
  );
}

/** Of images some say 404, or begin with the model's name: at fault is the agent's request, not the lane's model. */
function refusesRequest(fault: TryFault): boolean {
  if (isContentRefusal(fault)) return true;
  const { status, message } = fault;
  return (status === 400 || status === 404) && IMAGE_TEXT.test(message.slice(0, 200));
}

/** What only an edit of providers.yaml can mend. */
function isOperators({ status, message }: TryFault, code: string): boolean {
  if (code === 'private_address' || code === 'redirect') return true;
  return status === 400 && PROTOCOL_TEXT.test(message.slice(0, 500));
}

/** Decides once, where the status is known, what a fault means. */
export function classifyFault(fault: TryFault): FaultDecision {
  const code = fault.code?.toLowerCase() ?? '';
  const { status } = fault;
  if (isOperators(fault, code)) return fail('ConfigMissing');
  if (refusesRequest(fault)) return fail('InvalidInput');
  if (status === 402 || QUOTA_CODES.has(code) || CREDIT_TEXT.test(fault.message))
    return fail('ProviderQuota');
  if (code === 'too_large') return fail('ProviderUnavailable');
  if (status === 401 || AUTH_CODES.has(code)) return fail('ProviderAuth');
  if (status === 404 || MODEL_CODES.has(code)) return fail('ModelUnknown');
  if (status === 403) return fail('ProviderAuth');
  if (status === 429) return classifyRateLimit(fault);
  return classifyOther(fault);
}

function classifyRateLimit(fault: TryFault): FaultDecision {
  if (QUOTA_TEXT.test(fault.message.slice(0, 500))) return fail('ProviderQuota');
  return { kind: 'retry', overloaded: true };
}

function classifyOther(fault: TryFault): FaultDecision {
  const { status } = fault;
  // No status: the connection failed, broke off, stalled, or what came was no completion.
  if (status === undefined || status >= 500 || status < 400)
    return { kind: 'retry', overloaded: status === 503 || status === 529 };
  if (status === 408 || status === 409 || status === 425)
    return { kind: 'retry', overloaded: false };
  if (status === 400 && MODEL_TEXT.test(fault.message.slice(0, 200))) return fail('ModelUnknown');
  return fail('InvalidInput');
}

function fail(type: FailureType): FaultDecision {
  return { kind: 'fail', type };
}
