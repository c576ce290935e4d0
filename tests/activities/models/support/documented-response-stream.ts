const REASONING = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"}';
const CALL =
  '{"type":"function_call","id":"fc_1","call_id":"call_1","name":"exec","arguments":"{\\"command\\":\\"ls\\"}","status":"completed"}';

/**
 * A stream as https://developers.openai.com/api/docs/guides/function-calling.md (streaming) shows it, with a reasoning
 * item before the call.
 */
export const DOCUMENTED_RESPONSE_STREAM = [
  'event: response.created',
  'data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"gpt-x-2026-01-01","output":[],"usage":null}}',
  '',
  'event: response.output_item.added',
  'data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}}',
  '',
  'event: response.output_item.done',
  `data: {"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":${REASONING}}`,
  '',
  'event: response.output_item.added',
  'data: {"type":"response.output_item.added","sequence_number":3,"output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"exec","arguments":"","status":"in_progress"}}',
  '',
  'event: response.function_call_arguments.delta',
  'data: {"type":"response.function_call_arguments.delta","sequence_number":4,"item_id":"fc_1","output_index":1,"delta":"{\\"command\\":"}',
  '',
  'event: response.function_call_arguments.delta',
  'data: {"type":"response.function_call_arguments.delta","sequence_number":5,"item_id":"fc_1","output_index":1,"delta":"\\"ls\\"}"}',
  '',
  'event: response.function_call_arguments.done',
  'data: {"type":"response.function_call_arguments.done","sequence_number":6,"item_id":"fc_1","output_index":1,"arguments":"{\\"command\\":\\"ls\\"}"}',
  '',
  'event: response.output_item.done',
  `data: {"type":"response.output_item.done","sequence_number":7,"output_index":1,"item":${CALL}}`,
  '',
  'event: response.completed',
  `data: {"type":"response.completed","sequence_number":8,"response":{"id":"resp_1","object":"response","created_at":1741476777,"status":"completed","model":"gpt-x-2026-01-01","output":[${REASONING},${CALL}],"usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":600,"cache_write_tokens":300},"output_tokens":80,"output_tokens_details":{"reasoning_tokens":64},"total_tokens":1080}}}`,
  '',
  '',
].join('\n');
