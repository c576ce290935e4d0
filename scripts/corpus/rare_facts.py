"""What stands beside the text of office files and PDFs: pivots, links, threads, controls, diagrams, forms, layers.

Office files are written part by part, as office programs write them; PDFs by reportlab and pypdf.
"""

from pypdf.annotations import Text
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

from corpus import CorpusFile, Generator, package
from pdfs import Paper, rewritten
from python_pptx_decks import blank, box, deck, save
from raw_packages import HEAD, MAIN, RELATIONS, SHEET, WORD, book, cells, document, relations, sheet, text_cell

HIDDEN = {"visibility": "hidden"}
WORDS = "application/vnd.openxmlformats-officedocument.wordprocessingml"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def pivot(corpus: Generator) -> None:
    file = corpus.new("pivot.xlsx")
    names = {key: file.at("object=pivot:1@Sheet1", feature="pivot") for key in ("name", "value")}
    source = file.at("object=pivot:1@Sheet1", feature="pivot")
    table = (
        f'{HEAD}<pivotTableDefinition xmlns="{MAIN}" name="{names["name"]}" cacheId="1"><location ref="E1:F3"/>'
        '<pivotFields count="2"><pivotField axis="axisRow"/><pivotField dataField="1"/></pivotFields>'
        f'<rowFields count="1"><field x="0"/></rowFields><dataFields count="1"><dataField name="{names["value"]}" fld="1"/>'
        "</dataFields></pivotTableDefinition>"
    )
    cache = (
        f'{HEAD}<pivotCacheDefinition xmlns="{MAIN}"><cacheSource type="worksheet"><worksheetSource name="{source}"/>'
        f'</cacheSource><cacheFields count="2"><cacheField name="部门"/><cacheField name="金额"/></cacheFields>'
        "</pivotCacheDefinition>"
    )
    file.note("rows 部门", "object=pivot:1@Sheet1", feature="pivot")
    parts = book(
        sheet(cells(file, "A1")),
        sheet_relations=(("pivotTable", "../pivotTables/pivotTable1.xml"),),
        book_relations=(("pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),),
        extra={
            "xl/pivotTables/pivotTable1.xml": table,
            "xl/pivotTables/_rels/pivotTable1.xml.rels": relations(("pivotCacheDefinition", "../pivotCache/pivotCacheDefinition1.xml")),
            "xl/pivotCache/pivotCacheDefinition1.xml": cache,
        },
        overrides=(
            ("/xl/pivotTables/pivotTable1.xml", f"{SHEET}.pivotTable+xml"),
            ("/xl/pivotCache/pivotCacheDefinition1.xml", f"{SHEET}.pivotCacheDefinition+xml"),
        ),
    )
    file.holds(pivots=1)
    file.save_parts(parts)


def workbook_facts(corpus: Generator) -> None:
    file = corpus.new("outside-and-locked.xlsx")
    target = file.at("object=external-link:1", feature="external link")
    extension = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
    spark = (
        f'<sheetProtection sheet="1" objects="1"/><extLst><ext xmlns:x14="{extension}" uri="{{05C60535-1F16-4fd2-B633-F4F36F0B64E0}}">'
        '<x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup type="column">'
        "<x14:sparklines><x14:sparkline><xm:f>Sheet1!$B$7:$F$7</xm:f><xm:sqref>H7</xm:sqref></x14:sparkline></x14:sparklines>"
        "</x14:sparklineGroup></x14:sparklineGroups></ext></extLst>"
    )
    file.note("$B$7:$F$7", "object=sparkline:1@Sheet1", feature="sparkline")
    file.note("sheet protection", "object=protection:1@Sheet1", feature="protection")
    file.note("workbook protection of structure", "object=protection:1", feature="protection")
    file.save_parts(
        book(
            sheet(cells(file, "A1"), after=spark),
            workbook=(
                f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><workbookProtection lockStructure="1"/><sheets>'
                '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><externalReferences><externalReference r:id="rId2"/>'
                "</externalReferences></workbook>"
            ),
            book_relations=(("externalLink", "externalLinks/externalLink1.xml"),),
            extra={
                "xl/externalLinks/externalLink1.xml": f'{HEAD}<externalLink xmlns="{MAIN}" xmlns:r="{RELATIONS}"><externalBook r:id="rId1"/></externalLink>',
                "xl/externalLinks/_rels/externalLink1.xml.rels": relations(("externalLinkPath", f"{target}.xlsx")).replace(
                    "/></Relationships>", ' TargetMode="External"/></Relationships>'
                ),
            },
            overrides=(("/xl/externalLinks/externalLink1.xml", f"{SHEET}.externalLink+xml"),),
        )
    )


def words(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def with_parts(body: str, extra: dict[str, tuple[str, str, str]], links: dict[str, str] | None = None) -> bytes:
    """A document with parts beside it. extra: name to type of relationship, content type and content."""
    parts = document(body)
    overrides = "".join(f'<Override PartName="/word/{name}.xml" ContentType="{kind}"/>' for name, (_, kind, _) in extra.items())
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace("</Types>", f"{overrides}</Types>")
    entries = tuple((relation, f"{name}.xml") for name, (relation, _, _) in extra.items())
    parts["word/_rels/document.xml.rels"] = relations(*entries)
    for name, (_, _, content) in extra.items():
        parts[f"word/{name}.xml"] = content
    for name, content in (links or {}).items():
        parts[f"word/_rels/{name}.xml.rels"] = content
    return package(parts)


def document_facts(corpus: Generator) -> None:
    file = corpus.new("comment-thread.docx")
    first, reply = (file.at(f"paragraph=comments:{number}-{number}", feature="comment thread") for number in (1, 2))
    extended = "http://schemas.microsoft.com/office/word/2012/wordml"
    name = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    comments = "".join(
        f'<w:comment w:id="{number}" w:author="吴明"><w:p w14:paraId="0000000{number}">{words(text)}</w:p></w:comment>'
        for number, text in ((0, first), (1, reply))
    )
    thread = '<w15:commentEx w15:paraId="00000000" w15:done="1"/><w15:commentEx w15:paraId="00000001" w15:paraIdParent="00000000" w15:done="0"/>'
    place = file.at("paragraph=body:1-1")
    body = f'<w:p><w:commentRangeStart w:id="0"/>{words(place)}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>'
    file.note("in reply to comment 1", "paragraph=comments:2-2", feature="comment thread")
    file.note(", resolved", "paragraph=comments:1-1", feature="comment thread")
    file.holds(comments=2, commentReplies=1, resolvedComments=1)
    file.save_bytes(
        with_parts(
            body,
            {
                "comments": ("comments", f"{WORDS}.comments+xml", f'{HEAD}<w:comments xmlns:w="{WORD}" {name}>{comments}</w:comments>'),
                "commentsExtended": (
                    "http://schemas.microsoft.com/office/2011/relationships/commentsExtended",
                    f"{WORDS}.commentsExtended+xml",
                    f'{HEAD}<w15:commentsEx xmlns:w15="{extended}">{thread}</w15:commentsEx>',
                ),
            },
        )
    )

    file = corpus.new("footnote-link.docx")
    text, note = file.at("paragraph=body:1-1"), file.at("paragraph=footnotes:1-1", feature="footnote")
    target = file.at("paragraph=links:1-1", feature="link target")
    notes = f'<w:footnote w:id="1"><w:p><w:hyperlink r:id="rId1">{words(note)}</w:hyperlink></w:p></w:footnote>'
    link = relations(("hyperlink", f"https://example.invalid/{target}")).replace("/></Rel", ' TargetMode="External"/></Rel')
    file.save_bytes(
        with_parts(
            f'<w:p>{words(text)}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>',
            {"footnotes": ("footnotes", f"{WORDS}.footnotes+xml", f'{HEAD}<w:footnotes xmlns:w="{WORD}" xmlns:r="{RELATIONS}">{notes}</w:footnotes>')},
            links={"footnotes": link},
        )
    )

    file = corpus.new("fields-and-controls.docx")
    code = file.at("paragraph=fields:1-1", feature="field code", **HIDDEN)
    result = file.at("paragraph=body:1-1", feature="field result")
    title, tag = (file.at("paragraph=controls:1-1", feature="content control") for _ in range(2))
    inside = file.at("paragraph=body:2-2", feature="content control")
    chosen = file.at("paragraph=body:3-3", feature="content control")
    item = file.at("paragraph=controls:2-2", feature="content control")
    file.save_parts(
        document(
            f'<w:p><w:fldSimple w:instr=" DOCPROPERTY {code} ">{words(result)}</w:fldSimple></w:p>'
            f'<w:p><w:sdt><w:sdtPr><w:alias w:val="{title}"/><w:tag w:val="{tag}"/><w:text/></w:sdtPr><w:sdtContent>{words(inside)}</w:sdtContent></w:sdt></w:p>'
            f'<w:p><w:sdt><w:sdtPr><w:alias w:val="{item}"/><w:dropDownList><w:listItem w:value="a"/></w:dropDownList></w:sdtPr>'
            f"<w:sdtContent>{words(chosen)}</w:sdtContent></w:sdt></w:p>"
        )
    )


def add_parts(parts: dict[str, bytes], extra: dict[str, tuple[str, str]], owner: dict[str, list[tuple[str, str, str]]]) -> None:
    """extra: part to content type and content; owner: relationships part to identifier, type and target."""
    overrides = ""
    for name, (kind, content) in extra.items():
        parts[name] = content.encode()
        overrides += f'<Override PartName="/{name}" ContentType="{kind}"/>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", f"{overrides}</Types>".encode())
    for name, entries in owner.items():
        lines = "".join(f'<Relationship Id="{id}" Type="{kind}" Target="{target}"/>' for id, kind, target in entries)
        parts[name] = parts[name].replace(b"</Relationships>", f"{lines}</Relationships>".encode())


def presentation_facts(corpus: Generator) -> None:
    file = corpus.new("diagram.pptx")
    presentation = deck()
    box(blank(presentation), file.at("slide=1&shape=1&lines=1-1"))
    nodes = [file.at(f"slide=1&shape=2&lines={number}-{number}", feature="SmartArt") for number in (1, 2)]
    points = '<dgm:pt modelId="0" type="doc"/>' + "".join(
        f'<dgm:pt modelId="{number}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>' for number, text in enumerate(nodes, 1)
    )
    lines = '<dgm:cxn modelId="8" srcId="0" destId="1" srcOrd="0"/><dgm:cxn modelId="9" srcId="1" destId="2" srcOrd="0"/>'
    data = f'{HEAD}<dgm:dataModel xmlns:dgm="{DIAGRAM}" xmlns:a="{DRAWING}"><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{lines}</dgm:cxnLst></dgm:dataModel>'
    frame = (
        f'<p:graphicFrame xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{RELATIONS}"><p:nvGraphicFramePr><p:cNvPr id="9" name="d"/>'
        '<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="914400" y="1828800"/><a:ext cx="3657600" cy="1828800"/></p:xfrm>'
        f'<a:graphic><a:graphicData uri="{DIAGRAM}"><dgm:relIds xmlns:dgm="{DIAGRAM}" r:dm="rIdD"/></a:graphicData></a:graphic></p:graphicFrame>'
    )

    def change(parts: dict[str, bytes]) -> None:
        slide = "ppt/slides/slide1.xml"
        parts[slide] = parts[slide].replace(b"</p:spTree>", f"{frame}</p:spTree>".encode())
        kind = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"
        add_parts(
            parts,
            {"ppt/diagrams/data1.xml": (kind, data)},
            {"ppt/slides/_rels/slide1.xml.rels": [("rIdD", f"{RELATIONS}/diagramData", "../diagrams/data1.xml")]},
        )

    save(file, presentation, change)

    file = corpus.new("comment-thread.pptx")
    presentation = deck()
    box(blank(presentation), file.at("slide=1&shape=1&lines=1-1"))
    first, reply = (file.at(f"slide=1&part=comments&lines={number}-{number}", feature="comment thread") for number in (1, 2))
    space = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
    text = '<p188:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></p188:txBody>'
    comments = (
        f'{HEAD}<p188:cmLst xmlns:p188="{space}" xmlns:a="{DRAWING}"><p188:cm id="{{C1}}" authorId="{{A1}}">'
        f'<p188:replyLst><p188:reply id="{{C2}}" authorId="{{A1}}">{text.format(reply)}</p188:reply></p188:replyLst>{text.format(first)}</p188:cm></p188:cmLst>'
    )
    authors = f'{HEAD}<p188:authorLst xmlns:p188="{space}"><p188:author id="{{A1}}" name="吴明"/></p188:authorLst>'
    office = "http://schemas.microsoft.com/office/2018/10/relationships"
    file.holds(comments=2)
    save(
        file,
        presentation,
        lambda parts: add_parts(
            parts,
            {
                "ppt/comments/modernComment1.xml": ("application/vnd.ms-powerpoint.comments+xml", comments),
                "ppt/authors.xml": ("application/vnd.ms-powerpoint.authors+xml", authors),
            },
            {
                "ppt/slides/_rels/slide1.xml.rels": [("rIdC", f"{office}/comments", "../comments/modernComment1.xml")],
                "ppt/_rels/presentation.xml.rels": [("rIdA", f"{office}/author", "authors.xml")],
            },
        ),
    )


def pdf(corpus: Generator, name: str) -> tuple[CorpusFile, Paper]:
    file, paper = corpus.new(name, only_container=True), Paper()
    paper.line(f"a page of words {file.at('page=1')}")
    return file, paper


def pdf_facts(corpus: Generator) -> None:
    file, paper = pdf(corpus, "filled-form.pdf")
    name, value = (file.at("paragraph=forms:1-1", feature="form field") for _ in range(2))
    paper.canvas.acroForm.textfield(name=name, value=value, x=60, y=600, width=200)
    file.markers[2]["also"] = ["page=1"]
    file.holds(formFields=1)
    file.save_bytes(paper.bytes())

    file, paper = pdf(corpus, "remarks.pdf")
    remarks = [
        Text(text=file.at(f"paragraph=annotations:{number}-{number}", feature="annotation"), rect=(60, top, 80, top + 20))
        for number, top in ((1, 500), (2, 400))
    ]
    file.holds(annotations=2)

    def annotate(writer) -> None:
        for each in remarks:
            writer.add_annotation(0, each)

    file.save_bytes(rewritten(paper.bytes(), annotate))

    file, paper = pdf(corpus, "attached-table.pdf")
    # Its name, and the address behind which it is read.
    attached = file.at("paragraph=attachments:1-1", feature="attachment", where="present")
    file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.add_attachment(f"{attached}.csv", b"a,b\n")))

    file, paper = pdf(corpus, "layers.pdf")
    on, off = (file.at(f"paragraph=layers:{number}-{number}", feature="layer") for number in (1, 2))
    file.holds(layers=2, layersOff=1)

    def layers(writer) -> None:
        groups = [
            writer._add_object(DictionaryObject({NameObject("/Type"): NameObject("/OCG"), NameObject("/Name"): TextStringObject(text)}))
            for text in (on, off)
        ]
        view = DictionaryObject({NameObject("/OFF"): ArrayObject([groups[1]]), NameObject("/Order"): ArrayObject(groups)})
        properties = DictionaryObject({NameObject("/OCGs"): ArrayObject(groups), NameObject("/D"): view})
        writer.root_object.update({NameObject("/OCProperties"): properties})

    file.save_bytes(rewritten(paper.bytes(), layers))

    file, paper = pdf(corpus, "chapters.pdf")
    # The link lies over the page's own words.
    file.markers[0]["also"] = ["paragraph=links:1-1"]
    title = file.at("paragraph=outline:1-1", feature="bookmark")
    target = file.at("paragraph=links:1-1", feature="link target")
    paper.canvas.bookmarkPage("one")
    paper.canvas.addOutlineEntry(title, "one")
    paper.canvas.linkURL(f"https://example.invalid/{target}", (60, 700, 200, 800))
    file.save_bytes(paper.bytes())


def main() -> None:
    corpus = Generator("facts", "parts written one by one, reportlab, pypdf")
    for make in (pivot, workbook_facts, document_facts, presentation_facts, pdf_facts):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
