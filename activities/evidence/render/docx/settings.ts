import { type OfficePackage } from '../package';
import { type Rendering } from '../rendering';
import { child, parseXml } from '../xml';
import { isOn } from './styles';

export interface WordSettings {
  readonly evenPagesDiffer: boolean;
}

/** Settings that bear on what pages show, and facts about the document's own rules. */
export async function addSettings(
  parts: OfficePackage,
  part: string | undefined,
  rendering: Rendering,
): Promise<WordSettings> {
  if (part === undefined) return { evenPagesDiffer: false };
  const root = parseXml(part, await parts.read(part));
  const isSet = (name: string): boolean => {
    const element = child(root, name);
    return element !== undefined && isOn(element);
  };
  if (isSet('trackRevisions')) rendering.facts['tracksChanges'] = true;
  if (isSet('updateFields')) rendering.facts['updatesFieldsOnOpening'] = true;
  const protection = child(root, 'documentProtection')?.attributes;
  if (protection?.['edit'] !== undefined) rendering.facts['protection'] = protection['edit'];
  return { evenPagesDiffer: isSet('evenAndOddHeaders') };
}
