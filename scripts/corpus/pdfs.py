"""PDF files by reportlab and matplotlib, some reworked by pypdf. Nothing of them is read without poppler."""

import datetime as dt
import io
import os

os.environ.setdefault("SOURCE_DATE_EPOCH", "1767603600")

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image, ImageDraw
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText
from pypdf.generic import DictionaryObject, NameObject, TextStringObject
from reportlab.lib.pagesizes import A4, landscape, letter
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table
from reportlab.lib.styles import getSampleStyleSheet

from corpus import CorpusFile, Generator

HIDDEN = {"visibility": "hidden"}
CHINESE = "STSong-Light"


class Paper:
    """A canvas in memory; `line` writes a line of its own, top down."""

    def __init__(self, size=A4):
        self.buffer = io.BytesIO()
        self.canvas = canvas.Canvas(self.buffer, pagesize=size, invariant=1)
        self.size = size
        self.top = size[1] - 70

    def line(self, text: str, font: str = "Helvetica", size: int = 12, left: int = 60) -> None:
        self.canvas.setFont(font, size)
        self.canvas.drawString(left, self.top, text)
        self.top -= size * 2

    def page(self) -> None:
        self.canvas.showPage()
        self.top = self.size[1] - 70

    def bytes(self) -> bytes:
        self.canvas.save()
        return self.buffer.getvalue()


def new(corpus: Generator, name: str, status: str = "rendered") -> CorpusFile:
    return corpus.new(name, status, only_container=True)


def rewritten(content: bytes, change) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    change(writer)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def texts(corpus: Generator) -> None:
    file = new(corpus, "plain.pdf")
    paper = Paper()
    for number in range(1, 21):
        paper.line(f"Line {number} {file.at('page=1')}")
    file.holds(pages=1)
    file.save_bytes(paper.bytes())

    file = new(corpus, "chinese.pdf")
    paper = Paper()
    for number in range(1, 6):
        paper.line(f"年度财务汇总第{number}行 {file.at('page=1')}", CHINESE)
    paper.page()
    paper.line(f"第二页 {file.at('page=2')}", CHINESE)
    file.holds(pages=2)
    file.save_bytes(paper.bytes())

    file = new(corpus, "columns.pdf")
    paper = Paper()
    for number in range(1, 11):
        top = paper.top
        paper.line(f"left {number} {file.at('page=1')}")
        paper.top = top
        paper.line(f"right {number} {file.at('page=1')}", left=330)
    file.save_bytes(paper.bytes())

    file = new(corpus, "many-pages.pdf", "truncated")
    paper = Paper()
    for number in range(1, 71):
        paper.line(f"Page {number} {file.at(f'page={number}')}")
        paper.page()
    file.holds(pages=70)
    file.save_bytes(paper.bytes())

    file = new(corpus, "sizes.pdf")
    paper = Paper()
    for number, size in enumerate((A4, landscape(A4), letter, (2_800, 2_000)), 1):
        paper.canvas.setPageSize(size)
        paper.top = size[1] - 80
        paper.line(f"Page of another size {file.at(f'page={number}')}", size=18)
        paper.page()
    file.holds(pages=4)
    file.save_bytes(paper.bytes())

    for degrees in (90, 180, 270):
        file = new(corpus, f"turned-{degrees}.pdf")
        paper = Paper()
        paper.line(f"turned page {file.at('page=1')}")
        file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.pages[0].rotate(degrees)))


def hidden(corpus: Generator) -> None:
    file = new(corpus, "white-and-outside.pdf")
    paper = Paper()
    paper.line(f"seen {file.at('page=1')} and more words of a line")
    paper.canvas.setFillColorRGB(1, 1, 1)
    paper.line(file.at("page=1", **HIDDEN))
    paper.canvas.setFillColorRGB(0, 0, 0)
    file.save_bytes(paper.bytes())

    file = new(corpus, "metadata.pdf")
    paper = Paper()
    paper.canvas.setTitle(file.at("file", **HIDDEN))
    paper.canvas.setSubject(file.at("file", **HIDDEN))
    paper.line(f"a page of words {file.at('page=1')}")
    file.save_bytes(paper.bytes())


def structure(corpus: Generator) -> None:
    file = new(corpus, "form.pdf")
    paper = Paper()
    paper.line(f"A form to fill in {file.at('page=1')}")
    paper.canvas.acroForm.textfield(name="applicant", value="filled", x=60, y=600, width=200)
    paper.canvas.acroForm.checkbox(name="agree", x=60, y=550, checked=True)
    file.holds(formFields=2)
    file.save_bytes(paper.bytes())

    file = new(corpus, "links-and-outline.pdf")
    paper = Paper()
    linked = file.at("page=1", also=["paragraph=links:1-1"])
    paper.line(f"linked {linked}")
    paper.canvas.linkURL("https://example.invalid/", (60, 700, 200, 800))
    paper.canvas.bookmarkPage("one")
    paper.canvas.addOutlineEntry("Chapter", "one")
    file.save_bytes(paper.bytes())

    file = new(corpus, "attachment.pdf")
    paper = Paper()
    paper.line(f"with an attachment {file.at('page=1')}")
    file.note('"embeddedFiles":', "file", where="record")
    file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.add_attachment("data.csv", b"a,b\n")))

    file = new(corpus, "annotation.pdf")
    paper = Paper()
    paper.line(f"with a note {file.at('page=1')}")
    # Without an appearance of its own: viewers show it all the same.
    note = FreeText(text=f"reviewed {file.at('page=1', feature='annotation')}", rect=(60, 500, 260, 540))
    file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.add_annotation(0, note)))

    file = new(corpus, "script.pdf")
    paper = Paper()
    paper.line(f"with a script {file.at('page=1')}")
    file.note('"openAction":true', "file", where="record")
    action = DictionaryObject({NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("app.alert(1)")})
    file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.root_object.update({NameObject("/OpenAction"): action})))

    file = new(corpus, "table.pdf")
    buffer = io.BytesIO()
    rows = [[file.at("page=1"), file.at("page=1"), str(row)] for row in range(1, 8)]
    SimpleDocTemplate(buffer, invariant=1).build([Table(rows), Paragraph(f"under it {file.at('page=1')}", getSampleStyleSheet()["Normal"])])
    file.save_bytes(buffer.getvalue())


