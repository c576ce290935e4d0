/** Why fields come out nowhere and nobody is told, by `table:Type.field`. The first that fits counts. */
export const IGNORED: readonly (readonly [RegExp, string])[] = [
  [/Request:\w+\.model$/u, 'the lane says which model answers'],
  [/Request:\w+\.stream$/u, 'replies are read whole and handed over in the form asked for'],
  [/^(chat|responses)Request:.*stream_options$/u, 'the same: the gateway itself makes the stream'],
  [/^responsesRequest:ResponseCreateParams\.StreamOptions\./u, 'the same: nobody watches a stream'],
  [/^chatRequest:ChatCompletionStreamOptions\./u, 'the same: the gateway itself makes the stream'],
  [
    /Request:MessageCreateParamsBase\.output_config$/u,
    'alone it says nothing; its fields are listed',
  ],
  [
    /^chatRequest:\w+\.response_format$/u,
    'text is what is meant without it; other forms are listed',
  ],
  [/^chunk:ChatCompletionChunk\.choices$/u, 'alone it says nothing; its fields are listed'],
  [/Request:(Beta)?Tool\.type$/u, 'its one value says what holds without it'],
  [
    /^(completion|chunk):ChatCompletion(Chunk)?\.(id|created|service_tier|system_fingerprint)$/u,
    'Messages has an id of the delivery instead; journal and transcript keep the completion',
  ],
  [
    /^(completion|chunk):.*([Mm]oderation|[Ll]ogprob|TopLogprob|annotations?|Annotation|audio|Audio)/u,
    'the gateway never asks for it and Messages has no words; the journal keeps the completion',
  ],
  [/^(completion|chunk):CompletionUsage\b/u, 'Messages has no such counts; the journal keeps them'],
  [
    /^(completion|chunk):.*function_call|FunctionCall\./u,
    'of functions before tools: never asked for',
  ],
  [/^completion:ChatCompletionMessageCustomToolCall/u, 'custom tools are refused in requests'],
  [/Choice\.index$/u, 'one choice is asked for, and its place is 0'],
  [/^chunk:.*Delta\.role$/u, 'the reply is always the assistant’s'],
  [/^chunk:.*Choice\.delta$/u, 'alone it says nothing; its fields are listed'],
  [
    /^chunk:.*Delta\.ToolCall\.(index|type|function)$/u,
    'alone it says nothing; its fields are listed',
  ],
  [/^message:Message\.id$/u, 'harnesses get an id of the delivery'],
  [
    /^response:ResponseFunctionToolCall\.caller$/u,
    'the model itself, as always; others are reported',
  ],
  [/^message:ToolUseBlock\.caller$/u, 'the model itself, as always; others are reported'],
  [
    /^messageEvent:RawContentBlock\w+Event\.index$/u,
    'the joiner puts blocks in their places by it',
  ],
  [
    /^response:Response\.(id|created_at|service_tier)$/u,
    'Messages has an id of the delivery instead',
  ],
  [/^response:Response\.output_text$/u, 'made by the SDK from the items'],
  [
    /^response:Response\.(incomplete_details|status)$/u,
    'read where the reply is incomplete or failed',
  ],
  [/^response:Response\.completed_at$/u, 'the gateway measures time itself'],
  [/^response:Response\./u, 'repeats the request'],
  [/^response:\w+\.status$/u, 'the reply as a whole says whether it ended'],
  [
    /^response:Response(OutputMessage|FunctionToolCall|ReasoningItem)\.id$/u,
    'nothing is stored to be named',
  ],
  [
    /^response:Response(OutputMessage\.phase|ReasoningItem\.encrypted_content)$/u,
    'Messages has no place for it: the gateway remembers it and puts it back',
  ],
  [
    /^responseEvent:/u,
    'the event that ends the stream, or the one that ends an item, says it again and whole',
  ],
];
