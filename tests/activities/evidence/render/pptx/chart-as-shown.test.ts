import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';
import { frame, slidePackage, xml } from './slide-package';

const values = (numbers: readonly number[], format: string): string =>
  `<c:val><c:numRef><c:f>S!$B$2</c:f><c:numCache><c:formatCode>${format}</c:formatCode>${numbers
    .map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)
    .join('')}</c:numCache></c:numRef></c:val>`;
const series = (name: string, inner: string): string =>
  `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx>${inner}</c:ser>`;
const linesOf = async (plots: string, before = ''): Promise<string[]> => {
  const content = xml(
    `<c:chartSpace><c:chart>${before}<c:plotArea>${plots}</c:plotArea></c:chart></c:chartSpace>`,
  );
  const result = await readBytes(
    'deck.pptx',
    slidePackage([
      {
        shapes: frame('<c:chart r:id="c"/>'),
        parts: [{ id: 'c', type: 'chart', target: '/ppt/charts/chart1.xml', content }],
      },
    ]),
  );
  return printed(result).map((line) => line.replace(/^[^|]* \| /u, ''));
};

test('values are shown in the number format of the cells, or in that of the labels', async () => {
  const labels =
    '<c:dLbls><c:numFmt formatCode="0%" sourceLinked="0"/><c:showVal val="1"/></c:dLbls>';
  const lines = await linesOf(
    `<c:lineChart>${series('a', values([0.256], '0.0%'))}${series('b', labels + values([0.5, 1], '0.0%'))}${series('c', values([1234.5], 'General'))}</c:lineChart>`,
  );
  expect(lines.slice(0, 4)).toEqual([
    'line chart without a title',
    'a: 0.256 (25.6%)',
    'b: 0.5 (50%); 1 (100%)',
    'c: 1234.5',
  ]);
});

test('a pie that shows percentages has them, also where its values add up to nothing', async () => {
  const labels = '<c:dLbls><c:showPercent val="1"/></c:dLbls>';
  expect(
    (
      await linesOf(`<c:pieChart>${series('s', values([30, 90], 'General'))}${labels}</c:pieChart>`)
    )[1],
  ).toBe('s: 30 (25%); 90 (75%)');
  expect(
    (
      await linesOf(`<c:pieChart>${series('s', values([0, 0], 'General'))}${labels}</c:pieChart>`)
    )[1],
  ).toBe('s: 0; 0');
});

test.each([
  ['one series, nothing said', '', true],
  ['one series, an empty title', '<c:title/>', true],
  ['one series, the title taken out', '<c:autoTitleDeleted val="1"/>', false],
  [
    'one series, a title of its own',
    '<c:title><c:tx><c:rich><a:p><a:r><a:t>T</a:t></a:r></a:p></c:rich></c:tx></c:title>',
    false,
  ],
])('the name of the only series stands as title: %s', async (_name, before, expected) => {
  const lines = await linesOf(
    `<c:barChart>${series('s', values([1], 'General'))}</c:barChart>`,
    before,
  );
  expect(lines.some((line) => line.includes("the only series' name stands as title"))).toBe(
    expected,
  );
});
