"""What LibreOffice exports: flat documents of our own, converted by the soffice of the newest renderer image.

An export carries the time and other numbers of the moment, so the committed files are the truth; markers are the same
again. A .ppt would be half a megabyte; there is one, packed, in tests/fixtures/evidence/legacy. Needs Docker and the
image (`npx tsx scripts/images.ts renderer`).
"""

import subprocess
import tempfile
from pathlib import Path

from corpus import CorpusFile, Generator

NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("style", "style"),
        ("draw", "drawing"),
        ("presentation", "presentation"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    )
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
HIDDEN = {"visibility": "hidden"}
FILTERS = {"docx": "docx:MS Word 2007 XML", "xlsx": "xlsx:Calc MS Excel 2007 XML", "pptx": "pptx:Impress MS PowerPoint 2007 XML"}

# Without pictures of the first page, which would be most of a small file.
NO_PREVIEW = '<item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="GenerateThumbnail" oor:op="fuse"><value>false</value></prop></item>'
PREPARE = (
    "cp -r /opt/startupbench/lo-profile /tmp/p; mkdir -m 777 /w/out;"
    f"sed -i 's#</oor:items>#{NO_PREVIEW}</oor:items>#' /tmp/p/user/registrymodifications.xcu\n"
)


def flat(kind: str, body: str, styles: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:version="1.3" '
        f'office:mimetype="application/vnd.oasis.opendocument.{kind}">{styles}<office:body>{body}</office:body></office:document>'
    )


