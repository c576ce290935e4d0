import { type OfficePackage } from './package';
import { type Rendering } from './rendering';
import { type XmlElement, elements, parseXml, textOf } from './xml';

/** The parts of an office package with its properties: common ones, the program's, the author's own. */
const PROPERTY_PARTS = ['docProps/core.xml', 'docProps/app.xml', 'docProps/custom.xml'] as const;

/** Document properties as hidden text: no reader of the pages sees them. A broken part is a warning. */
export async function addOfficeMetadata(parts: OfficePackage, rendering: Rendering): Promise<void> {
  const properties: (readonly [string, string])[] = [];
  for (const part of PROPERTY_PARTS) {
    if (!parts.has(part)) continue;
    try {
      properties.push(...elements(parseXml(part, await parts.read(part))).map(propertyOf));
    } catch {
      rendering.warn(`the document properties in ${part} cannot be read`);
    }
  }
  addMetadata(properties, rendering);
}

/** A custom property carries its name as an attribute. */
function propertyOf(element: XmlElement): readonly [string, string] {
  return [element.attributes['name'] ?? element.name, textOf(element).trim()];
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
