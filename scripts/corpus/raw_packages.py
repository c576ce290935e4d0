"""Packages written part by part, as WPS and other programs lay them out: prefixes, absolute targets, odd folders, missing attributes.

All of them open in office programs; each has broken some reader.
"""

import struct
import zlib

from corpus import CorpusFile, Generator

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def relations(*entries: tuple[str, str], namespace: str = RELATIONS) -> str:
    lines = "".join(
        f'<Relationship Id="rId{number}" Type="{kind if "://" in kind else f"{namespace}/{kind}"}" Target="{target}"/>'
        for number, (kind, target) in enumerate(entries, 1)
    )
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{lines}</Relationships>'


def types(*overrides: tuple[str, str]) -> str:
    lines = "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in overrides)
    return (
        f'{HEAD}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.'
        f'openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>{lines}</Types>'
    )


def text_cell(ref: str | None, text: str) -> str:
    place = f' r="{ref}"' if ref else ""
    return f'<c{place} t="inlineStr"><is><t>{text}</t></is></c>'


def book(sheet_xml: str, **options) -> dict[str, str | bytes]:
    """A workbook of one sheet. Options: target, root, extra (parts), overrides, sheet_relations, namespace, office."""
    namespace = options.get("namespace", MAIN)
    office = options.get("office", RELATIONS)
    sheet_name = options.get("sheet", "Sheet1")
    workbook = options.get(
        "workbook",
        f'{HEAD}<workbook xmlns="{namespace}" xmlns:r="{office}"><sheets>'
        f'<sheet name="{sheet_name}" sheetId="1" r:id="rId1"/></sheets></workbook>',
    )
    parts = {
        "[Content_Types].xml": types(
            ("/xl/workbook.xml", options.get("main_type", f"{SHEET}.sheet.main+xml")),
            ("/xl/worksheets/sheet1.xml", f"{SHEET}.worksheet+xml"),
            *options.get("overrides", ()),
        ),
        "_rels/.rels": relations(("officeDocument", options.get("root", "xl/workbook.xml")), namespace=office),
        "xl/workbook.xml": workbook,
        "xl/_rels/workbook.xml.rels": relations(
            ("worksheet", options.get("target", "worksheets/sheet1.xml")), *options.get("book_relations", ()), namespace=office
        ),
        "xl/worksheets/sheet1.xml": sheet_xml,
    }
    if "sheet_relations" in options:
        parts["xl/worksheets/_rels/sheet1.xml.rels"] = relations(*options["sheet_relations"])
    parts.update(options.get("extra", {}))
    return parts


def sheet(rows: str, namespace: str = MAIN, before: str = "", after: str = "") -> str:
    return f'{HEAD}<worksheet xmlns="{namespace}" xmlns:r="{RELATIONS}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'


def cells(file: CorpusFile, *refs: str, name: str = "Sheet1") -> str:
    rows: dict[str, str] = {}
    for ref in refs:
        number = ref.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        rows[number] = rows.get(number, "") + text_cell(ref, file.at(f"cells={name}!{ref}"))
    return "".join(f'<row r="{number}">{content}</row>' for number, content in rows.items())


def namespaces(corpus: Generator) -> None:
    file = corpus.new("prefixed-x.xlsx")
    inner = cells(file, "A1", "B2").replace("<", "<x:").replace("<x:/", "</x:")
    workbook = f'<x:workbook xmlns:x="{MAIN}" xmlns:r="{RELATIONS}"><x:sheets><x:sheet name="Sheet1" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>'
    file.save_parts(book(f'{HEAD}<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{inner}</x:sheetData></x:worksheet>', workbook=HEAD + workbook))
    file.holds(cells=2)

    file = corpus.new("prefixed-ns0.xlsx")
    inner = cells(file, "C3").replace("<", "<ns0:").replace("<ns0:/", "</ns0:")
    workbook = f'<ns0:workbook xmlns:ns0="{MAIN}" xmlns:q="{RELATIONS}"><ns0:sheets><ns0:sheet name="Sheet1" sheetId="1" q:id="rId1"/></ns0:sheets></ns0:workbook>'
    file.save_parts(book(f'{HEAD}<ns0:worksheet xmlns:ns0="{MAIN}"><ns0:sheetData>{inner}</ns0:sheetData></ns0:worksheet>', workbook=HEAD + workbook))

    file = corpus.new("strict.xlsx")
    office = "http://purl.oclc.org/ooxml/officeDocument/relationships"
    file.save_parts(book(sheet(cells(file, "A1", "A2"), namespace=STRICT), namespace=STRICT, office=office))

    file = corpus.new("wps-workbook.xlsx")
    wps = 'xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    rows = cells(file, "A1", "B1", "A2")
    extension = "<extLst><ext><etc:cellProtect/></ext></extLst>"
    xml = sheet(rows, after=extension).replace("<worksheet ", f"<worksheet {wps} ")
    file.save_parts(book(xml))
    file.holds(cells=3)


