import { addEmbeddedPart } from '../embedded-files';
import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type Rendering } from '../rendering';
import { chartLines } from '../pptx/chart-lines';
import { descendants, parseXml, textOf } from '../xml';
import { type DrawingContent } from './drawing';
import { type Place, entryPlace, placeWords } from './place';

/** Entries of one list at most; the count is that of all. */
const MAX_ENTRIES = 2_000;

type ListName =
  'controls' | 'forms' | 'links' | 'images' | 'charts' | 'diagrams' | 'objects' | 'fields';

const LABELS: Readonly<Record<ListName, string>> = {
  controls: 'content control',
  forms: 'form field',
  links: 'link',
  images: 'image',
  charts: 'chart',
  diagrams: 'SmartArt',
  objects: 'embedded object',
  fields: 'field',
};

interface Reference {
  readonly path: string;
  readonly id: string;
  readonly place: Place;
  readonly words?: string;
}

/**
 * What hangs on places of the text rather than being part of it. It is gathered on the walk and added behind the
 * text, each entry under an address of its own: `paragraph=links:2-2`.
 */
export class WordLists {
  private readonly entries: { name: ListName; words: string; place: Place; isVolatile: boolean }[] =
    [];
  private readonly links: (Reference & { readonly anchor: string | undefined })[] = [];
  private readonly images: (Reference & { readonly isLinked: boolean })[] = [];
  private readonly charts: Reference[] = [];
  private readonly diagrams: Reference[] = [];
  private readonly objects: Reference[] = [];
  private readonly numbers = new Map<ListName, number>();
  private readonly relations = new Map<string, Relationship[]>();
  /** Where a comment is anchored, by its id. */
  readonly commentPlaces = new Map<string, string>();

  add(name: ListName, words: string, place: Place): void {
    this.entries.push({ name, words, place, isVolatile: false });
  }

  addField(instruction: string, isVolatile: boolean, place: Place): void {
    this.entries.push({ name: 'fields', words: instruction, place, isVolatile });
  }

  addLink(path: string, id: string | undefined, anchor: string | undefined, place: Place): void {
    this.links.push({ path, id: id ?? '', anchor, place });
  }

