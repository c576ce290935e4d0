"""Makes both files in one pass over the count."""
import re

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font, PatternFill
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

book = load_workbook("inventory_raw.xlsx")
articles = {row[0]: row for row in book["Catalogue"].iter_rows(min_row=2, values_only=True)}
stock, out, seen, labels = {}, [], set(), {}
grand_total, grand_pieces, groups = 0.0, 0, {}
for row, (shop, shelf, sku, _, amount, cost, time, _) in enumerate(book["Count"].iter_rows(min_row=5, values_only=True), 5):
    if sku is None:
        continue
    sku = re.sub(r"[\s-]", "", sku).upper()
    sku = f"{sku[:2]}-{sku[2:]}"
    _, text, category, pack, price, status = articles[sku]
    match = re.match(r"\s*(-?[\d,]+)\s*(\w*)", str(amount)) if amount is not None else None
    pieces = int(match[1].replace(",", "")) if match else None
    if match and match[2] in ("cs", "cases"):
        pieces *= pack
    if match and match[2] == "dz":
        pieces *= 12
    if price is None:
        price = float(cost.replace(",", "."))
    labels[sku] = price
    if pieces is not None and pieces > 0:
        # the running totals for the summary
        grand_pieces += pieces
        grand_total += pieces * price
        group = groups.setdefault(category, [0, 0.0])
        group[0] += pieces
        group[1] += pieces * price
    key = (sku, shop, shelf, time)
    if status == "W":
        out.append((row, sku, "written off"))
    elif key in seen:
        out.append((row, sku, "duplicate"))
    elif pieces is None or pieces < 0:
        out.append((row, sku, "no valid quantity"))
    else:
        stock[sku] = stock.get(sku, 0) + pieces
    seen.add(key)

new = Workbook()
sheet = new.active
sheet.title = "Stock"
sheet.append(["SKU", "Description", "Category", "Quantity", "Unit cost", "Value"])
for row, sku in enumerate(sorted(stock), start=2):
    sheet.append([sku, articles[sku][1], articles[sku][2], stock[sku], labels[sku], f"=D{row}*E{row}"])
    for letter, code in {"D": "#,##0", "E": "#,##0.00", "F": "#,##0.00"}.items():
        sheet[f"{letter}{row}"].number_format = code
end = len(stock) + 1
totals = new.create_sheet("Totals")
for label, formula in [("Number of items", f"=COUNTA(Stock!A2:A{end})"), ("Total quantity", f"=SUM(Stock!D2:D{end})"), ("Total value", f"=SUM(Stock!F2:F{end})")]:
    totals.append([label, formula])
totals["B3"].number_format = "#,##0.00"
by_category = new.create_sheet("By category")
by_category.append(["Category", "Items", "Quantity", "Value"])
tidy = {}
for sku, pieces in stock.items():
    line = tidy.setdefault(articles[sku][2], [0, 0, 0.0])
    line[0] += 1
    line[1] += pieces
    line[2] += pieces * labels[sku]
for name, line in sorted(tidy.items(), key=lambda entry: -entry[1][2]):
    by_category.append([name, line[0], line[1], round(line[2], 2)])
left = new.create_sheet("Left out")
left.append(["Source row", "SKU", "Reason"])
for line in out:
    left.append(line)
for sheet in new:
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="FFF2CC")
    sheet.column_dimensions["A"].width = 18
    sheet.column_dimensions["B"].width = 26
    sheet.column_dimensions["F"].width = 13
new.save("results/inventory.xlsx")

styles = getSampleStyleSheet()
best = sorted(stock, key=lambda sku: -stock[sku] * labels[sku])[:5]
SimpleDocTemplate("results/summary.pdf", pagesize=A4).build(
    [
        Paragraph("Stock summary", styles["Title"]),
        Paragraph(f"Number of items: {len(stock)}", styles["Normal"]),
        Paragraph(f"Total quantity (pieces): {grand_pieces:,}", styles["Normal"]),
        Paragraph(f"Total stock value (EUR): {grand_total:,.2f}", styles["Normal"]),
        Paragraph("By category", styles["Heading2"]),
        Table(
            [["Category", "Items", "Quantity", "Value"]]
            + [[name, tidy[name][0], f"{pieces:,}", f"{value:,.2f}"] for name, (pieces, value) in sorted(groups.items(), key=lambda entry: -entry[1][1])],
            style=[("GRID", (0, 0), (-1, -1), 0.5, colors.grey)],
            hAlign="LEFT",
        ),
        Paragraph("Most valuable articles", styles["Heading2"]),
        *[Paragraph(f"{sku} {articles[sku][1]}: {stock[sku] * labels[sku]:,.2f}", styles["Normal"]) for sku in best],
        Paragraph("Remarks", styles["Heading2"]),
        Paragraph("Lines without a usable entry were left out; all other counts were taken over carefully.", styles["Normal"]),
    ]
)
print("done:", len(stock), "articles")
