import { SaxesParser, type SaxesTagNS } from 'saxes';
import { RENDER_LIMITS } from './limits';
import { Unreadable } from './rendering';
import { decodeXml } from './xml-encoding';

/**
 * An element of a small part. Names are local names: office programs and libraries choose prefixes and
 * default namespaces freely. An attribute from the relationships namespace is keyed `r:<name>`.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

const RELATIONSHIPS = /\/relationships$/u;

/** Attributes of a tag by local name; unprefixed ones win over prefixed ones of the same name. */
export function attributesOf(tag: SaxesTagNS): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const { local, prefix, uri, value } of Object.values(tag.attributes)) {
    if (prefix === 'xmlns' || (prefix === '' && local === 'xmlns')) continue;
    if (RELATIONSHIPS.test(uri)) attributes[`r:${local}`] = value;
    if (prefix === '' || attributes[local] === undefined) attributes[local] = value;
  }
  return attributes;
}

/** A parser with our rules: namespaces on, a DOCTYPE refused, depth bounded, broken XML is `corrupt`. */
export function createXmlParser(
  part: string,
  handlers: {
    readonly open: (name: string, attributes: () => Record<string, string>) => void;
    readonly close: (name: string) => void;
    readonly text: (text: string) => void;
  },
): { write(chunk: string): void; close(): void } {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  parser.on('doctype', () => {
    throw new Unreadable('refused', `part ${part} declares a DOCTYPE`);
  });
  parser.on('error', (error) => {
    throw new Unreadable('corrupt', `part ${part} is broken XML: ${error.message}`);
  });
  parser.on('opentag', (tag) => {
    depth++;
    if (depth > RENDER_LIMITS.xmlDepth)
      throw new Unreadable(
        'refused',
        `part ${part} is nested deeper than ${RENDER_LIMITS.xmlDepth}`,
      );
    handlers.open(tag.local, () => attributesOf(tag));
  });
  parser.on('closetag', (tag) => {
    depth--;
    handlers.close(tag.local);
  });
  parser.on('text', handlers.text);
  parser.on('cdata', handlers.text);
  return { write: (chunk) => void parser.write(chunk), close: () => void parser.close() };
}

/** Reads a whole part, in UTF-8 or UTF-16; throws `Unreadable`. */
export function parseXml(part: string, content: Buffer): XmlElement {
  return parseXmlText(part, decodeXml(part, content));
}

/** Reads XML whose letters are known, whatever it says that it is written in; throws `Unreadable`. */
export function parseXmlText(part: string, text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const stack = [root];
  const parser = createXmlParser(part, {
    open: (name, attributes) => {
      const element: XmlElement = { name, attributes: attributes(), children: [] };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    close: () => void stack.pop(),
    text: (text) => void stack.at(-1)?.children.push(text),
  });
  parser.write(text);
  parser.close();
  const [element] = elements(root);
  if (!element) throw new Unreadable('corrupt', `part ${part} has no root element`);
  return element;
}

export function elements(parent: XmlElement, name?: string): XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement =>
      typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

export function child(parent: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let element = parent;
  for (const name of path) element = element && elements(element, name)[0];
  return element;
}

/** Every element of that name below the parent, in document order. */
export function descendants(parent: XmlElement, name: string): XmlElement[] {
  return elements(parent).flatMap((each) => [
    ...(each.name === name ? [each] : []),
    ...descendants(each, name),
  ]);
}

/** All text below an element. */
export function textOf(element: XmlElement | undefined): string {
  if (!element) return '';
  return element.children.map((each) => (typeof each === 'string' ? each : textOf(each))).join('');
}
