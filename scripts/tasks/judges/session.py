"""Words of a recorded judge session. Citations are looked up in the deliverables, so that locators are right."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from docx import Document
from openpyxl import load_workbook


@dataclass(frozen=True)
class Deliverables:
    """The files of one subject; `folder` is its results folder."""

    folder: Path

    def path(self, name: str) -> Path:
        return self.folder / name


@dataclass(frozen=True)
class Verdict:
    """What is submitted. `citations` are functions of the deliverables that give (locator, quote or None)."""

    met: bool
    why: str
    citations: tuple = ()
    searched: tuple = ()  # (artifact, query)


@dataclass(frozen=True)
class Item:
    """One item's sessions. `looks` are the turns before the verdict, each a list of tool calls."""

    id: str
    looks: list
    verdicts: dict  # subject (reference, strong, weak, weak/r1, weak/r2) to Verdict
    other_looks: dict = field(default_factory=dict)  # looks of a subject that need others
    refused_first: dict = field(default_factory=dict)  # subject to a Verdict that grounding must refuse


def met(why: str, *citations, searched: tuple = ()) -> Verdict:
    return Verdict(True, why, citations, searched)


def unmet(why: str, *citations, searched: tuple = ()) -> Verdict:
    return Verdict(False, why, citations, searched)


def call(name: str, **arguments) -> dict:
    return {"name": name, "arguments": arguments}


def files() -> dict:
    return call("list_artifacts")


def text(artifact: str) -> dict:
    return call("read_text", artifact=artifact, **{"from": None, "to": None})


def find(query: str, artifact: str | None = None) -> dict:
    return call("search_text", query=query, artifact=artifact)


def image(artifact: str, page: int = 1) -> dict:
    return call("view_page", artifact=artifact, page=page)


def info(artifact: str) -> dict:
    return call("workbook_info", artifact=artifact, sheet=None)


def cells(artifact: str, sheet: str, span: str) -> dict:
    return call("read_cells", artifact=artifact, sheet=sheet, range=span)


def compare(artifact: str, given: str) -> dict:
    return call("compare_with_input", artifact=artifact, input=given)


def python(code: str) -> dict:
    return call("run_python", code=code.strip("\n") + "\n")


def cell(name: str, sheet: str, ref: str, quote: str):
    """A cell by its address; the quote is its value or shown text."""
    return lambda files: (f"results/{name}#cells={sheet}!{ref}", quote)


def lookup(name: str, sheet: str, key: str, header: str, quote: str | None = None):
    """The cell of the row whose first cell is `key`, below `header`; quotes its value."""

    def look(files: Deliverables):
        table = load_workbook(files.path(name))[sheet]
        column = next(cell for cell in table[1] if cell.value == header).column_letter
        row = next(cell.row for cell in table["A"] if str(cell.value) == key)
        value = table[f"{column}{row}"].value
        shown = value.date().isoformat() if hasattr(value, "date") else str(value)
        return f"results/{name}#cells={sheet}!{column}{row}", quote or shown

    return look


def line(name: str, words: str, quote: str | None = None):
    """The first line with these words, of a PDF page as pdftotext lays it out or of a text file."""

    def look(files: Deliverables):
        path = files.path(name)
        if path.suffix == ".pdf":
            command = ["pdftotext", "-layout", str(path), "-"]
            pages = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f")
            for page, content in enumerate(pages, start=1):
                for number, one in enumerate(content.split("\n"), start=1):
                    if words in one:
                        return f"results/{name}#page={page}&lines={number}-{number}", quote or words
        else:
            for number, one in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
                if words in one:
                    return f"results/{name}#lines={number}-{number}", quote or words
        raise SystemExit(f"{path}: no line has {words!r}")

    return look


def paragraph(name: str, words: str):
    """The first body paragraph with these words, which are the quote."""

    def look(files: Deliverables):
        for number, one in enumerate(Document(str(files.path(name))).paragraphs, start=1):
            if words in one.text:
                return f"results/{name}#paragraph=body:{number}-{number}", words
        raise SystemExit(f"{files.path(name)}: no paragraph has {words!r}")

    return look


def table_cell(name: str, key: str, header: str):
    """The cell of the first table in the row that begins with `key`; quotes all of it."""

    def look(files: Deliverables):
        table = Document(str(files.path(name))).tables[0]
        column = [one.text for one in table.rows[0].cells].index(header)
        for number, row in enumerate(table.rows, start=1):
            if row.cells[0].text == key:
                return f"results/{name}#table=1&row={number}&column={column + 1}", row.cells[column].text
        raise SystemExit(f"{files.path(name)}: no row {key!r}")

    return look


def page(name: str, number: int = 1):
    """The image of a page, opened in the session."""
    return lambda files: (f"results/{name}#page={number}", None)
