import { writeZip } from '../../../../../activities/evidence/render/zip-writer';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const NAMESPACES = [
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  `xmlns:r="${RELATIONS}"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"',
].join(' ');

export interface SlideSource {
  readonly shapes: string;
  readonly attributes?: string;
  /** Further parts: relationship type, target (absolute path, or an address) and content. */
  readonly parts?: readonly RelatedPart[];
}

export interface RelatedPart {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  /** Absent: outside of the package. */
  readonly content?: string;
}

export const paragraph = (text: string, properties = ''): string =>
  `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;

/** A shape with text; `nv` goes into `cNvPr`, `ph` is a placeholder's type. */
export const shape = (
  body: string,
  { nv = '', ph, place = '' }: { nv?: string; ph?: string; place?: string } = {},
): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s" ${nv}/><p:cNvSpPr/><p:nvPr>${ph === undefined ? '' : `<p:ph type="${ph}"/>`}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:bodyPr/>${body}</p:txBody></p:sp>`;

export const frame = (content: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="f"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;

/** Adds our namespaces to an element's first tag. */
export const xml = (content: string): string => content.replace(/^<([\w:]+)/u, `<$1 ${NAMESPACES}`);

/** A presentation of these slides, as a zip archive; `type` is the main part's content type in between. */
export function slidePackage(
  slides: readonly SlideSource[],
  options: { readonly type?: string; readonly parts?: readonly RelatedPart[] } = {},
): Buffer {
  const type = options.type ?? 'openxmlformats-officedocument.presentationml.presentation.main';
  const parts = new Map<string, string>();
  const relate = (part: string, related: readonly RelatedPart[]): void => {
    const folder = part.replace(/[^/]*$/u, '');
    const name = part.slice(folder.length);
    const entries = related.map(({ id, type: kind, target, content }) => {
      const address = kind.includes(':') ? kind : `${RELATIONS}/${kind}`;
      const mode = content === undefined ? ' TargetMode="External"' : '';
      if (content !== undefined) parts.set(target.replace(/^\//u, ''), content);
      return `<Relationship Id="${id}" Type="${address}" Target="${target}"${mode}/>`;
    });
    parts.set(
      `${folder}_rels/${name}.rels`,
      `<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`,
    );
  };
  const list = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  const main = xml(
    `<p:presentation><p:sldIdLst>${list.join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
  );
  relate('', [
    { id: 'rId1', type: 'officeDocument', target: '/ppt/presentation.xml', content: main },
  ]);
  const parted = slides.map((slide, index): RelatedPart => ({
    id: `rId${index + 1}`,
    type: 'slide',
    target: `/ppt/slides/slide${index + 1}.xml`,
    content: xml(
      `<p:sld ${slide.attributes ?? ''}><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${slide.shapes}</p:spTree></p:cSld></p:sld>`,
    ),
  }));
  relate('ppt/presentation.xml', [...parted, ...(options.parts ?? [])]);
  slides.forEach((slide, index) => {
    if (slide.parts) relate(`ppt/slides/slide${index + 1}.xml`, slide.parts);
  });
  const overrides = slides.map(
    (_, index) =>
      `<Override PartName="/ppt/slides/slide${index + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/>`,
  );
  parts.set(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.${type}+xml"/>${overrides.join('')}</Types>`,
  );
  return writeZip([...parts].map(([name, content]) => ({ name, content: Buffer.from(content) })));
}