  /** The target that a `HYPERLINK` field's instruction names. */
  addFieldLink(instruction: string, place: Place): void {
    const link = /^HYPERLINK\s+(?:"([^"]*)"|([^\s\\]\S*))?/iu.exec(instruction);
    if (!link) return;
    const anchor = /\\l\s+"([^"]*)"/u.exec(instruction)?.[1];
    this.links.push({ path: '', id: '', words: link[1] ?? link[2] ?? '', anchor, place });
  }

  anchorComment(id: string, place: string): void {
    if (!this.commentPlaces.has(id)) this.commentPlaces.set(id, place);
  }

  addDrawing(path: string, drawing: DrawingContent, place: Place): void {
    for (const { id, size, isLinked } of drawing.images)
      this.images.push({ path, id, place, words: size, isLinked });
    for (const id of drawing.chartIds) this.charts.push({ path, id, place });
    for (const id of drawing.diagramIds) this.diagrams.push({ path, id, place });
    for (const { id, program } of drawing.objects)
      this.objects.push({ path, id, place, words: program });
  }

  /** Adds all lists to the rendering; parts that cannot be read are warnings. */
  async write(parts: OfficePackage, rendering: Rendering): Promise<void> {
    for (const { name, words, place, isVolatile } of this.entries)
      if (name === 'fields') this.writeField(words, isVolatile, place, rendering);
      else this.writeEntry(rendering, name, `${words} (${placeWords(place)})`, true);
    for (const link of this.links) await this.writeLink(link, parts, rendering);
    for (const image of this.images) await this.writeImage(image, parts, rendering);
    for (const chart of this.charts) await this.writeChart(chart, parts, rendering);
    for (const diagram of this.diagrams) await this.writeDiagram(diagram, parts, rendering);
    for (const object of this.objects) await this.writeObject(object, parts, rendering);
  }

  private writeEntry(
    rendering: Rendering,
    name: ListName,
    words: string,
    isDescription: boolean,
  ): void {
    const number = (this.numbers.get(name) ?? 0) + 1;
    this.numbers.set(name, number);
    if (number <= MAX_ENTRIES)
      rendering.addText(entryPlace(name, number), words, { label: LABELS[name], isDescription });
    else rendering.truncate(`more than ${MAX_ENTRIES} ${name} are counted and not listed`);
  }

  private writeField(
    instruction: string,
    isVolatile: boolean,
    place: Place,
    rendering: Rendering,
  ): void {
    if (isVolatile) rendering.count('volatileFields');
    const number = (this.numbers.get('fields') ?? 0) + 1;
    this.numbers.set('fields', number);
    if (instruction === '' || number > MAX_ENTRIES) return;
    rendering.addText(entryPlace('fields', number), `${instruction} (${placeWords(place)})`, {
      cause: 'field-code',
      label: isVolatile ? 'volatile field' : 'field',
      isVolatile,
    });
  }

  private async target(
    { path, id }: Reference,
    parts: OfficePackage,
  ): Promise<Relationship | undefined> {
    const known = this.relations.get(path) ?? (await relationshipsOf(parts, path));
    this.relations.set(path, known);
    return known.find((each) => each.id === id);
  }

  private async writeLink(
    link: Reference & { readonly anchor: string | undefined },
    parts: OfficePackage,
    rendering: Rendering,
  ): Promise<void> {
    const outside = link.words ?? (await this.target(link, parts))?.target;
    const anchor = link.anchor === undefined ? '' : `#${link.anchor}`;
    rendering.count('hyperlinks');
    this.writeEntry(
      rendering,
      'links',
      `${outside ?? ''}${anchor} (${placeWords(link.place)})`,
      true,
    );
  }

  private async writeImage(
    image: Reference & { readonly isLinked: boolean },
    parts: OfficePackage,
    rendering: Rendering,
  ): Promise<void> {
    const target = await this.target(image, parts);
    rendering.count('images');
    const size = image.words === undefined || image.words === '' ? '' : `, ${image.words}`;
    const note = target?.external === true || image.isLinked ? ', linked and not fetched' : '';
    this.writeEntry(
      rendering,
      'images',
      `${target?.target ?? 'a picture without a file'}${size}${note} (${placeWords(image.place)})`,
      true,
    );
  }

  private async writeChart(
    chart: Reference,
    parts: OfficePackage,
    rendering: Rendering,
  ): Promise<void> {
    const target = await this.target(chart, parts);
    rendering.count('charts');
    try {
      const lines = await chartLines(parts, target);
      if (lines.length === 0) throw new Error('its part is not in the package');
      const words = [...lines, `(${placeWords(chart.place)})`].join('\n');
      this.writeEntry(rendering, 'charts', words, false);
    } catch {
      rendering.warn(`the chart at ${placeWords(chart.place)} cannot be read`);
    }
  }

  private async writeDiagram(
    diagram: Reference,
    parts: OfficePackage,
    rendering: Rendering,
  ): Promise<void> {
    const target = await this.target(diagram, parts);
    rendering.count('diagrams');
    try {
      if (!target || target.external) throw new Error('its part is not in the package');
      const root = parseXml(target.target, await parts.read(target.target));
      const points = descendants(root, 'pt')
        .map((point) => descendants(point, 'p').map(textOf).join('\n').trim())
        .filter((text) => text !== '');
      this.writeEntry(rendering, 'diagrams', points.join('\n'), false);
    } catch {
      rendering.warn(`the diagram at ${placeWords(diagram.place)} cannot be read`);
    }
  }

  private async writeObject(
    object: Reference,
    parts: OfficePackage,
    rendering: Rendering,
  ): Promise<void> {
    const target = await this.target(object, parts);
    rendering.count('embeddedObjects');
    const file = await addEmbeddedPart(parts, target, rendering);
    this.writeEntry(
      rendering,
      'objects',
      `${object.words ?? ''} ${file} (${placeWords(object.place)})`,
      true,
    );
  }
}
