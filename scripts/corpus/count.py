"""Counts what office files hold with libraries of their own: openpyxl, python-docx, python-pptx, pypdf.

usage: count.py FILE...    prints a JSON object of counts for each file, or null where the library cannot read it
"""

import json
import sys
import warnings
from pathlib import Path

import docx
import openpyxl
import pptx
import pypdf

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def workbook(path: Path) -> dict[str, int]:
    book = openpyxl.load_workbook(path)
    # iter_rows would walk over every empty cell of a sparse sheet.
    cells = [cell for sheet in book.worksheets for cell in sheet._cells.values() if cell.value not in (None, "")]
    return {
        "sheets": len(book.sheetnames),
        "cells": len(cells),
        "formulas": sum(cell.data_type == "f" for cell in cells),
        "tables": sum(len(sheet.tables) for sheet in book.worksheets),
        "hiddenSheets": sum(book[name].sheet_state != "visible" for name in book.sheetnames),
    }


def document(path: Path) -> dict[str, int]:
    content = docx.Document(str(path))
    body = content.element.body
    return {
        "tables": sum(1 for _ in body.iter(f"{W}tbl")),
        # A body without section properties is one section all the same.
        "sections": max(1, len(content.sections)),
        "comments": len(list(content.comments)),
    }


def slides(path: Path) -> dict[str, int]:
    deck = pptx.Presentation(str(path))
    shapes = [shape for slide in deck.slides for shape in slide.shapes]
    return {
        "slides": len(deck.slides),
        "notes": sum(slide.has_notes_slide and slide.notes_slide.notes_text_frame.text != "" for slide in deck.slides),
        "tables": sum(shape.has_table for shape in shapes),
        "charts": sum(shape.has_chart for shape in shapes),
    }


def pages(path: Path) -> dict[str, int]:
    reader = pypdf.PdfReader(path)
    if reader.is_encrypted:
        reader.decrypt("")
    return {"pages": len(reader.pages), "formFields": len(reader.get_fields() or {})}


READERS = {".xlsx": workbook, ".xlsm": workbook, ".xltx": workbook, ".docx": document, ".pptx": slides, ".pdf": pages}


def count(path: Path) -> dict[str, int] | None:
    try:
        return READERS[path.suffix](path)
    except Exception:
        return None


def main() -> None:
    warnings.simplefilter("ignore")
    print(json.dumps([count(Path(name)) for name in sys.argv[1:]]))


if __name__ == "__main__":
    main()
