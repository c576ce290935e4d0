import { chartDetails } from '../../../../activities/evidence/render/chart-details';
import { child, elements, parseXmlText } from '../../../../activities/evidence/render/xml';

function details(chart: string): string[] {
  const root = parseXmlText('chart.xml', `<chart>${chart}</chart>`);
  const area = child(root, 'plotArea');
  const plots = area ? elements(area).filter(({ name }) => name.endsWith('Chart')) : [];
  return chartDetails(root, plots, () => 'Sales');
}

test('legend, scales, labels, colours and lines are in words', () => {
  const labels =
    '<dLbls><numFmt formatCode="0.0" sourceLinked="0"/><dLbl><idx val="0"/><tx><t>peak</t></tx></dLbl><showVal val="1"/><showCatName val="0"/><showSerName val="0"/><showPercent val="0"/></dLbls>';
  expect(
    details(
      `<plotArea><barChart><ser><spPr><solidFill><srgbClr val="C00000"/></solidFill></spPr><dPt><idx val="2"/><spPr><solidFill><schemeClr val="accent2"/></solidFill></spPr></dPt><trendline><trendlineType val="linear"/><dispRSqr val="1"/><dispEq val="0"/></trendline>${labels}</ser><axId val="1"/><axId val="2"/></barChart>` +
        '<lineChart><ser><marker><symbol val="circle"/></marker><spPr><ln><noFill/></ln></spPr></ser><axId val="3"/><axId val="4"/></lineChart>' +
        '<catAx><axId val="1"/><axPos val="b"/><delete val="0"/></catAx>' +
        '<valAx><axId val="2"/><scaling><logBase val="10"/><orientation val="maxMin"/><max val="300"/><min val="-50"/></scaling><axPos val="l"/><numFmt formatCode="$#,##0" sourceLinked="0"/></valAx>' +
        '<catAx><axId val="3"/><delete val="1"/><axPos val="b"/></catAx><valAx><axId val="4"/><axPos val="r"/><crosses val="max"/></valAx><dTable/></plotArea><legend><legendPos val="b"/></legend>',
    ),
  ).toEqual([
    'legend at the bottom',
    'left axis from -50, to 300, logarithmic to base 10, reversed, numbers as $#,##0',
    'bottom axis not shown',
    'right axis on the far side',
    'Sales colour C00000, points 3 accent2, linear trend line with R², labels show values, "peak" as 0.0',
    'Sales on the second axis, no line, markers circle',
    'with a table of its data',
  ]);
});

test('what labels leave unsaid is named: programs differ in showing it', () => {
  expect(
    details(
      '<plotArea><pieChart><dLbls><showPercent val="1"/></dLbls><ser/></pieChart></plotArea>',
    ),
  ).toEqual([
    'no legend',
    'labels show percentages (not said: values, categories, names of series)',
  ]);
});
