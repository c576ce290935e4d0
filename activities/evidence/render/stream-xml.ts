import { type OfficePackage, messageOf } from './package';
import { Unreadable } from './rendering';
import { XmlDecoder } from './xml-encoding';
import { FastXmlReader, type XmlHandlers } from './fast-xml';

/** Reads a part of any length without holding it, in UTF-8 or UTF-16; throws `Unreadable`. */
export async function streamXml(
  parts: OfficePackage,
  part: string,
  handlers: XmlHandlers,
): Promise<void> {
  const parser = new FastXmlReader(part, handlers);
  const decoder = new XmlDecoder(part);
  const stream = await parts.stream(part);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) parser.write(decoder.write(chunk));
    parser.write(decoder.end());
    parser.close();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('corrupt', `part ${part} cannot be read: ${messageOf(error)}`);
  } finally {
    stream.destroy();
  }
}
