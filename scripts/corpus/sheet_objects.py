"""What lies over the cells of a sheet: slicers, time lines, form controls, ActiveX controls, embedded objects; and looks.

Written part by part, as office programs write them: no library does.
"""

from corpus import CorpusFile, Generator, package
from raw_packages import HEAD, MAIN, RELATIONS, SHEET, book, cells, document, relations, sheet, text_cell

X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
X15 = "http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"
SLICER = "http://schemas.microsoft.com/office/2007/relationships"
TIMELINE = "http://schemas.microsoft.com/office/2011/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
SLICER_DRAWING = "http://schemas.microsoft.com/office/drawing/2010/slicer"
VECTOR = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"'


def slicer(file: CorpusFile, number: int) -> str:
    return file.at(f"object=slicer:{number}@Sheet1", feature="slicer")


def slicers(corpus: Generator) -> None:
    file = corpus.new("slicers.xlsx")
    name, caption, chosen, lost = (slicer(file, number) for number in (1, 1, 1, 2))
    column = file.at("cells=Sheet1!B1", where="present")
    parts_of_slicer = f'<slicer name="{name}" cache="Slicer_Region" caption="{caption}" rowHeight="241300"/><slicer name="{lost}" cache="Slicer_Gone" caption="gone"/>'
    table = (
        f'{HEAD}<table xmlns="{MAIN}" id="4" name="Sales" displayName="Sales" ref="A1:B3" totalsRowShown="0"><autoFilter ref="A1:B3">'
        f'<filterColumn colId="1"><filters><filter val="{chosen}"/></filters></filterColumn></autoFilter><tableColumns count="2">'
        f'<tableColumn id="1" name="Sum"/><tableColumn id="7" name="{column}"/></tableColumns></table>'
    )
    cache = (
        f'{HEAD}<slicerCacheDefinition xmlns="{X14}" name="Slicer_Region" sourceName="{column}"><extLst>'
        f'<x:ext xmlns:x="{MAIN}" uri="{{2F2917AC-EB37-4324-AD4E-5DD8C200BD13}}"><x15:tableSlicerCache xmlns:x15="{X15}" tableId="4" column="7"/></x:ext>'
        "</extLst></slicerCacheDefinition>"
    )
    anchor = (
        f'{HEAD}<xdr:wsDr xmlns:xdr="{DRAWING}"><xdr:twoCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row>'
        "<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>5</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>9</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>"
        f'<xdr:graphicFrame macro=""><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="{SLICER_DRAWING}">'
        f'<sle:slicer xmlns:sle="{SLICER_DRAWING}" name="{name}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>'
    )
    file.note("at D2:F10", "object=slicer:1@Sheet1", feature="slicer")
    rows = f'<row r="1">{text_cell("A1", "Sum")}{text_cell("B1", column)}</row>{cells(file, "A2", "A3")}'
    file.save_parts(
        book(
            sheet(rows, after='<drawing r:id="rId3"/><tableParts count="1"><tablePart r:id="rId2"/></tableParts>'),
            sheet_relations=((f"{SLICER}/slicer", "../slicers/slicer1.xml"), ("table", "../tables/table1.xml"), ("drawing", "../drawings/drawing1.xml")),
            book_relations=((f"{SLICER}/slicerCache", "slicerCaches/slicerCache1.xml"),),
            extra={
                "xl/slicers/slicer1.xml": f'{HEAD}<slicers xmlns="{X14}">{parts_of_slicer}</slicers>',
                "xl/slicerCaches/slicerCache1.xml": cache,
                "xl/tables/table1.xml": table,
                "xl/drawings/drawing1.xml": anchor,
            },
            overrides=(
                ("/xl/slicers/slicer1.xml", "application/vnd.ms-excel.slicer+xml"),
                ("/xl/slicerCaches/slicerCache1.xml", "application/vnd.ms-excel.slicerCache+xml"),
                ("/xl/tables/table1.xml", f"{SHEET}.table+xml"),
                ("/xl/drawings/drawing1.xml", "application/vnd.openxmlformats-officedocument.drawing+xml"),
            ),
        )
    )

    file = corpus.new("timeline.xlsx")
    name, caption, field, pivot = (slicer(file, 1) for _ in range(4))
    file.note("2026-01-01 to 2026-03-31", "object=slicer:1@Sheet1", feature="slicer")
    cache = (
        f'{HEAD}<timelineCacheDefinition xmlns="{X15}" name="NativeTimeline_Day" sourceName="{field}"><pivotTables><pivotTable tabId="1" name="{pivot}"/>'
        '</pivotTables><state minimalRefreshVersion="6" filterType="dateBetween"><selection startDate="2026-01-01T00:00:00" endDate="2026-03-31T00:00:00"/>'
        "</state></timelineCacheDefinition>"
    )
    file.save_parts(
        book(
            sheet(cells(file, "A1")),
            sheet_relations=((f"{TIMELINE}/timeline", "../timelines/timeline1.xml"),),
            book_relations=((f"{TIMELINE}/timelineCache", "timelineCaches/timelineCache1.xml"),),
            extra={
                "xl/timelines/timeline1.xml": f'{HEAD}<timelines xmlns="{X15}"><timeline name="{name}" cache="NativeTimeline_Day" caption="{caption}" level="2"/></timelines>',
                "xl/timelineCaches/timelineCache1.xml": cache,
            },
            overrides=(
                ("/xl/timelines/timeline1.xml", "application/vnd.ms-excel.timeline+xml"),
                ("/xl/timelineCaches/timelineCache1.xml", "application/vnd.ms-excel.timelineCache+xml"),
            ),
        )
    )


