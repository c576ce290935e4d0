import { addEmbeddedPart } from '../embedded-files';
import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering, type TextOptions } from '../rendering';
import { type XmlElement, child, elements } from '../xml';
import { chartLines } from './chart-lines';
import { diagramNodes } from './diagram';
import { type Frame, SLIDE_FRAME, frameWithin, isOffSlide } from './geometry';
import { type SlideParagraph, paragraphsOf, unwrapped } from './paragraphs';
import { type Slide, type SlideSize } from './presentation';

const SHAPES = new Set(['sp', 'pic', 'graphicFrame', 'grpSp', 'cxnSp', 'contentPart']);

/** Everything that a slide's shapes say, in their order, each shape under its number. */
export class ShapeWalk {
  private shapes = 0;

  constructor(
    private readonly slide: Slide,
    private readonly size: SlideSize,
    private readonly parts: OfficePackage,
    private readonly rendering: Rendering,
  ) {}

  async visit(tree: XmlElement, frame: Frame = SLIDE_FRAME, concealed = false): Promise<void> {
    for (const shape of elements(tree).flatMap(unwrapped))
      if (SHAPES.has(shape.name)) await this.visitShape(shape, frame, concealed);
  }

  private async visitShape(shape: XmlElement, frame: Frame, concealed: boolean): Promise<void> {
    this.shapes++;
    const number = this.shapes;
    this.rendering.count('shapes');
    const properties = nonVisualProperties(shape);
    const isConcealed = concealed || isTrue(properties?.attributes['hidden']);
    const hiding = this.hiding(shape, frame, isConcealed);
    this.addAlternativeText(number, properties);
    this.addShapeLink(number, properties);
    switch (shape.name) {
      case 'grpSp':
        this.rendering.count('groups');
        return this.visit(shape, frameWithin(shape, frame), isConcealed);
      case 'pic':
        this.visitPicture(shape);
        return undefined;
      case 'graphicFrame':
        return this.visitFrame(number, shape, hiding);
      default:
        this.addParagraphs(
          number,
          paragraphsOf(child(shape, 'txBody')),
          placeholderOf(shape),
          hiding,
        );
    }
  }

  /** Why nobody sees the shape, if so. */
  private hiding(shape: XmlElement, frame: Frame, concealed: boolean): TextOptions {
    if (this.slide.hidden) return { cause: 'hidden-slide' };
    if (concealed) return { cause: 'hidden-text' };
    return isOffSlide(shape, frame, this.size) ? { cause: 'off-page' } : {};
  }

  private addParagraphs(
    shape: number,
    paragraphs: readonly SlideParagraph[],
    kind: string,
    hiding: TextOptions,
  ): void {
    const { number: slide } = this.slide;
    if (kind === 'title' && paragraphs.some(({ text }) => text !== ''))
      this.rendering.count('titles');
    if (kind !== '' && paragraphs.every(({ text }) => text === ''))
      this.rendering.count('emptyPlaceholders');
    paragraphs.forEach(({ text, level, isVolatile, isTiny, links }, index) => {
      const lines = { from: index + 1, to: index + 1 };
      const label = [kind, level > 0 ? `level ${level + 1}` : ''].filter(Boolean).join(', ');
      this.rendering.addText({ kind: 'slide', slide, shape, ...lines }, text, {
        ...(label === '' ? {} : { label }),
        ...(isVolatile ? { isVolatile } : {}),
        ...(isTiny ? { cause: 'tiny-text' } : {}),
        ...hiding,
      });
      for (const link of links) this.addLink(shape, link.id, link.text);
    });
  }

  private addShapeLink(shape: number, properties: XmlElement | undefined): void {
    const id = child(properties, 'hlinkClick')?.attributes['r:id'];
    if (id !== undefined && id !== '') this.addLink(shape, id, '');
  }

  private readonly linksOfShape = new Map<number, number>();

  /** Where a link leads is not shown on the slide; it is never followed. */
  private addLink(shape: number, id: string, words: string): void {
    const relation = this.relation(id);
    if (!relation) return;
    this.rendering.count('hyperlinks');
    const line = (this.linksOfShape.get(shape) ?? 0) + 1;
    this.linksOfShape.set(shape, line);
    const place = { kind: 'slide', slide: this.slide.number, shape, part: 'links' } as const;
    this.rendering.addText(
      { ...place, from: line, to: line },
      words === '' ? relation.target : `${words.trim()} -> ${relation.target}`,
      { cause: 'markup', label: 'link' },
    );
  }

  private addAlternativeText(shape: number, properties: XmlElement | undefined): void {
    const { title = '', descr = '' } = properties?.attributes ?? {};
    const text = [title, descr].filter(Boolean).join(': ');
    if (text === '') return;
    this.rendering.count('alternativeTexts');
    const place = { kind: 'slide', slide: this.slide.number, shape, part: 'alt' } as const;
    this.rendering.addText(place, text, { cause: 'alternative-text', label: 'alternative text' });
  }

