import { type XmlElement, child, elements } from '../xml';

const PLACEHOLDERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    title: 'title',
    ctrTitle: 'title',
    subTitle: 'subtitle',
    body: 'body',
    ftr: 'footer',
    hdr: 'header',
    dt: 'date',
    sldNum: 'slide number',
  }),
);

/** What the layout keeps the shape's place for; empty for a shape of the slide's own. */
export function placeholderOf(shape: XmlElement): string {
  const placeholder = placeholderElement(shape);
  if (!placeholder) return '';
  return PLACEHOLDERS.get(placeholder.attributes['type'] ?? 'body') ?? 'body';
}

export function placeholderElement(shape: XmlElement): XmlElement | undefined {
  const properties = elements(shape).find(({ name }) => /^nv\w*Pr$/u.test(name));
  return child(properties, 'nvPr', 'ph');
}