def vector_shape(number: int, kind: str, text: str, data: str, name: str) -> str:
    box = f'<v:textbox><div style="text-align:left"><font face="Segoe UI" size="160" color="auto">{text}</font></div></v:textbox>' if text else ""
    return (
        f'<v:shape id="{name}" o:spid="_x0000_s{number}" type="#_x0000_t201" style="position:absolute;width:90pt;height:18pt">{box}'
        f'<x:ClientData ObjectType="{kind}"><x:Anchor>2, 0, {number - 1024}, 0, 4, 0, {number - 1023}, 0</x:Anchor>{data}</x:ClientData></v:shape>'
    )


def controls(corpus: Generator) -> None:
    file = corpus.new("form-controls.xlsx")

    def marker(number: int) -> str:
        return file.at(f"object=control:{number}@Sheet1", feature="control")

    kinds = (
        ("Checkbox", 'objectType="CheckBox" checked="Checked" fmlaLink="$A$1"', "checked"),
        ("Button", 'objectType="Button"', "button "),
        ("Drop", 'objectType="Drop" fmlaRange="$A$1:$A$3" sel="2"', "list $A$1:$A$3; selected entry 2"),
        ("Radio", 'objectType="Radio"', "option button"),
        ("List", 'objectType="List" fmlaRange="$B$1:$B$9" sel="4"', "list $B$1:$B$9; selected entry 4"),
        ("Spin", 'objectType="Spin" val="17" min="0" max="99"', "value 17"),
        ("GBox", 'objectType="GBox"', "group box"),
        ("Label", 'objectType="Label"', "label"),
    )
    shapes, entries, extra, targets = "", "", {}, [("vmlDrawing", "../drawings/vmlDrawing1.vml")]
    overrides = []
    for number, (kind, properties, words) in enumerate(kinds, 1):
        name, text = marker(number), marker(number)
        file.note(words + (name if words.endswith(" ") else ""), f"object=control:{number}@Sheet1", feature="control", **({"where": "present"} if words == "checked" else {}))
        macro = f' macro="[0]!{marker(number)}"' if kind == "Button" else ""
        shapes += vector_shape(1024 + number, kind, text, "", f"Control_{number}")
        entries += f'<control shapeId="{1024 + number}" r:id="rId{number + 1}" name="{name}"><controlPr defaultSize="0"{macro}/></control>'
        targets.append(("ctrlProp", f"../ctrlProps/ctrlProp{number}.xml"))
        extra[f"xl/ctrlProps/ctrlProp{number}.xml"] = f'{HEAD}<formControlPr xmlns="{X14}" {properties}/>'
        overrides.append((f"/xl/ctrlProps/ctrlProp{number}.xml", "application/vnd.ms-excel.controlproperties+xml"))
    extra["xl/drawings/vmlDrawing1.vml"] = f"<xml {VECTOR}>{shapes}</xml>"
    overrides.append(("/xl/drawings/vmlDrawing1.vml", "application/vnd.openxmlformats-officedocument.vmlDrawing"))
    after = f'<legacyDrawing r:id="rId1"/><controls>{entries}</controls>'
    file.save_parts(
        book(sheet(cells(file, "A1", "A2", "A3"), after=after), sheet_relations=tuple(targets), extra=extra, overrides=tuple(overrides))
    )

    file = corpus.new("activex-controls.xlsx")
    name, typed = marker(1), marker(1)
    file.note("linked cell B9", "object=control:1@Sheet1", feature="control")
    ocx = (
        f'{HEAD}<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/activeX" ax:classid="{{8BD21D10-EC42-11CE-9E0D-00AA006002F3}}" '
        f'ax:persistence="persistPropertyBag"><ax:ocxPr ax:name="Value" ax:value="{typed}"/></ax:ocx>'
    )
    file.save_parts(
        book(
            sheet(
                cells(file, "A1"),
                after=f'<legacyDrawing r:id="rId1"/><controls><control shapeId="1025" r:id="rId2" name="{name}"><controlPr linkedCell="B9"/></control></controls>',
            ),
            sheet_relations=(("vmlDrawing", "../drawings/vmlDrawing1.vml"), ("control", "../activeX/activeX1.xml")),
            extra={
                "xl/drawings/vmlDrawing1.vml": f'<xml {VECTOR}>{vector_shape(1025, "Pict", "", "", "TextBox1")}</xml>',
                "xl/activeX/activeX1.xml": ocx,
            },
            overrides=(
                ("/xl/drawings/vmlDrawing1.vml", "application/vnd.openxmlformats-officedocument.vmlDrawing"),
                ("/xl/activeX/activeX1.xml", "application/vnd.ms-office.activeX+xml"),
            ),
        )
    )


