"""Files within documents, slides and workbooks: office packages, and files that an OLE object is wrapped around."""

import io

import docx
import openpyxl
from docx.opc.constants import RELATIONSHIP_TYPE as TYPES
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from pptx.opc.packuri import PackURI as SlideUri
from pptx.opc.package import Part as SlidePart
from pptx.oxml import parse_xml as parse_slide_xml
from pptx.oxml.ns import nsdecls as slide_namespaces

from compound import compound, packaged
from corpus import CorpusFile, Generator, stable_package
from python_pptx_decks import blank, deck

OLE = "application/vnd.openxmlformats-officedocument.oleObject"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OFFICE = "urn:schemas-microsoft-com:office:office"
FEATURE = {"feature": "embedded file"}


def workbook(file: CorpusFile, member: str) -> bytes:
    """A workbook with two markers in cells."""
    book = openpyxl.Workbook()
    book.active["A1"] = file.at("cells=Sheet!A1", member=member, **FEATURE)
    book.active["B7"] = file.at("cells=Sheet!B7", member=member, **FEATURE)
    buffer = io.BytesIO()
    book.save(buffer)
    return stable_package(buffer.getvalue())


def table(file: CorpusFile, member: str) -> bytes:
    """A CSV file with a marker in each line."""
    lines = [file.at(f"lines={number}-{number}", member=member, **FEATURE) for number in (1, 2)]
    return f"{lines[0]},1\n{lines[1]},2\n".encode()


def unread(file: CorpusFile, locator: str) -> bytes:
    """An OLE object around a file that is of no known kind: its name is in the line about it."""
    return packaged(f"{file.at(locator, **FEATURE)}.dat", b"\x00\x01\x02")


def documents(corpus: Generator) -> None:
    file = corpus.new("objects.docx")
    document = docx.Document()
    document.add_paragraph(file.at("paragraph=body:1-1"))
    objects = (
        ("Excel.Sheet.12", "embedded1.xlsx", SHEET, workbook(file, "word/embeddings/embedded1.xlsx")),
        ("Package", "ole2.bin", OLE, packaged("报价.csv", table(file, "word/embeddings/ole2.bin/报价.csv"))),
        ("Package", "ole3.bin", OLE, unread(file, "paragraph=objects:3-3")),
        ("Excel.Sheet.12", "ole4.bin", OLE, compound({"Package": workbook(file, "word/embeddings/ole4.bin/content")})),
    )
    for number, (program, name, content_type, content) in enumerate(objects, 1):
        part = Part(PackURI(f"/word/embeddings/{name}"), content_type, content, document.part.package)
        kind = TYPES.PACKAGE if content_type == SHEET else TYPES.OLE_OBJECT
        relation = document.part.relate_to(part, kind)
        document.add_paragraph()._p.append(
            parse_xml(
                f'<w:r {nsdecls("w", "r")} xmlns:o="{OFFICE}"><w:object><o:OLEObject Type="Embed" ProgID="{program}" '
                f'ShapeID="s{number}" DrawAspect="Icon" ObjectID="_{number}" r:id="{relation}"/></w:object></w:r>'
            )
        )
    file.holds(embeddedObjects=4, unpackedMembers=3)
    file.save_office(document)


def slides(corpus: Generator) -> None:
    file = corpus.new("objects.pptx")
    presentation = deck()
    slide = blank(presentation)
    objects = (
        ("Excel.Sheet.12", "embedded1.xlsx", SHEET, workbook(file, "ppt/embeddings/embedded1.xlsx")),
        ("Package", "ole2.bin", OLE, packaged("notes.csv", table(file, "ppt/embeddings/ole2.bin/notes.csv"))),
        ("Package", "ole3.bin", OLE, unread(file, "slide=1&shape=3&lines=1-1")),
    )
    for number, (program, name, content_type, content) in enumerate(objects, 1):
        part = SlidePart(SlideUri(f"/ppt/embeddings/{name}"), content_type, slide.part.package, content)
        kind = TYPES.PACKAGE if content_type == SHEET else TYPES.OLE_OBJECT
        relation = slide.part.relate_to(part, kind)
        slide.shapes._spTree.append(
            parse_slide_xml(
                f'<p:graphicFrame {slide_namespaces("p", "a", "r")}><p:nvGraphicFramePr><p:cNvPr id="{10 + number}" name="o{number}"/>'
                "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
                f'<p:xfrm><a:off x="914400" y="{914400 * number}"/><a:ext cx="914400" cy="600000"/></p:xfrm><a:graphic>'
                '<a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
                f'<p:oleObj name="o{number}" r:id="{relation}" imgW="914400" imgH="600000" progId="{program}"><p:embed/></p:oleObj>'
                "</a:graphicData></a:graphic></p:graphicFrame>"
            )
        )
    file.holds(embeddedObjects=3, unpackedMembers=2)
    file.save_office(presentation)


def main() -> None:
    corpus = Generator("embedded", "python-docx, python-pptx, openpyxl and OLE containers written by hand")
    documents(corpus)
    slides(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
