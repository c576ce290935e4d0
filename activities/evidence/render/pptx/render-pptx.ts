import { slideSource } from '../../../../core/evidence-view';
import { type OfficePages } from '../office';
import { type OfficePackage } from '../package';
import { type Rendering, Unreadable } from '../rendering';
import { child } from '../xml';
import { type SlideLayout, Layouts } from './layouts';
import { addComments, addLayoutText, addNotes, readAuthors } from './notes-and-comments';
import { type Slide, readPresentation } from './presentation';
import { ShapeWalk } from './shape-walk';

/**
 * Text of a presentation, slide by slide: shapes in their order, the layout's own text, notes and comments.
 * A slide with a broken part is said and the others are read. Returns the slides for the page map. Throws `Unreadable`.
 */
export async function readPptx(
  parts: OfficePackage,
  rendering: Rendering,
): Promise<readonly Slide[]> {
  const { slides, size, relations } = await readPresentation(parts, rendering);
  const authors = await readAuthors(relations, parts);
  const layouts = new Layouts(parts);
  for (const slide of slides) {
    const tree = child(slide.root, 'cSld', 'spTree');
    let layout: SlideLayout | undefined;
    const readers = [
      async () => {
        layout = await layouts.of(slide);
      },
      async () => {
        if (tree) await new ShapeWalk(slide, size, layout, parts, rendering).walk(tree);
      },
      async () => {
        addLayoutText(slide, layout, rendering);
      },
      () => addNotes(slide, parts, rendering),
      () => addComments(slide, authors, parts, rendering),
    ];
    for (const read of readers) await readLeniently(slide, read, rendering);
  }
  noteExternal(slides, rendering);
  return slides;
}

/** A refused part ends the reading; a broken one costs what it would have said. */
async function readLeniently(
  slide: Slide,
  read: () => Promise<void>,
  rendering: Rendering,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof Unreadable) || error.status !== 'corrupt') throw error;
    rendering.truncate(`slide ${slide.number}: ${error.reason}`);
  }
}

/** Linked files are never fetched; a reader of the record learns that they exist. */
function noteExternal(slides: readonly Slide[], rendering: Rendering): void {
  const linked = slides.flatMap(({ relations }) =>
    relations.filter(({ external, type }) => external && type !== 'hyperlink'),
  );
  if (linked.length === 0) return;
  rendering.facts['externalParts'] = linked.length;
  const types = [...new Set(linked.map(({ type }) => type))];
  rendering.warn(`linked from outside and not fetched: ${types.join(', ')}`);
}

/** A page for each slide that is shown; LibreOffice leaves hidden slides out. */
export function presentationPages(slides: readonly Slide[]): OfficePages {
  return {
    extension: 'pptx',
    filter: 'pdf:impress_pdf_Export',
    sources: slides.map(({ number, hidden }) => ({ name: slideSource(number), hidden })),
  };
}