def layouts(corpus: Generator) -> None:
    file = corpus.new("absolute-targets.xlsx")
    file.save_parts(book(sheet(cells(file, "A1")), root="/xl/workbook.xml", target="/xl/worksheets/sheet1.xml"))

    file = corpus.new("dotted-targets.xlsx", status_with_pages="truncated")
    file.save_parts(book(sheet(cells(file, "A1")), root="./xl/workbook.xml", target="../xl/worksheets/../worksheets/sheet1.xml"))

    file = corpus.new("no-references.xlsx")
    rows = f'<row>{text_cell(None, file.at("cells=Sheet1!A1"))}{text_cell(None, file.at("cells=Sheet1!B1"))}</row>'
    rows += f'<row>{text_cell(None, file.at("cells=Sheet1!A2"))}</row>'
    file.save_parts(book(sheet(rows)))
    file.holds(cells=3)

    file = corpus.new("rich-text-after-plain.xlsx")
    first, second = file.at("cells=Sheet1!A1"), file.at("cells=Sheet1!A1")
    row = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{first}</t><r><t>{second}</t></r></is></c></row>'
    file.save_parts(book(sheet(row)))

    file = corpus.new("entities-and-cdata.xlsx")
    row = f'<row r="1"><c r="A1" t="inlineStr"><is><t>a &amp; b &#x4E2D; {file.at("cells=Sheet1!A1")}</t></is></c>'
    row += f'<c r="B1" t="inlineStr"><is><t><![CDATA[<{file.at("cells=Sheet1!B1")}>]]></t></is></c></row>'
    file.save_parts(book(sheet(row)))

    file = corpus.new("inflated-dimension.xlsx")
    file.save_parts(book(sheet(cells(file, "A1", "B2"), before='<dimension ref="A1:BK1048501"/>')))
    file.holds(cells=2)

    file = corpus.new("comments-in-folder.xlsx")
    comment = file.at("object=comment:1@Sheet1")
    xml = f'{HEAD}<comments xmlns="{MAIN}"><authors><author>赵敏</author></authors><commentList><comment ref="A1" authorId="0"><text><t>{comment}</t></text></comment></commentList></comments>'
    file.save_parts(
        book(
            sheet(cells(file, "A1")),
            sheet_relations=(("comments", "/xl/comments/comment1.xml"),),
            extra={"xl/comments/comment1.xml": xml},
            overrides=(("/xl/comments/comment1.xml", f"{SHEET}.comments+xml"),),
        )
    )
    file.holds(comments=1)

    file = corpus.new("threaded-comments.xlsx")
    note = file.at("object=comment:1@Sheet1")
    reply = file.at("object=comment:2@Sheet1")
    space = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
    thread = f'{HEAD}<ThreadedComments xmlns="{space}"><threadedComment ref="B2" personId="{{P1}}" id="{{1}}"><text>{note}</text></threadedComment><threadedComment ref="B2" personId="{{P1}}" id="{{2}}" parentId="{{1}}"><text>{reply}</text></threadedComment></ThreadedComments>'
    people = f'{HEAD}<personList xmlns="{space}"><person displayName="周杰" id="{{P1}}"/></personList>'
    relation = "http://schemas.microsoft.com/office/2017/10/relationships"
    file.save_parts(
        book(
            sheet(cells(file, "B2")),
            sheet_relations=((f"{relation}/threadedComment", "../threadedComments/threadedComment1.xml"),),
            book_relations=((f"{relation}/person", "persons/person.xml"),),
            extra={"xl/threadedComments/threadedComment1.xml": thread, "xl/persons/person.xml": people},
            overrides=(
                ("/xl/threadedComments/threadedComment1.xml", "application/vnd.ms-excel.threadedcomments+xml"),
                ("/xl/persons/person.xml", "application/vnd.ms-excel.person+xml"),
            ),
        )
    )
    file.holds(comments=2)

    file = corpus.new("shared-formulas.xlsx")
    rows = ""
    for number in range(1, 11):
        formula = '<f t="shared" ref="B1:B10" si="0">A1*7</f>' if number == 1 else '<f t="shared" si="0"/>'
        rows += f'<row r="{number}"><c r="A{number}"><v>{number}</v></c><c r="B{number}">{formula}<v>{number * 7}</v></c></row>'
    file.note("=A10*7", "cells=Sheet1!B10", where="formula")
    file.holds(formulas=10, cells=20)
    file.save_parts(book(sheet(rows)))

    file = corpus.new("shared-strings.xlsx")
    strings = "".join(f"<si><t>{file.at(f'cells=Sheet1!A{row}')}</t><phoneticPr/><rPh sb='0' eb='1'><t>pinyin</t></rPh></si>" for row in range(1, 6))
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>{row - 1}</v></c></row>' for row in range(1, 6))
    file.save_parts(
        book(
            sheet(rows),
            book_relations=(("sharedStrings", "sharedStrings.xml"),),
            extra={"xl/sharedStrings.xml": f'{HEAD}<sst xmlns="{MAIN}" count="5">{strings}</sst>'},
            overrides=(("/xl/sharedStrings.xml", f"{SHEET}.sharedStrings+xml"),),
        )
    )

    file = corpus.new("upper-case-parts.xlsx")
    parts = book(sheet(cells(file, "A1")))
    parts["XL/Worksheets/Sheet1.XML"] = parts.pop("xl/worksheets/sheet1.xml")
    file.save_parts(parts)

    file = corpus.new("macro.xlsm")
    file.save_parts(
        book(
            sheet(cells(file, "A1")),
            main_type="application/vnd.ms-excel.sheet.macroEnabled.main+xml",
            book_relations=(("http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject.bin"),),
            extra={"xl/vbaProject.bin": b"\xd0\xcf\x11\xe0" + bytes(508)},
            overrides=(("/xl/vbaProject.bin", "application/vnd.ms-office.vbaProject"),),
        )
    )
    file.note('"macros":1', "file", where="workbook")

    file = corpus.new("zip64.xlsx")
    file.save_bytes(zip64(book(sheet(cells(file, "A1")))))


