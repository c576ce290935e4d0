import { addEmbeddedPart } from '../embedded-files';
import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering, type TextOptions } from '../rendering';
import { type XmlElement, child, elements } from '../xml';
import { chartLines } from './chart-lines';
import { diagramNodes } from './diagram';
import { type Frame, SLIDE_FRAME, frameWithin, isOffSlide } from './geometry';
import { type SlideLayout } from './layouts';
import { type SlideParagraph, paragraphsOf, unwrapped } from './paragraphs';
import { placeholderOf } from './placeholder';
import { type Slide, type SlideSize } from './presentation';
import { inReadingOrder, numberShapes, shapesIn } from './shape-order';
import { connectorWords, nonVisualProperties, sizeInWords } from './shape-properties';
import { readSlideTable } from './table';

/** Everything that a slide's shapes say, as a reader takes them, each shape under its number in the file's order. */
export class ShapeWalk {
  private numbers: ReadonlyMap<XmlElement, number> = new Map();
  private numbersById: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly slide: Slide,
    private readonly size: SlideSize,
    private readonly layout: SlideLayout | undefined,
    private readonly parts: OfficePackage,
    private readonly rendering: Rendering,
  ) {}

  /** Reads the shapes of a slide's tree. */
  walk(tree: XmlElement): Promise<void> {
    this.numbers = numberShapes(tree);
    this.numbersById = new Map(
      [...this.numbers].map(([shape, number]) => [
        nonVisualProperties(shape)?.attributes['id'] ?? '',
        number,
      ]),
    );
    return this.visit(tree, SLIDE_FRAME, false);
  }

  private async visit(tree: XmlElement, frame: Frame, concealed: boolean): Promise<void> {
    for (const shape of inReadingOrder(shapesIn(tree), frame, this.size, this.layout))
      await this.visitShape(shape, frame, concealed);
  }

  private async visitShape(shape: XmlElement, frame: Frame, concealed: boolean): Promise<void> {
    const number = this.numbers.get(shape) ?? 0;
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
        this.visitPicture(number, shape, hiding);
        return undefined;
      case 'cxnSp':
        this.addConnector(number, shape, hiding);
        return undefined;
      case 'graphicFrame':
        return this.visitFrame(number, shape, hiding);
      default:
        this.addParagraphs(
          number,
          paragraphsOf(child(shape, 'txBody'), this.slide.shownNumber),
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
    paragraphs.forEach(({ text, level, isVolatile, isTiny, links, marks }, index) => {
      const lines = { from: index + 1, to: index + 1 };
      const label = [kind, level > 0 ? `level ${level + 1}` : ''].filter(Boolean).join(', ');
      this.rendering.addText({ kind: 'slide', slide, shape, ...lines }, text, {
        ...(label === '' ? {} : { label }),
        marks,
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

  private visitPicture(number: number, shape: XmlElement, hiding: TextOptions): void {
    const media = child(shape, 'nvPicPr', 'nvPr');
    const isMedia =
      media !== undefined &&
      elements(media).some(({ name }) => /^(?:video|audio|quickTime|wavAudio)/u.test(name));
    this.rendering.count(isMedia ? 'media' : 'images');
    const blip = child(shape, 'blipFill', 'blip')?.attributes;
    const isLinked = blip?.['r:link'] !== undefined;
    if (isLinked) this.rendering.warn('a picture is linked from outside and not fetched');
    const file = this.relation(blip?.['r:embed'])?.target ?? 'a picture without a file';
    const words = [file, sizeInWords(shape), ...(isLinked ? ['linked and not fetched'] : [])];
    this.describe(number, words.filter(Boolean).join(', '), isMedia ? 'media' : 'image', hiding);
  }

  /** Which shapes a line joins, and which way its arrow points. */
  private addConnector(number: number, shape: XmlElement, hiding: TextOptions): void {
    const words = connectorWords(shape, this.numbersById);
    if (words !== undefined) this.describe(number, words, 'connector', hiding);
  }

  /** Our own words about a shape, under its address. */
  private describe(shape: number, words: string, label: string, hiding: TextOptions): void {
    const place = { kind: 'slide', slide: this.slide.number, shape } as const;
    this.rendering.addText(place, words, { label, isDescription: true, ...hiding });
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
    const { description, cells } = readSlideTable(table);
    this.describe(shape, description, 'table', hiding);
    const place = { kind: 'slide', slide: this.slide.number, shape } as const;
    for (const { row, column, text, marks, links } of cells) {
      this.rendering.addText({ ...place, row, column }, text, { label: 'table', marks, ...hiding });
      for (const link of links) this.addLink(shape, link.id, link.text);
    }
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