def embedded(corpus: Generator) -> None:
    file = corpus.new("embedded-objects.xlsx")

    def marker(number: int) -> str:
        return file.at(f"object=embedded-object:{number}@Sheet1", feature="embedded object")

    programs = [marker(number) for number in (1, 2, 3)]
    file.note("Word document", "object=embedded-object:1@Sheet1", feature="embedded object")
    file.note("Excel workbook", "object=embedded-object:2@Sheet1", feature="embedded object")
    file.note("at C1:E2", "object=embedded-object:1@Sheet1", feature="embedded object")
    file.note("linked and not fetched", "object=embedded-object:3@Sheet1", feature="embedded object")
    inner_text = package(document("<w:p><w:r><w:t>inner words</w:t></w:r></w:p>"))
    inner_book = package(book(sheet(f'<row r="1">{text_cell("A1", "inner cell")}</row>')))
    objects = "".join(
        f'<oleObject progId="{program}" shapeId="{1024 + number}" r:id="rId{number + 1}"/>' for number, program in enumerate(programs, 1)
    )
    links = relations(
        ("vmlDrawing", "../drawings/vmlDrawing1.vml"),
        ("package", "../embeddings/report.docx"),
        ("package", "../embeddings/table.xlsx"),
        ("oleObject", "file:///elsewhere.bin"),
    )
    parts = book(
        sheet(cells(file, "A1"), after=f'<legacyDrawing r:id="rId1"/><oleObjects>{objects}</oleObjects>'),
        extra={
            "xl/worksheets/_rels/sheet1.xml.rels": links.replace('elsewhere.bin"', 'elsewhere.bin" TargetMode="External"'),
            "xl/drawings/vmlDrawing1.vml": f'<xml {VECTOR}>{vector_shape(1025, "Pict", "", "", "Object_1").replace(", 1, 0, 4, 0, 2,", ", 0, 0, 4, 0, 1,")}</xml>',
            "xl/embeddings/report.docx": inner_text,
            "xl/embeddings/table.xlsx": inner_book,
        },
        overrides=(
            ("/xl/drawings/vmlDrawing1.vml", "application/vnd.openxmlformats-officedocument.vmlDrawing"),
            ("/xl/embeddings/report.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("/xl/embeddings/table.xlsx", f"{SHEET}.sheet"),
        ),
    )
    file.holds(unpackedMembers=2)
    file.save_parts(parts)


def looks(corpus: Generator) -> None:
    file = corpus.new("looks.xlsx")
    shown = "".join(
        f'<c r="{ref}" s="{style}" t="inlineStr"><is><t>{file.at(f"cells=Sheet1!{ref}")}</t></is></c>' for ref, style in (("A1", 1), ("B1", 2))
    )
    hidden = file.at("cells=Sheet1!C1", visibility="hidden")
    rows = f'<row r="1">{shown}<c r="C1" s="3" t="inlineStr"><is><t>{hidden}</t></is></c></row><row r="2"><c r="A2" s="4"/><c r="B2" s="4"/></row>'
    fills = "".join(
        f'<fill><patternFill patternType="{kind}">{color}</patternFill></fill>'
        for kind, color in (("none", ""), ("gray125", ""), ("solid", ""), ("solid", '<fgColor rgb="FF1F3864"/>'), ("solid", '<fgColor rgb="FF00B050"/>'))
    )
    styles = (
        f'{HEAD}<styleSheet xmlns="{MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font></fonts>'
        f'<fills count="5">{fills}</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/>'
        '<xf fontId="1" fillId="2"/><xf fontId="1" fillId="3"/><xf fontId="1"/><xf fillId="4"/></cellXfs></styleSheet>'
    )
    for words in ("A1 bold, font FFFFFF, fill 000000", "B1 bold, font FFFFFF, fill 1F3864", "A2:B2 fill 00B050 (empty cells)"):
        file.note(words, "object=looks:1@Sheet1", feature="look")
    file.save_parts(
        book(
            sheet(rows),
            book_relations=(("styles", "styles.xml"),),
            extra={"xl/styles.xml": styles},
            overrides=(("/xl/styles.xml", f"{SHEET}.styles+xml"),),
        )
    )


def main() -> None:
    corpus = Generator("objects", "parts written one by one")
    for make in (slicers, controls, embedded, looks):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
