import { type OfficePackage } from '../package';
import { type Relationship, contentTypes, relationshipsOf } from '../relationships';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, child, descendants, elements, parseXml } from '../xml';

export interface SlideSize {
  /** English Metric Units, 914,400 an inch. */
  readonly width: number;
  readonly height: number;
}

export interface Slide {
  /** Position in the presentation's order, from 1, hidden slides counted. */
  readonly number: number;
  /** What a slide number field shows: presentations may begin with another one than 1. */
  readonly shownNumber: number;
  readonly part: string;
  readonly root: XmlElement;
  readonly hidden: boolean;
  readonly relations: readonly Relationship[];
}

export interface Presentation {
  readonly slides: readonly Slide[];
  readonly size: SlideSize;
  readonly relations: readonly Relationship[];
}

/** Slides beyond this are counted and said. */
const MAX_SLIDES = 1_000;
const EMU_PER_INCH = 914_400;

/** The slides in the order of the presentation's list. Throws `Unreadable` where there is no list to go by. */
export async function readPresentation(
  parts: OfficePackage,
  rendering: Rendering,
): Promise<Presentation> {
  const main = (await relationshipsOf(parts, '')).find(
    ({ type, external }) => type === 'officeDocument' && !external,
  );
  if (!main || !parts.has(main.target))
    throw new Unreadable('corrupt', 'the package has no main presentation part');
  const root = parseXml(main.target, await parts.read(main.target));
  const relations = await relationshipsOf(parts, main.target);
  const listed = elements(child(root, 'sldIdLst') ?? root, 'sldId');
  rendering.counts['slides'] = listed.length;
  if (listed.length > MAX_SLIDES)
    rendering.truncate(`slides ${MAX_SLIDES + 1} to ${listed.length} are left out`);
  const first = Number.parseInt(root.attributes['firstSlideNum'] ?? '', 10) || 1;
  const slides: Slide[] = [];
  for (const [index, { attributes }] of listed.slice(0, MAX_SLIDES).entries()) {
    const part = relations.find(({ id }) => id === attributes['r:id'])?.target;
    const slide =
      part === undefined
        ? undefined
        : await readSlide(
            parts,
            part,
            { number: index + 1, shownNumber: first + index },
            rendering,
          );
    if (slide) slides.push(slide);
    else rendering.truncate(`slide ${index + 1} has no part that can be read`);
  }
  notePresentation(root, slides, rendering);
  await compareWithParts(parts, listed.length, rendering);
  return { slides, size: slideSize(root, rendering), relations };
}

async function readSlide(
  parts: OfficePackage,
  part: string,
  numbers: Pick<Slide, 'number' | 'shownNumber'>,
  rendering: Rendering,
): Promise<Slide | undefined> {
  if (!parts.has(part)) return undefined;
  try {
    const root = parseXml(part, await parts.read(part));
    return {
      ...numbers,
      part,
      root,
      hidden: ['0', 'false'].includes(root.attributes['show'] ?? ''),
      relations: await relationshipsOf(parts, part),
    };
  } catch (error) {
    if (!(error instanceof Unreadable) || error.status === 'refused') throw error;
    rendering.warn(error.reason);
    return undefined;
  }
}

function slideSize(root: XmlElement, rendering: Rendering): SlideSize {
  const size = child(root, 'sldSz')?.attributes;
  const width = Number(size?.['cx'] ?? 12_192_000);
  const height = Number(size?.['cy'] ?? 6_858_000);
  const inches = (length: number): string => (length / EMU_PER_INCH).toFixed(2);
  rendering.facts['slideSizeInches'] = `${inches(width)} x ${inches(height)}`;
  return { width, height };
}

function notePresentation(root: XmlElement, slides: readonly Slide[], rendering: Rendering): void {
  const hidden = slides.filter((slide) => slide.hidden);
  if (hidden.length > 0) {
    rendering.counts['hiddenSlides'] = hidden.length;
    rendering.facts['hiddenSlideNumbers'] = hidden.map(({ number }) => number).join(', ');
  }
  const sections = descendants(root, 'section').map(({ attributes }) => attributes['name'] ?? '');
  if (sections.length > 0) rendering.facts['sections'] = sections.join(', ').slice(0, 500);
  const animated = slides.filter(
    (slide) =>
      descendants(child(slide.root, 'timing') ?? { ...slide.root, children: [] }, 'par').length > 1,
  );
  if (animated.length > 0) rendering.counts['animatedSlides'] = animated.length;
}

/** A slide part that the list does not name is in the file, and no reader ever sees it. */
async function compareWithParts(
  parts: OfficePackage,
  listed: number,
  rendering: Rendering,
): Promise<void> {
  const types = [...(await contentTypes(parts)).values()];
  const present = types.filter((type) => /presentationml\.slide\+xml$/u.test(type)).length;
  if (present !== listed)
    rendering.warn(
      `the presentation lists ${listed} slides, the package has ${present} slide parts`,
    );
  if (types.some((type) => /vbaProject/u.test(type))) rendering.facts['macros'] = true;
}
