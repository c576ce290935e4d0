import { BrokenReply } from './try-fault';

/** The JSON values of a `text/event-stream` body, in order. Event names are not needed: the values repeat them. */
export async function* eventValues(body: ReadableStream): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text.startsWith('data:')) data.push(text.slice('data:'.length));
      else if (text === '' && data.length > 0) {
        const value = data.join('\n').trim();
        // Some servers end every stream as Chat Completions does.
        if (value !== '[DONE]') yield parse(value);
        data = [];
      }
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenReply('the stream holds something that is no JSON');
  }
}
