"""Cleans the count and writes results/inventory.xlsx; keeps the figures for the summary in stock.json."""
import json
import re

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font

book = load_workbook("inventory_raw.xlsx")
articles = {}
for sku, text, category, pack, cost, status in book["Catalogue"].iter_rows(min_row=2, values_only=True):
    articles[sku] = {"text": text, "category": category, "pack": pack, "cost": cost, "status": status}


def clean_sku(raw):
    raw = re.sub(r"[^A-Z0-9]", "", raw.upper())
    return raw[:2] + "-" + raw[2:]


def to_pieces(raw, pack):
    if raw is None:
        return None
    text = str(raw).strip().lower().replace(",", "")
    if text == "":
        return None
    if text.endswith("dz"):
        return int(text[:-2]) * 12
    for unit in ("cases", "case", "cs"):
        if text.endswith(unit):
            return int(text[: -len(unit)]) * pack
    return int(text)


quantity, label, seen, out = {}, {}, set(), []
for row, line in enumerate(book["Count"].iter_rows(min_row=5, values_only=True), start=5):
    shop, shelf, raw_sku, _, raw_quantity, cost, time, _ = line
    if not raw_sku:
        continue  # subtotals and remarks
    sku = clean_sku(raw_sku)
    article = articles[sku]
    pieces = to_pieces(raw_quantity, article["pack"])
    repeated = (sku, shop, shelf, time) in seen
    seen.add((sku, shop, shelf, time))
    if article["status"] == "W":
        out.append((row, sku, "Article is written off"))
    elif repeated:
        out.append((row, sku, "Line entered twice"))
    elif pieces is None:
        out.append((row, sku, "No quantity (blank)"))
    elif pieces < 0:
        out.append((row, sku, "Negative quantity"))
    else:
        quantity[sku] = quantity.get(sku, 0) + pieces
        if cost:
            label[sku] = float(cost.replace(",", "."))

stock = []
for sku in sorted(quantity):
    article = articles[sku]
    cost = article["cost"] if article["cost"] is not None else label[sku]
    stock.append([sku, article["text"], article["category"], quantity[sku], cost])

new = Workbook()
sheet = new.active
sheet.title = "Stock"
sheet.append(["SKU", "Description", "Category", "Quantity", "Unit cost", "Value"])
for row, line in enumerate(stock, start=2):
    sheet.append(line + [f"=D{row}*E{row}"])
    sheet[f"D{row}"].number_format = "#,##0"
    sheet[f"E{row}"].number_format = "#,##0.00"
    sheet[f"F{row}"].number_format = "#,##0.00"
end = len(stock) + 1

totals = new.create_sheet("Totals")
totals.append(["Number of items", f"=COUNTA(Stock!A2:A{end})"])
totals.append(["Total quantity", f"=SUM(Stock!D2:D{end})"])
totals.append(["Total value", f"=SUM(Stock!F2:F{end})"])
totals["B2"].number_format = "#,##0"
totals["B3"].number_format = "#,##0.00"

groups = {}
for _, _, category, pieces, cost in stock:
    group = groups.setdefault(category, [0, 0, 0.0])
    group[0] += 1
    group[1] += pieces
    group[2] = round(group[2] + pieces * cost, 2)
by_category = sorted(([name, *group] for name, group in groups.items()), key=lambda line: -line[3])
sheet = new.create_sheet("By category")
sheet.append(["Category", "Items", "Quantity", "Value"])
for line in by_category:
    sheet.append(line)
    sheet.cell(sheet.max_row, 3).number_format = "#,##0"
    sheet.cell(sheet.max_row, 4).number_format = "#,##0.00"

sheet = new.create_sheet("Left out")
sheet.append(["Source row", "SKU", "Reason"])
for line in out:
    sheet.append(list(line))

for sheet in new:
    if sheet.title != "Totals":
        sheet.freeze_panes = "A2"
        for cell in sheet[1]:
            cell.font = Font(bold=True)
    for column in sheet.columns:
        texts = [str(cell.value) for cell in column if not str(cell.value).startswith("=")]
        width = max((len(text) for text in texts), default=10)
        sheet.column_dimensions[column[0].column_letter].width = max(12, width + 2)
for letter in "EF":
    new["Stock"].column_dimensions[letter].width = 13
new["Totals"].column_dimensions["B"].width = 14
new.save("results/inventory.xlsx")

recount = sorted({sku for _, sku, _ in out if sku not in quantity and articles[sku]["status"] != "W"})
with open("stock.json", "w") as file:
    json.dump({"stock": stock, "byCategory": by_category, "out": out, "recount": recount}, file)
print(len(stock), "articles,", sum(quantity.values()), "pieces,", round(sum(line[3] * line[4] for line in stock), 2), "EUR")
print(len(out), "lines left out:", out, "recount:", recount)