def paragraph(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def table(file: CorpusFile, places: list[list[str]]) -> str:
    rows = "".join(
        "<table:table-row>"
        + "".join(f'<table:table-cell office:value-type="string">{paragraph(file.at(place))}</table:table-cell>' for place in row)
        + "</table:table-row>"
        for row in places
    )
    return f'<table:table table:name="T"><table:table-column table:number-columns-repeated="{len(places[0])}"/>{rows}</table:table>'


def words(file: CorpusFile) -> str:
    """A heading, a note, a comment and a table; a PDF has lines instead, in which the comment is not printed."""
    is_pdf = file.name.endswith(".pdf")
    body = lambda number: f"page=1&lines={number}-{number}" if is_pdf else f"paragraph=body:{number}-{number}"
    outline = {"also": ["paragraph=outline:1-1"]} if is_pdf else {}
    heading = file.at(body(1), feature="heading", **outline)
    text = file.at(body(2))
    note = file.at("page=1" if is_pdf else "paragraph=footnotes:1-1", feature="footnote")
    comment = "" if is_pdf else file.at("paragraph=comments:1-1", feature="comment")
    remark = f"<office:annotation><dc:creator>周杰</dc:creator><dc:date>2026-01-05T09:00:00</dc:date>{paragraph(comment)}</office:annotation>" if comment else ""
    foot = (
        '<text:note text:id="ftn1" text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{paragraph(note)}</text:note-body></text:note>"
    )
    cells = [["page=1"] * 2] * 2 if is_pdf else [[f"table=1&row={row}&column={column}" for column in (1, 2)] for row in (1, 2)]
    return (
        f'<office:text><text:h text:outline-level="1">季度报告 {heading}</text:h><text:p>正文 {text}{foot}{remark}</text:p>'
        f"{table(file, cells)}</office:text>"
    )


def cells(file: CorpusFile) -> str:
    """Texts, a formula, a comment and a hidden sheet."""
    shown = [file.at(f"cells=数据!A{row}") for row in (1, 2)]
    comment = file.at("object=comment:1@数据", feature="comment")
    hidden = file.at("cells=Kept!A1", feature="hidden sheet, row or column", **HIDDEN)
    file.note("=SUM(B1:B2)", "cells=数据!B3", where="formula", feature="formula")
    file.holds(sheets=2, comments=1)
    number = lambda value: f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p></table:table-cell>'
    string = lambda text, remark="": f'<table:table-cell office:value-type="string">{remark}{paragraph(text)}</table:table-cell>'
    remark = f"<office:annotation><dc:creator>周杰</dc:creator><dc:date>2026-01-05T09:00:00</dc:date>{paragraph(comment)}</office:annotation>"
    styles = (
        '<office:automatic-styles><style:style style:name="off" style:family="table"><style:table-properties '
        'table:display="false"/></style:style></office:automatic-styles>'
    )
    body = (
        '<office:spreadsheet><table:table table:name="数据">'
        f"<table:table-row>{string(shown[0], remark)}{number(31)}</table:table-row><table:table-row>{string(shown[1])}{number(11)}"
        '</table:table-row><table:table-row><table:table-cell/><table:table-cell table:formula="of:=SUM([.B1:.B2])" '
        'office:value-type="float" office:value="42"/></table:table-row></table:table>'
        f'<table:table table:name="Kept" table:style-name="off"><table:table-row>{string(hidden)}</table:table-row></table:table>'
        "</office:spreadsheet>"
    )
    return flat("spreadsheet", body, styles)


def slides(file: CorpusFile) -> str:
    """Two pages: a box with two lines, and a table with speaker notes."""
    frame = '<draw:frame svg:x="2cm" svg:y="{}cm" svg:width="16cm" svg:height="3cm">{}</draw:frame>'
    lines = [file.at(f"slide=1&shape=1&lines={line}-{line}") for line in (1, 2)]
    box = frame.format(2, f"<draw:text-box>{''.join(map(paragraph, lines))}</draw:text-box>")
    note = file.at("slide=2&part=notes&lines=1-1", feature="speaker notes", **HIDDEN)
    grid = table(file, [[f"slide=2&shape=1&row={row}&column={column}" for column in (1, 2)] for row in (1, 2)])
    notes = (
        '<presentation:notes><draw:frame presentation:class="notes" svg:x="2cm" svg:y="14cm" svg:width="16cm" '
        f'svg:height="9cm"><draw:text-box>{paragraph(note)}</draw:text-box></draw:frame></presentation:notes>'
    )
    file.holds(slides=2)
    styles = (
        '<office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="25cm" '
        'fo:page-height="14cm"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page '
        'style:name="M" style:page-layout-name="L"/></office:master-styles>'
    )
    body = (
        f'<office:presentation><draw:page draw:name="p1" draw:master-page-name="M">{box}</draw:page>'
        f'<draw:page draw:name="p2" draw:master-page-name="M">{frame.format(2, grid)}{notes}</draw:page></office:presentation>'
    )
    return flat("presentation", body, styles)


KINDS = (
    ("fodt", ("docx", "odt", "doc", "rtf", "pdf"), lambda file: flat("text", words(file))),
    ("fods", ("xlsx", "ods", "xls"), cells),
    ("fodp", ("pptx", "odp"), slides),
)


def convert(sources: dict[str, str], targets: list[CorpusFile]) -> None:
    """All of them in one container, without a network."""
    image = subprocess.run(
        ["docker", "images", "--filter=reference=startupbench/renderer", "--format={{.ID}}"], check=True, capture_output=True, text=True
    ).stdout.split()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        lines = []
        for file in targets:
            stem, extension = file.name.rsplit(".", 1)
            source = f"{stem}.{sources[extension]}"
            (folder / source).write_text(sources[file.name], encoding="utf-8")
            kind = FILTERS.get(extension, extension)
            lines.append(f"soffice -env:UserInstallation=file:///tmp/p --headless --convert-to '{kind}' --outdir /w/out /w/{source} >&2")
        command = ["docker", "run", "--rm", "--network=none", f"--volume={folder}:/w", "--entrypoint=sh", image, "-c"]
        subprocess.run([*command, PREPARE + "\n".join(lines) + "\nchmod -R 777 /w/out"], check=True)
        for file in targets:
            file.save_bytes((folder / "out" / file.name).read_bytes())


def main() -> None:
    corpus = Generator("libreoffice", "LibreOffice")
    sources: dict[str, str] = {}
    files = []
    for source, extensions, make in KINDS:
        for extension in extensions:
            file = corpus.new(f"exported-{extension}.{extension}", only_container=extension not in ("docx", "xlsx", "pptx"))
            sources[extension] = source
            sources[file.name] = make(file)
            files.append(file)
    convert(sources, files)
    corpus.finish()


if __name__ == "__main__":
    main()
