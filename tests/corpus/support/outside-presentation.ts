import { type Parts, type Relation, relationships, zipOf } from './hostile-packages';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const NAMES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const PLACE =
  '<a:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"/>';
const TREE =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>';

/** Types of what a slide refers to, in the order of their numbers. */
const REFERRED = [
  'image',
  'video',
  'audio',
  'http://schemas.microsoft.com/office/2007/relationships/media',
  'oleObject',
  'hyperlink',
  'hyperlink',
  'chart',
  'slide',
];

function picture(id: number, blip: string, media = ''): string {
  return (
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="p"><a:hlinkClick r:id="rId6" action="ppaction://program"/></p:cNvPr>` +
    `<p:cNvPicPr/><p:nvPr>${media}</p:nvPr></p:nvPicPr><p:blipFill>${blip}<a:stretch/></p:blipFill>` +
    `<p:spPr>${PLACE}</p:spPr></p:pic>`
  );
}

/** Words, linked pictures, a film, a sound, a linked object and a background, each of them elsewhere. */
const SHAPES =
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"><a:hlinkHover r:id="rId7" action="ppaction://hlinkfile"/></p:cNvPr><p:cNvSpPr/><p:nvPr/></p:nvSpPr>` +
  `<p:spPr>${PLACE}<a:blipFill><a:blip r:link="rId1"/><a:stretch/></a:blipFill></p:spPr>` +
  '<p:txBody><a:bodyPr/><a:p><a:r><a:t>seen</a:t></a:r></a:p></p:txBody></p:sp>' +
  picture(3, '<a:blip r:link="rId1"/>') +
  picture(
    4,
    '<a:blip r:embed="rId1"/>',
    '<a:videoFile r:link="rId2"/><p:extLst><p:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}">' +
      '<p14:media xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" r:link="rId4"/></p:ext></p:extLst>',
  ) +
  picture(5, '<a:blip r:link="rId1"/>', '<a:audioFile r:link="rId3"/>') +
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="6" name="o"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' +
  '<p:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></p:xfrm><a:graphic>' +
  '<a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">' +
  '<p:oleObj name="o" r:id="rId5" imgW="914400" imgH="914400" progId="Excel.Sheet.12"><p:link updateAutomatic="1"/></p:oleObj>' +
  '</a:graphicData></a:graphic></p:graphicFrame>' +
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="7" name="c"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' +
  '<p:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></p:xfrm><a:graphic>' +
  '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">' +
  '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId8"/></a:graphicData></a:graphic></p:graphicFrame>';

/** A presentation with every way that it can refer to a place, its template among them. */
export function outsidePresentation(place: string): Buffer {
  const target = place.replaceAll('&', '&amp;');
  const external = (type: string): Relation => ({ type, target, external: true });
  const type = (part: string, kind: string): string =>
    `<Override PartName="/ppt/${part}.xml" ContentType="${OFFICE}presentationml.${kind}+xml"/>`;
  const parts: Parts = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ' +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      type('presentation', 'presentation.main') +
      type('slides/slide1', 'slide') +
      '</Types>',
    '_rels/.rels': relationships(
      { type: 'officeDocument', target: 'ppt/presentation.xml' },
      external('attachedTemplate'),
    ),
    'ppt/presentation.xml':
      `<p:presentation ${NAMES}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>` +
      '<p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships(
      { type: 'slide', target: 'slides/slide1.xml' },
      external('slideMaster'),
      external('attachedTemplate'),
    ),
    'ppt/slides/slide1.xml':
      `<p:sld ${NAMES}><p:cSld><p:bg><p:bgPr><a:blipFill><a:blip r:link="rId1"/><a:stretch/></a:blipFill>` +
      `<a:effectLst/></p:bgPr></p:bg><p:spTree>${TREE}${SHAPES}</p:spTree></p:cSld></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relationships(
      ...REFERRED.map(external),
      external('slideLayout'),
    ),
  };
  return zipOf(parts);
}