def zip64(parts: dict[str, str | bytes]) -> bytes:
    """Every entry and the directory in the 64-bit form, as streaming writers leave them."""
    out, directory = b"", b""
    for name, content in parts.items():
        data = content.encode() if isinstance(content, str) else content
        packed = zlib.compress(data, 9)[2:-4]
        raw_name = name.encode()
        extra = struct.pack("<HHQQ", 1, 16, len(data), len(packed))
        common = struct.pack("<HHHHHIII", 45, 0, 8, 0x4820, 0x5C25, zlib.crc32(data), 0xFFFFFFFF, 0xFFFFFFFF)
        place = len(out)
        out += b"PK\x03\x04" + common + struct.pack("<HH", len(raw_name), len(extra)) + raw_name + extra + packed
        wide = struct.pack("<HHQQQ", 1, 24, len(data), len(packed), place)
        directory += b"PK\x01\x02" + struct.pack("<H", 45) + common
        directory += struct.pack("<HHHHHII", len(raw_name), len(wide), 0, 0, 0, 0, 0xFFFFFFFF) + raw_name + wide
    at = len(out)
    end64 = struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, len(parts), len(parts), len(directory), at)
    out += directory + b"PK\x06\x06" + end64 + b"PK\x06\x07" + struct.pack("<IQI", 0, at + len(directory), 1)
    return out + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)


def document(body: str, root: str | None = None) -> dict[str, str]:
    xml = root or f'{HEAD}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return {
        "[Content_Types].xml": types(("/word/document.xml", kind)),
        "_rels/.rels": relations(("officeDocument", "/word/document.xml")),
        "word/document.xml": xml,
    }


def in_utf16(parts: dict[str, str | bytes], encoding: str, mark: bool = True) -> dict[str, str | bytes]:
    """The same package with every part of text in UTF-16, which the standard allows."""
    return {
        name: f"{chr(0xFEFF) if mark else ''}{content.replace('UTF-8', 'UTF-16')}".encode(encoding)
        if isinstance(content, str)
        else content
        for name, content in parts.items()
    }


