"""Writes results/summary.pdf from the figures of the clean stock."""
import json
from collections import Counter

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

data = json.load(open("stock.json"))
stock = data["stock"]
value = {line[0]: round(line[3] * line[4], 2) for line in stock}
styles = getSampleStyleSheet()
normal, heading = styles["Normal"], styles["Heading2"]
look = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.lightgrey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#EFEFE4")),
        ("ALIGN", (-1, 0), (-1, -1), "RIGHT"),
    ]
)

groups = [["Category", "Items", "Quantity", "Value in EUR"]]
groups += [[name, items, f"{pieces:,}", f"{amount:,.2f}"] for name, items, pieces, amount in data["byCategory"]]
best = sorted(stock, key=lambda line: -value[line[0]])[:5]
top = [["Rank", "SKU", "Article", "Value in EUR"]]
top += [[rank, line[0], line[1], f"{value[line[0]]:,.2f}"] for rank, line in enumerate(best, start=1)]

number = Counter(reason for _, _, reason in data["out"])
left_out = (
    f"{len(data['out'])} count lines are not part of the stock: {number['Line entered twice']} were entered twice, "
    f"{number['No quantity (blank)']} have no quantity, {number['Negative quantity']} has a negative quantity and "
    f"{number['Article is written off']} belong to a written-off article."
)
recount = f"To be counted again, since no valid count is left: {', '.join(data['recount'])}."

document = SimpleDocTemplate("results/summary.pdf", pagesize=A4, title="Stock summary 2025")
document.build(
    [
        Paragraph("Harbour &amp; Pine: stock on 31 December 2025", styles["Title"]),
        Paragraph(f"Number of items: {len(stock)}", normal),
        Paragraph(f"Total quantity (pieces): {sum(line[3] for line in stock):,}", normal),
        Paragraph(f"Total stock value (EUR): {sum(value.values()):,.2f}", normal),
        Paragraph("By category", heading),
        Table(groups, hAlign="LEFT", style=look, colWidths=[110, 60, 70, 90]),
        Paragraph("Highest value", heading),
        Table(top, hAlign="LEFT", style=look, colWidths=[40, 70, 180, 90]),
        Paragraph("What is not counted", heading),
        Paragraph(left_out, normal),
        Spacer(1, 6),
        Paragraph(recount, normal),
    ]
)