def locked(corpus: Generator) -> None:
    file = new(corpus, "password.pdf", "encrypted")
    paper = Paper()
    paper.line("nobody reads this")
    file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.encrypt("secret", algorithm="RC4-128")))

    file = new(corpus, "owner-password.pdf")
    paper = Paper()
    paper.line(f"opens without a password {file.at('page=1')}")
    file.save_bytes(rewritten(paper.bytes(), lambda writer: writer.encrypt("", "owner", algorithm="RC4-128")))


def pictures(corpus: Generator) -> None:
    file = new(corpus, "scan.pdf")
    image = Image.new("L", (1240, 900), 255)
    draw = ImageDraw.Draw(image)
    draw.text((120, 200), "Scanned invoice 48213", fill=0, font_size=60)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    paper = Paper()
    paper.canvas.drawImage(ImageReader(io.BytesIO(buffer.getvalue())), 0, 200, 595, 432)
    file.note("48213", "page=1")
    file.holds(imagePages=1, pages=1)
    file.save_bytes(paper.bytes())

    file = new(corpus, "figure.pdf")
    figure, axes = plt.subplots(figsize=(5, 3))
    axes.plot([1, 2, 3], [2, 4, 9])
    axes.set_title(file.at("page=1"))
    axes.set_xlabel(file.at("page=1"))
    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"CreationDate": dt.datetime(2026, 1, 5)})
    plt.close(figure)
    file.save_bytes(buffer.getvalue())

    file = new(corpus, "empty-page.pdf")
    paper = Paper()
    paper.page()
    paper.line(f"the first page is empty {file.at('page=2')}")
    file.holds(pages=2)
    file.save_bytes(paper.bytes())


def broken(corpus: Generator) -> None:
    paper = Paper()
    paper.line("words of a page")
    content = paper.bytes()
    new(corpus, "head-only.pdf", "corrupt").save_bytes(content[:60])
    file = new(corpus, "junk-before.pdf")
    paper = Paper()
    paper.line(f"after some bytes {file.at('page=1')}")
    file.save_bytes(b"HTTP/1.1 200 OK\r\n\r\n" + paper.bytes())
    file = new(corpus, "without-table.pdf")
    paper = Paper()
    paper.line(f"its table of objects is gone {file.at('page=1')}")
    content = paper.bytes()
    file.save_bytes(content[: content.rindex(b"xref")])


def as_seen(corpus: Generator) -> None:
    """Words that poppler tears apart, joins or takes for seen, and those that a reader sees of them."""
    file = new(corpus, "as-seen.pdf")
    paper = Paper()
    canvas_ = paper.canvas
    watermark = file.at("page=1")
    canvas_.saveState()
    canvas_.translate(200, 250)
    canvas_.rotate(30)
    canvas_.setFont("Helvetica", 30)
    canvas_.drawString(0, 0, watermark)
    canvas_.restoreState()
    paper.line("first " + file.at("page=1&lines=1-1"))
    canvas_.setFillGray(1)
    left = 60.0
    for index, letter in enumerate(file.at("page=1&lines=3-3", **HIDDEN)):
        size = 12 if index % 2 else 10
        canvas_.setFont("Helvetica", size)
        canvas_.drawString(left, paper.top, letter)
        left += canvas_.stringWidth(letter, "Helvetica", size)
    canvas_.setFillGray(0)
    paper.top -= 24
    canvas_.setFont("Helvetica", 12)
    canvas_.drawString(60, paper.top, "Total 7,319")
    canvas_.setFont("Helvetica", 7)
    canvas_.drawString(60 + canvas_.stringWidth("Total 7,319", "Helvetica", 12), paper.top + 5, "2")
    file.note("7,319^2", "page=1&lines=5-5")
    paper.top -= 110
    canvas_.setFont("Helvetica", 8)
    canvas_.drawString(76, paper.top + 30, file.at("page=1&lines=10-10", **HIDDEN))
    canvas_.setFont("ZapfDingbats", 100)
    canvas_.drawString(60, paper.top, "n")
    paper.top -= 40
    paper.line("last " + file.at("page=1&lines=15-15"))
    file.save_bytes(paper.bytes())


def main() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    corpus = Generator("pdfs", "reportlab, matplotlib, pypdf")
    for make in (texts, hidden, structure, locked, pictures, broken, as_seen):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