  private visitPicture(shape: XmlElement): void {
    const media = child(shape, 'nvPicPr', 'nvPr');
    const isMedia =
      media !== undefined &&
      elements(media).some(({ name }) => /^(?:video|audio|quickTime|wavAudio)/u.test(name));
    this.rendering.count(isMedia ? 'media' : 'images');
    const link = child(shape, 'blipFill', 'blip')?.attributes['r:link'];
    if (link !== undefined) this.rendering.warn('a picture is linked from outside and not fetched');
  }

  private async visitFrame(number: number, frame: XmlElement, hiding: TextOptions): Promise<void> {
    const data = child(frame, 'graphic', 'graphicData');
    for (const content of data ? elements(data).flatMap(unwrapped) : [])
      switch (content.name) {
        case 'tbl':
          this.visitTable(number, content, hiding);
          break;
        case 'chart':
          this.rendering.count('charts');
          this.addLines(
            number,
            await chartLines(this.parts, this.relation(content.attributes['r:id'])),
            'chart',
            hiding,
          );
          break;
        case 'relIds':
          this.rendering.count('diagrams');
          this.addNodes(
            number,
            await diagramNodes(this.parts, this.relation(content.attributes['r:dm'])),
            hiding,
          );
          break;
        case 'oleObj':
          this.rendering.count('embeddedObjects');
          await this.addObject(number, content, hiding);
          break;
      }
  }

  private async addObject(shape: number, object: XmlElement, hiding: TextOptions): Promise<void> {
    const { progId = 'an object of unknown type', 'r:id': id } = object.attributes;
    const file = await addEmbeddedPart(this.parts, this.relation(id), this.rendering);
    const place = { kind: 'slide', slide: this.slide.number, shape, from: 1, to: 1 } as const;
    this.rendering.addText(place, `${progId} ${file}`, {
      label: 'embedded object',
      isDescription: true,
      ...hiding,
    });
  }

  private visitTable(shape: number, table: XmlElement, hiding: TextOptions): void {
    this.rendering.count('tables');
    const { number: slide } = this.slide;
    elements(table, 'tr').forEach((row, rowIndex) => {
      elements(row, 'tc').forEach((cell, columnIndex) => {
        // What a merged cell covers has no text of its own.
        if (isTrue(cell.attributes['hMerge']) || isTrue(cell.attributes['vMerge'])) return;
        const paragraphs = paragraphsOf(child(cell, 'txBody'));
        const text = paragraphs.map((each) => each.text).join('\n');
        const place = { kind: 'slide', slide, shape } as const;
        this.rendering.addText(
          { ...place, row: rowIndex + 1, column: columnIndex + 1 },
          text.trim(),
          {
            label: 'table',
            ...hiding,
          },
        );
        for (const { links } of paragraphs)
          for (const link of links) this.addLink(shape, link.id, link.text);
      });
    });
  }

  private addNodes(
    shape: number,
    nodes: readonly { readonly text: string; readonly level: number }[],
    hiding: TextOptions,
  ): void {
    nodes.forEach(({ text, level }, index) => {
      const label = level === 0 ? 'diagram' : `diagram, level ${level + 1}`;
      const place = { kind: 'slide', slide: this.slide.number, shape } as const;
      this.rendering.addText({ ...place, from: index + 1, to: index + 1 }, text, {
        label,
        ...hiding,
      });
    });
  }

  private addLines(
    shape: number,
    lines: readonly string[],
    label: string,
    hiding: TextOptions,
  ): void {
    lines.forEach((text, index) => {
      const place = { kind: 'slide', slide: this.slide.number, shape } as const;
      this.rendering.addText({ ...place, from: index + 1, to: index + 1 }, text, {
        label,
        ...hiding,
      });
    });
  }

  private relation(id: string | undefined): Relationship | undefined {
    return id === undefined ? undefined : this.slide.relations.find((each) => each.id === id);
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Name, alternative text and the hidden flag stand in the first child's `cNvPr`. */
function nonVisualProperties(shape: XmlElement): XmlElement | undefined {
  return elements(shape)
    .filter(({ name }) => /^nv\w*Pr$/u.test(name))
    .map((each) => child(each, 'cNvPr'))
    .find((each) => each !== undefined);
}

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
  const properties = elements(shape).find(({ name }) => /^nv\w*Pr$/u.test(name));
  const placeholder = child(properties, 'nvPr', 'ph');
  if (!placeholder) return '';
  return PLACEHOLDERS.get(placeholder.attributes['type'] ?? 'body') ?? 'body';
}
