import { decodeText } from '../decode-text';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, elements, parseXmlText, textOf } from '../xml';

export interface SvgDrawing {
  /** Without its DOCTYPE. */
  readonly source: string;
  readonly root: XmlElement;
}

/**
 * Reads a drawing. A DOCTYPE that only names the format is left out; one with declarations of its own can
 * make entities, so the file is refused. Throws `Unreadable`.
 */
export function readSvg(bytes: Uint8Array): SvgDrawing {
  const text = decodeText(bytes).text.replace(/^\uFEFF/u, '');
  const source = withoutDoctype(text).replace(
    /^(\s*<\?xml[^>]*?)\sencoding\s*=\s*(?:"[^"]*"|'[^']*')/u,
    '$1',
  );
  if (/<!DOCTYPE|<!ENTITY/iu.test(source))
    throw new Unreadable('refused', 'the drawing declares entities of its own');
  return { source, root: parseXmlText('drawing', source) };
}

/** Without the first DOCTYPE, where it declares nothing. Looked at once: a file of nothing else would take hours. */
function withoutDoctype(text: string): string {
  const from = text.indexOf('<!DOCTYPE');
  const doctype = from < 0 ? undefined : /^<!DOCTYPE[^>[]{0,2000}>/u.exec(text.slice(from))?.[0];
  return doctype === undefined ? text : text.slice(0, from) + text.slice(from + doctype.length);
}

/** Words of the drawing, in its order; what it would load from elsewhere is named and never loaded. */
export function addSvgText(drawing: SvgDrawing, rendering: Rendering): void {
  let line = 0;
  const add = (text: string, isHidden: boolean): void => {
    const words = text.replace(/\s+/gu, ' ').trim();
    if (words === '') return;
    line++;
    const place = { kind: 'page', page: 1, from: line, to: line } as const;
    rendering.addText(place, words, isHidden ? { cause: 'hidden-text' } : {});
  };
  let described = 0;
  const walk = (element: XmlElement, isHidden: boolean): void => {
    const hidden = isHidden || isUnseen(element) || ['defs', 'symbol'].includes(element.name);
    noteReferences(element, rendering);
    if (element.name === 'text') add(textOf(element), hidden);
    else if (element.name === 'title' || element.name === 'desc') {
      const text = textOf(element).replace(/\s+/gu, ' ').trim();
      described++;
      rendering.addText({ kind: 'paragraph', part: 'alt', from: described, to: described }, text, {
        cause: 'alternative-text',
        label: element.name,
      });
    } else for (const each of elements(element)) walk(each, hidden);
  };
  walk(drawing.root, false);
}

function isUnseen({ attributes }: XmlElement): boolean {
  const style = attributes['style'] ?? '';
  return (
    attributes['display'] === 'none' ||
    attributes['visibility'] === 'hidden' ||
    attributes['opacity'] === '0' ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:^|;)\s*opacity\s*:\s*0(?:\.0+)?\s*(?:;|$))/u.test(
      style,
    )
  );
}

function noteReferences({ name, attributes }: XmlElement, rendering: Rendering): void {
  if (name === 'script') rendering.facts['scripts'] = true;
  const target = attributes['href'];
  if (target === undefined || /^(?:#|data:)/iu.test(target) || name === 'a') return;
  rendering.warn(`refers to ${target.slice(0, 200)}, which is not loaded`);
}
