"""Solves the task from its attachment, the way an expert would; builds the reference deliverables."""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment, Font, PatternFill
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "tasks"))

from office_files import save_stable  # noqa: E402

HEAD = PatternFill("solid", fgColor="DDE6ED")
REASONS = {
    "twice": "Entered twice (same SKU, shop, shelf and time)",
    "blank": "Quantity is blank",
    "negative": "Quantity is negative",
    "written off": "Written off in Catalogue (status W)",
}


@dataclass
class Stock:
    """The clean stock: rows of (SKU, description, category, quantity, unit cost), sorted by SKU."""

    rows: list[tuple]
    left_out: list[tuple]  # source row, SKU, key of REASONS
    recount: list[str]
    # What the summary says instead of what follows from the rows; for mutations.
    pdf: dict = field(default_factory=dict)

    def value(self) -> float:
        return round(sum(row[3] * row[4] for row in self.rows), 2)

    def quantity(self) -> int:
        return sum(row[3] for row in self.rows)

    def categories(self) -> list[tuple]:
        names = sorted({row[2] for row in self.rows})
        table = []
        for name in names:
            mine = [row for row in self.rows if row[2] == name]
            value = round(sum(row[3] * row[4] for row in mine), 2)
            table.append((name, len(mine), sum(row[3] for row in mine), value))
        return sorted(table, key=lambda entry: -entry[3])

    def top(self) -> list[tuple]:
        return sorted(self.rows, key=lambda row: -row[3] * row[4])[:5]


def spelling(text: str) -> str:
    letters, digits = re.fullmatch(r"\s*([A-Za-z]{2})[\s-]*(\d{3})\s*", text).groups()
    return f"{letters.upper()}-{digits}"


def pieces(value, pack: int) -> int | None:
    """Quantity in pieces; None for a blank."""
    if value is None or str(value).strip() == "":
        return None
    number, unit = re.fullmatch(r"\s*(-?[\d,]+)\s*(cs|cases?|dz)?\s*", str(value)).groups()
    factor = {None: 1, "dz": 12}.get(unit, pack)
    return int(number.replace(",", "")) * factor


def solve(path: Path) -> Stock:
    book = load_workbook(path)
    catalogue = {row[0]: row for row in book["Catalogue"].iter_rows(min_row=2, values_only=True)}
    seen, counts, labels, left_out, mentioned = set(), {}, {}, [], set()
    for number, row in enumerate(book["Count"].iter_rows(min_row=5, values_only=True), start=5):
        shop, shelf, sku, _, quantity, label, counted_at, _ = row
        if sku is None:
            continue
        sku = spelling(sku)
        _, _, _, pack, _, status = catalogue[sku]
        mentioned.add(sku)
        key = (sku, shop, shelf, counted_at)
        count = pieces(quantity, pack)
        reason = None
        if status == "W":
            reason = "written off"
        elif key in seen:
            reason = "twice"
        elif count is None:
            reason = "blank"
        elif count < 0:
            reason = "negative"
        seen.add(key)
        if reason:
            left_out.append((number, sku, reason))
            continue
        counts[sku] = counts.get(sku, 0) + count
        if label:
            labels[sku] = float(str(label).replace(",", "."))
    rows = []
    for sku in sorted(counts):
        _, text, category, _, cost, _ = catalogue[sku]
        rows.append((sku, text, category, counts[sku], cost if cost is not None else labels[sku]))
    recount = sorted(sku for sku in mentioned - set(counts) if catalogue[sku][5] != "W")
    return Stock(rows, left_out, recount)


def build(stock: Stock, folder: Path) -> None:
    build_workbook(stock, folder / "inventory.xlsx")
    build_summary(stock, folder / "summary.pdf")