def encodings(corpus: Generator) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        file = corpus.new(f"sheet-in-{encoding}.xlsx")
        parts = book(sheet(cells(file, "A1")))
        parts["xl/worksheets/sheet1.xml"] = in_utf16({"": parts["xl/worksheets/sheet1.xml"]}, encoding)[""]
        file.save_parts(parts)

        file = corpus.new(f"all-in-{encoding}.xlsx")
        file.save_parts(in_utf16(book(sheet(cells(file, "A1", "B7"))), encoding))
        file.holds(cells=2)

        file = corpus.new(f"all-in-{encoding}.docx")
        body = f'<w:p><w:r><w:t>{file.at("paragraph=body:1-1")} 年度预算</w:t></w:r></w:p>'
        file.save_parts(in_utf16(document(body), encoding))

        file = corpus.new(f"all-in-{encoding}.pptx")
        file.save_parts(in_utf16(deck(file.at("slide=1&shape=1&lines=1-1")), encoding))

    file = corpus.new("utf-16-without-mark.docx")
    body = f'<w:p><w:r><w:t>{file.at("paragraph=body:1-1")}</w:t></w:r></w:p>'
    file.save_parts(in_utf16(document(body), "utf-16-le", mark=False))

    # Neither allowed nor read: the letters would be others.
    file = corpus.new("declared-latin-1.docx", status="unsupported")
    parts = document("<w:p><w:r><w:t>caf\u00e9</w:t></w:r></w:p>")
    parts["word/document.xml"] = parts["word/document.xml"].replace("UTF-8", "ISO-8859-1").encode("latin-1")
    file.save_parts(parts)


def deck(words: str) -> dict[str, str | bytes]:
    """A presentation of one slide with one text box."""
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
    main = "http://schemas.openxmlformats.org/presentationml/2006/main"
    spaces = f'xmlns:p="{main}" xmlns:a="{drawing}" xmlns:r="{RELATIONS}"'
    kind = "application/vnd.openxmlformats-officedocument.presentationml"
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="4" name="Words"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="4572000" cy="914400"/></a:xfrm>'
        '<a:prstGeom prst="rect"/></p:spPr>'
        f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    tree = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    return {
        "[Content_Types].xml": types(
            ("/ppt/presentation.xml", f"{kind}.presentation.main+xml"), ("/ppt/slides/slide1.xml", f"{kind}.slide+xml")
        ),
        "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'{HEAD}<p:presentation {spaces}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
        '<p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(("slide", "slides/slide1.xml")),
        "ppt/slides/slide1.xml": f"{HEAD}<p:sld {spaces}><p:cSld><p:spTree>{tree}{shape}</p:spTree></p:cSld></p:sld>",
    }


def documents(corpus: Generator) -> None:
    file = corpus.new("default-namespace.docx")
    first = file.at("paragraph=body:1-1")
    file.save_parts(document("", f'{HEAD}<document xmlns="{WORD}"><body><p><r><t>{first}</t></r></p></body></document>'))

    file = corpus.new("wps-document.docx")
    wps = 'xmlns:wpsCustomData="http://www.wps.cn/officeDocument/2013/wpsCustomData" xmlns:wp14="http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing"'
    body = f'<w:p><w:r><w:t>{file.at("paragraph=body:1-1")}</w:t></w:r></w:p><wpsCustomData:x/><w:p wp14:paraId="1"><w:r><w:t>{file.at("paragraph=body:2-2")}</w:t></w:r></w:p>'
    file.save_parts(document("", f'{HEAD}<w:document xmlns:w="{WORD}" {wps}><w:body>{body}</w:body></w:document>'))

    file = corpus.new("strict.docx")
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = f'<w:p><w:r><w:t>{file.at("paragraph=body:1-1")}</w:t></w:r></w:p>'
    file.save_parts(document("", f'{HEAD}<w:document xmlns:w="{strict}"><w:body>{body}</w:body></w:document>'))

    file = corpus.new("table-without-properties.docx")
    body = f'<w:tbl><w:tr><w:tc><w:p><w:r><w:t>{file.at("table=1&row=1&column=1")}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'
    file.save_parts(document(body))

    file = corpus.new("unknown-elements.docx")
    body = f'<w:p><w:smartTag><w:r><w:t>{file.at("paragraph=body:1-1")}</w:t></w:r></w:smartTag><w:future><w:r><w:t>{file.at("paragraph=body:1-1")}</w:t></w:r></w:future></w:p>'
    file.save_parts(document(body))


def main() -> None:
    corpus = Generator("packages", "parts written one by one")
    for make in (namespaces, layouts, encodings, documents):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
