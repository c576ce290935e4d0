import { type OfficePackage, messageOf } from './package';
import { Unreadable } from './rendering';
import { FastXmlReader, type XmlHandlers } from './fast-xml';

/** Reads a part of any length without holding it; throws `Unreadable`. */
export async function streamXml(
  parts: OfficePackage,
  part: string,
  handlers: XmlHandlers,
): Promise<void> {
  const parser = new FastXmlReader(part, handlers);
  const decoder = new TextDecoder('utf-8');
  const stream = await parts.stream(part);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>)
      parser.write(decoder.decode(chunk, { stream: true }));
    parser.write(decoder.decode());
    parser.close();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('corrupt', `part ${part} cannot be read: ${messageOf(error)}`);
  } finally {
    stream.destroy();
  }
}
