import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type XmlElement, parseXml } from '../xml';
import { type Slide } from './presentation';

export interface SlideLayout {
  readonly layout: XmlElement;
  readonly master?: XmlElement;
}

/** Layouts and masters of a presentation, each read once. */
export class Layouts {
  private readonly byPart = new Map<string, Promise<SlideLayout>>();

  constructor(private readonly parts: OfficePackage) {}

  /** Those of a slide; `undefined` where it names none that is there. Throws `Unreadable`. */
  async of(slide: Slide): Promise<SlideLayout | undefined> {
    const path = this.partOfType(slide.relations, 'slideLayout');
    if (path === undefined) return undefined;
    const known = this.byPart.get(path) ?? this.read(path);
    this.byPart.set(path, known);
    return known;
  }

  private async read(path: string): Promise<SlideLayout> {
    const layout = parseXml(path, await this.parts.read(path));
    const master = this.partOfType(await relationshipsOf(this.parts, path), 'slideMaster');
    return master === undefined
      ? { layout }
      : { layout, master: parseXml(master, await this.parts.read(master)) };
  }

  private partOfType(relations: readonly Relationship[], type: string): string | undefined {
    return relations.find(
      (each) => each.type === type && !each.external && this.parts.has(each.target),
    )?.target;
  }
}
