import { createHash } from 'node:crypto';
import { element, rowsXml, workbookPackage } from '../../../../support/workbook-package';
import { readBytes } from '../../../../support/evidence';
import { textAt } from '../support';

const SLICERS = element(
  'slicers',
  '<slicer name="Region" cache="Slicer_Region" caption="Pick a region"/><slicer name="Lost" cache="Nowhere"/>',
);
const YEAR = element('slicers', '<slicer name="Year" cache="Slicer_Year" caption="Year"/>');
const TABLE = element('table', '').replace(
  /<table [^>]*>/u,
  '<table id="4" displayName="Sales" ref="A1:B3"><autoFilter ref="A1:B3"><filterColumn colId="1"><filters><filter val="East"/></filters></filterColumn></autoFilter><tableColumns><tableColumn id="1" name="Sum"/><tableColumn id="7" name="Region"/></tableColumns>',
);
const cache = (name: string, content: string): string =>
  element('slicerCacheDefinition', content).replace(
    '<slicerCacheDefinition ',
    `<slicerCacheDefinition name="Slicer_${name}" sourceName="${name}" `,
  );
const YEAR_CACHE = cache(
  'Year',
  '<pivotTables><pivotTable name="Totals"/></pivotTables><data><tabular pivotCacheId="9"><items><i x="1" s="1"/><i x="0"/></items></tabular></data>',
);
const REGION_CACHE = cache(
  'Region',
  '<extLst><ext><tableSlicerCache tableId="4" column="7"/></ext></extLst>',
);
const PIVOT_CACHE = element(
  'pivotCacheDefinition',
  '<cacheFields><cacheField name="Year"><sharedItems><n v="2024"/><n v="2025"/></sharedItems></cacheField></cacheFields>',
);

test('slicers name what they filter, and what they let through', async () => {
  const book = workbookPackage({
    sheets: [
      {
        name: 'S',
        xml: rowsXml([
          ['Sum', 'Region'],
          [1, 'East'],
        ]),
        relations: [
          ['r1', 'slicer', '../slicers/a.xml'],
          ['r2', 'slicer', '../slicers/b.xml'],
          ['r3', 'table', '../tables/t.xml'],
        ],
      },
    ],
    workbookXml: '<pivotCaches><pivotCache cacheId="9" r:id="p"/></pivotCaches>',
    relations: [
      ['p', 'pivotCacheDefinition', 'pivot.xml'],
      ['c1', 'slicerCache', 'caches/a.xml'],
      ['c2', 'slicerCache', 'caches/b.xml'],
    ],
    parts: {
      'xl/slicers/a.xml': [SLICERS],
      'xl/slicers/b.xml': [YEAR],
      'xl/caches/a.xml': [REGION_CACHE],
      'xl/caches/b.xml': [YEAR_CACHE],
      'xl/pivot.xml': [PIVOT_CACHE],
      'xl/tables/t.xml': [
        TABLE,
        'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
      ],
    },
  });
  const result = await readBytes('a.xlsx', book);
  expect([1, 2, 3].flatMap((number) => textAt(result, `object=slicer:${number}@S`))).toEqual([
    'slicer Region, caption "Pick a region", by column Region of table Sales; lets through East',
    'slicer Lost, caption "Lost", by the cache Nowhere, which is not in the file; lets through everything',
    'slicer Year, caption "Year", by field Year of pivot table Totals; lets through 2025',
  ]);
});

const VML =
  '<xml xmlns:v="urn:v" xmlns:o="urn:o" xmlns:x="urn:x">' +
  '<v:shape id="Check_x0020_1" o:spid="_x0000_s1025"><v:textbox><div>Approve<br>it</div></v:textbox><x:ClientData ObjectType="Checkbox"><x:Anchor>1, 0, 2, 0, 3, 0, 4, 0</x:Anchor><x:Checked>1</x:Checked><x:FmlaLink>$A$1</x:FmlaLink></x:ClientData></v:shape>' +
  '<v:shape id="_x0000_s1026"><x:ClientData ObjectType="Button"><x:FmlaMacro>run</x:FmlaMacro></x:ClientData></v:shape>' +
  '<v:shape id="_x0000_s1027"><x:ClientData ObjectType="Note"><x:Row>1</x:Row></x:ClientData></v:shape>' +
  '<v:shape id="_x0000_s1028"><x:ClientData ObjectType="Pict"><x:Anchor>0, 0, 0, 0, 0, 0, 0, 0</x:Anchor></x:ClientData></v:shape>' +
  '</xml>';

test('controls and embedded files say what they are bound to, each once', async () => {
  const inner = workbookPackage({ sheets: [{ name: 'Inner', xml: rowsXml([['deep']]) }] });
  const ole = '<oleObject progId="Excel.Sheet.12" shapeId="1028" r:id="o"/>';
  const book = workbookPackage({
    sheets: [
      {
        name: 'S',
        xml:
          rowsXml([[1]]) +
          `<oleObjects>${ole}${ole}<oleObject progId="Package" shapeId="1030" r:id="x"/></oleObjects>` +
          '<controls><control shapeId="1025" r:id="k" name="Check 1"><controlPr macro="[0]!tick"/></control><control shapeId="1029" r:id="l" name="Choice"/><control shapeId="1031" r:id="m" name="TextBox1"><controlPr linkedCell="B9"/></control></controls>',
        relations: [
          ['v', 'vmlDrawing', '../v.vml'],
          ['k', 'ctrlProp', '../k.xml'],
          ['l', 'ctrlProp', '../l.xml'],
          ['m', 'control', '../m.xml'],
          ['o', 'package', '../embeddings/inner.xlsx'],
          ['x', 'oleObject', '../embeddings/gone.bin'],
        ],
      },
    ],
    parts: {
      'xl/v.vml': [VML],
      'xl/k.xml': ['<formControlPr objectType="CheckBox" checked="Checked" fmlaLink="$A$1"/>'],
      'xl/l.xml': ['<formControlPr objectType="Drop" fmlaRange="$C$1:$C$3" sel="2"/>'],
      'xl/m.xml': ['<ocx classid="{1}"><ocxPr name="Text" value="typed"/></ocx>'],
      'xl/embeddings/inner.xlsx': [inner.toString('latin1')],
    },
    isLatin1: ['xl/embeddings/inner.xlsx'],
  });
  const result = await readBytes('a.xlsx', book);
  const digest = createHash('sha256').update(inner).digest('hex');
  const at = (kind: string, numbers: readonly number[]): string[] =>
    numbers.flatMap((number) => textAt(result, `object=${kind}:${number}@S`));
  expect(at('control', [1, 2, 3, 4, 5])).toEqual([
    'check box Check 1 "Approveit" at B3:D5; linked cell $A$1; checked; macro [0]!tick',
    'drop-down list Choice; list $C$1:$C$3; selected entry 2',
    'ActiveX control TextBox1; Text typed; linked cell B9; class {1}',
    'button ; macro run',
  ]);
  expect(at('embedded-object', [1, 2, 3])).toEqual([
    `embedded object of Excel.Sheet.12 at A1:A1 in xl/embeddings/inner.xlsx: Excel workbook, ${inner.length} bytes, sha256 ${digest}; read as a file of its own, behind //xl/embeddings/inner.xlsx`,
    'embedded object of Package in xl/embeddings/gone.bin, which is not in the file',
  ]);
  expect(result.rendering.members).toEqual([{ path: 'xl/embeddings/inner.xlsx', content: inner }]);
  expect(result.rendering.segments[0]?.text).not.toContain('not read');
});
