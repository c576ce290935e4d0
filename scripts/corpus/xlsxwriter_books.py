"""Workbooks by XlsxWriter: what Excel 2010 and later added, and files written row by row."""

import datetime as dt
import io

import xlsxwriter

from corpus import FIXED_TIME, CorpusFile, Generator, stable_package
from pictures import png_bytes


class Book:
    """A workbook in memory that ends in a file of the corpus."""

    def __init__(self, file: CorpusFile, **options):
        self.file = file
        self.buffer = io.BytesIO()
        self.book = xlsxwriter.Workbook(self.buffer, {"in_memory": True, **options})
        self.book.set_properties({"created": dt.datetime(*FIXED_TIME)})

    def sheet(self, name: str = "Sheet1"):
        return self.book.add_worksheet(name)

    def save(self) -> None:
        self.book.close()
        self.file.save_bytes(stable_package(self.buffer.getvalue()))


def mark(file: CorpusFile, sheet, ref: str, **options) -> None:
    sheet.write(ref, file.at(f"cells={sheet.get_name()}!{ref}", **options))


def main() -> None:
    corpus = Generator("xlsxwriter", f"XlsxWriter {xlsxwriter.__version__}")
    for make in (text_boxes, sparklines, formulas, tables, rules, charts, pictures, constant_memory, layout, rich):
        make(corpus)
    corpus.finish()


def text_boxes(corpus: Generator) -> None:
    file = corpus.new("text-boxes.xlsx")
    book = Book(file)
    sheet = book.sheet()
    mark(file, sheet, "A1")
    sheet.insert_textbox("C3", file.at("object=shape:1@Sheet1"))
    sheet.write_comment("A1", file.at("object=comment:1@Sheet1"), {"author": "孙丽", "visible": True})
    book.save()


def sparklines(corpus: Generator) -> None:
    file = corpus.new("sparklines.xlsx")
    book = Book(file)
    sheet = book.sheet()
    mark(file, sheet, "A1")
    for column in range(1, 6):
        sheet.write(0, column, column * column)
    sheet.add_sparkline("H1", {"range": "Sheet1!B1:F1", "markers": True})
    book.save()


def formulas(corpus: Generator) -> None:
    file = corpus.new("dynamic-arrays.xlsx")
    book = Book(file)
    sheet = book.sheet()
    for row in range(5):
        sheet.write(row, 0, row + 1)
    sheet.write_dynamic_array_formula("C1:C5", f'=FILTER(A1:A5,A1:A5>2,"{file.at("cells=Sheet1!C1", where="formula")}")')
    sheet.write_formula("D1", f'=LET(x,A1,x&"{file.at("cells=Sheet1!D1", where="formula")}")', value="1!")
    sheet.write_formula("E1", "=SUM(A1:A5)", value=15)
    file.holds(formulas=3)
    book.save()


def tables(corpus: Generator) -> None:
    file = corpus.new("table-with-totals.xlsx")
    book = Book(file)
    sheet = book.sheet("销售")
    data = [[file.at(f"cells=销售!A{row}"), row] for row in range(2, 6)]
    sheet.add_table(
        "A1:B6",
        {"data": data, "total_row": True, "name": "Sales", "columns": [{"header": "名称"}, {"header": "数量", "total_function": "sum"}]},
    )
    file.holds(tables=1)
    book.save()


def rules(corpus: Generator) -> None:
    file = corpus.new("icon-sets-and-bars.xlsx")
    book = Book(file)
    sheet = book.sheet()
    mark(file, sheet, "A1")
    for row in range(1, 12):
        sheet.write(row, 1, row)
    sheet.conditional_format("B2:B12", {"type": "data_bar", "data_bar_2010": True})
    sheet.conditional_format("B2:B12", {"type": "icon_set", "icon_style": "5_arrows"})
    sheet.data_validation("C1:C9", {"validate": "list", "source": [file.at("cells=Sheet1!C1:C9", where="workbook"), "b"]})
    book.save()


def charts(corpus: Generator) -> None:
    file = corpus.new("chart-kinds.xlsx")
    book = Book(file)
    sheet = book.sheet()
    mark(file, sheet, "A1")
    for row in range(1, 6):
        sheet.write_row(row, 0, [row, row * 2, row * 3])
    for number, kind in enumerate(("column", "line", "pie", "doughnut", "radar", "scatter", "stock")):
        chart = book.book.add_chart({"type": kind})
        for column in (1, 2, 3) if kind == "stock" else (1,):
            chart.add_series({"categories": "=Sheet1!$A$2:$A$6", "values": ["Sheet1", 1, column - 1, 5, column - 1]})
        chart.set_title({"name": file.at(f"object=chart:{number + 1}@Sheet1")})
        sheet.insert_chart(number * 15, 5, chart)
    file.holds(charts=7)
    book.save()


def pictures(corpus: Generator) -> None:
    file = corpus.new("pictures.xlsx")
    book = Book(file)
    sheet = book.sheet()
    mark(file, sheet, "A1")
    sheet.insert_image("B2", "a.png", {"image_data": png_bytes("one"), "description": "alt"})
    sheet.insert_image("H2", "b.png", {"image_data": png_bytes("two")})
    file.holds(images=2)
    book.save()


def constant_memory(corpus: Generator) -> None:
    file = corpus.new("row-by-row.xlsx")
    book = Book(file, constant_memory=True)
    sheet = book.sheet()
    for row in range(1, 60):
        sheet.write(row - 1, 0, file.at(f"cells=Sheet1!A{row}"))
        sheet.write(row - 1, 1, row)
    file.holds(cells=118)
    book.save()


def layout(corpus: Generator) -> None:
    file = corpus.new("layout.xlsx")
    book = Book(file)
    sheet = book.sheet()
    mark(file, sheet, "A1")
    sheet.merge_range("B2:D4", file.at("cells=Sheet1!B2"))
    sheet.freeze_panes(1, 0)
    sheet.set_row(9, None, None, {"hidden": True})
    mark(file, sheet, "A10", visibility="hidden")
    deep = book.sheet("Deep")
    mark(file, deep, "A1", visibility="hidden")
    deep.very_hidden()
    book.book.define_name("Rate", "=Sheet1!$A$1")
    sheet.set_header("&C页眉")
    book.save()


def rich(corpus: Generator) -> None:
    file = corpus.new("rich-strings.xlsx")
    book = Book(file)
    sheet = book.sheet()
    bold = book.book.add_format({"bold": True})
    sheet.write_rich_string("A1", "前 ", bold, file.at("cells=Sheet1!A1"), " 后 ", bold, file.at("cells=Sheet1!A1"))
    sheet.write_url("A2", "https://example.invalid/", string=file.at("cells=Sheet1!A2"))
    sheet.write_datetime("A3", dt.datetime(2027, 7, 19), book.book.add_format({"num_format": "d mmmm yyyy"}))
    file.note("19 July 2027", "cells=Sheet1!A3")
    book.save()


if __name__ == "__main__":
    main()