def build_workbook(stock: Stock, path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Stock"
    write_head(sheet, ["SKU", "Description", "Category", "Quantity", "Unit cost", "Value"], [10, 28, 12, 10, 12, 14])
    for number, row in enumerate(stock.rows, start=2):
        sheet.append([*row, f"=D{number}*E{number}"])
        sheet.cell(number, 4).number_format = "#,##0"
        sheet.cell(number, 5).number_format = sheet.cell(number, 6).number_format = "#,##0.00"
    last = len(stock.rows) + 1
    totals = book.create_sheet("Totals")
    for label, formula, code in [
        ("Number of items", f"=COUNTA(Stock!A2:A{last})", "#,##0"),
        ("Total quantity", f"=SUM(Stock!D2:D{last})", "#,##0"),
        ("Total value", f"=SUM(Stock!F2:F{last})", "#,##0.00"),
    ]:
        totals.append([label, formula])
        totals.cell(totals.max_row, 2).number_format = code
    totals.column_dimensions["A"].width = totals.column_dimensions["B"].width = 18
    groups = book.create_sheet("By category")
    write_head(groups, ["Category", "Items", "Quantity", "Value"], [14, 8, 12, 14])
    for number, (name, *_) in enumerate(stock.categories(), start=2):
        span = f"Stock!$C$2:$C${last},A{number}"
        groups.append(
            [name, f"=COUNTIF({span})", f"=SUMIF({span},Stock!$D$2:$D${last})", f"=SUMIF({span},Stock!$F$2:$F${last})"]
        )
        groups.cell(number, 3).number_format = "#,##0"
        groups.cell(number, 4).number_format = "#,##0.00"
    out = book.create_sheet("Left out")
    write_head(out, ["Source row", "SKU", "Reason"], [12, 10, 48])
    for number, sku, reason in stock.left_out:
        out.append([number, sku, REASONS[reason]])
    save_stable(book, path)


def write_head(sheet, headers: list[str], widths: list[int]) -> None:
    sheet.append(headers)
    for cell, width in zip(sheet[1], widths, strict=True):
        cell.font, cell.fill, cell.alignment = Font(bold=True), HEAD, Alignment(wrap_text=True)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = "A2"


def build_summary(stock: Stock, path: Path) -> None:
    styles = getSampleStyleSheet()
    facts = {
        "items": len(stock.rows),
        "quantity": stock.quantity(),
        "value": stock.value(),
        "categories": stock.categories(),
        "top": stock.top(),
        "recount": stock.recount,
        "pages": 1,
        **stock.pdf,
    }
    groups = [["Category", "Items", "Quantity", "Value (EUR)"]]
    groups += [[name, items, f"{pcs:,}", f"{value:,.2f}"] for name, items, pcs, value in facts["categories"]]
    top = [["SKU", "Article", "Value (EUR)"]]
    top += [[row[0], row[1], f"{row[3] * row[4]:,.2f}"] for row in facts["top"]]
    body = styles["BodyText"]
    story = [
        Paragraph("Year-end stock summary", styles["Title"]),
        Paragraph("Harbour &amp; Pine, as of 31 December 2025", body),
        Spacer(1, 4 * mm),
        Paragraph(f"Number of items: {facts['items']}", body),
        Paragraph(f"Total quantity (pieces): {facts['quantity']:,}", body),
        Paragraph(f"Total stock value (EUR): {facts['value']:,.2f}", body),
        Paragraph("Stock by category", styles["Heading2"]),
        table(groups),
        Paragraph("Five articles with the highest value", styles["Heading2"]),
        table(top),
        Paragraph("Lines left out", styles["Heading2"]),
        Paragraph(left_out_text(stock, facts["recount"]), body),
    ]
    if facts["pages"] > 1:
        story.append(Spacer(1, 180 * mm))
        story.append(Paragraph("Prepared from inventory_raw.xlsx.", body))
    path.parent.mkdir(parents=True, exist_ok=True)
    SimpleDocTemplate(
        str(path), pagesize=A4, title="Year-end stock summary", author="Stock control", invariant=1, topMargin=18 * mm
    ).build(story)


def left_out_text(stock: Stock, recount: list[str]) -> str:
    number = {key: sum(1 for entry in stock.left_out if entry[2] == key) for key in REASONS}
    return (
        f"{len(stock.left_out)} count lines were left out: {number['twice']} entered twice, {number['blank']} with a "
        f"blank quantity, {number['negative']} with a negative quantity and {number['written off']} of articles that "
        f"are written off. No valid count is left for {' and '.join(recount)}: please count again."
    )


def table(rows: list[list]) -> Table:
    made = Table(rows, hAlign="LEFT", colWidths=[40 * mm] + [None] * (len(rows[0]) - 1))
    made.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#DDE6ED")),
                ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
                ("GRID", (0, 0), (-1, -1), 0.25, colors.grey),
                ("ALIGN", (-1, 0), (-1, -1), "RIGHT"),
            ]
        )
    )
    return made
