import { type OfficePackage } from './package';
import { type Rendering } from './rendering';
import { elements, parseXml, textOf } from './xml';

/** Document properties as hidden text: no reader of the pages sees them. A broken part is a warning. */
export async function addOfficeMetadata(parts: OfficePackage, rendering: Rendering): Promise<void> {
  const part = 'docProps/core.xml';
  if (!parts.has(part)) return;
  try {
    const root = parseXml(part, await parts.read(part));
    addMetadata(
      elements(root).map((element) => [element.name, textOf(element).trim()]),
      rendering,
    );
  } catch {
    rendering.warn('the document properties cannot be read');
  }
}

export function addMetadata(
  properties: readonly (readonly [string, string])[],
  rendering: Rendering,
): void {
  const text = properties
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  rendering.addText({ kind: 'file' }, text, { cause: 'metadata', label: 'metadata' });
}
