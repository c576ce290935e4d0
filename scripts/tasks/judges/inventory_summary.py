from .session import Item, cell, cells, compare, files, find, image, info, line, lookup, met, page, python, text, unmet

BOOK, PDF = "inventory.xlsx", "summary.pdf"
IN, OUT, RAW = f"results/{BOOK}", f"results/{PDF}", "inputs/inventory_raw.xlsx"

SUM = """
from openpyxl import load_workbook
rows = list(load_workbook('/evidence/results/inventory.xlsx')['Stock'].iter_rows(min_row=2, values_only=True))
print(len(rows), sum(row[3] for row in rows), round(sum(row[3] * row[4] for row in rows), 2))
"""


def all_three(verdict) -> dict:
    return {"reference": verdict, "strong": verdict, "weak": verdict}


def but_weak(good, weak) -> dict:
    return {"reference": good, "strong": good, "weak": weak}


ITEMS = [
    Item(
        "value-total-right",
        [[files(), cells(IN, "Totals", "A1:B3")], [python(SUM)]],
        all_three(
            met(
                "Python adds quantity times unit cost over all rows of Stock to 22328.4; the sheet Totals shows the same.",
                cell(BOOK, "Totals", "B3", "22,328.40"),
            )
        ),
    ),
    Item(
        "dozen-converted",
        [[cells(IN, "Stock", "A2:D8")], [find("6 dz", RAW)]],
        all_three(
            met(
                "The count has GD433 with 6 dz, which is 72 pieces; Stock has 72.",
                lookup(BOOK, "Stock", "GD-433", "Quantity"),
            )
        ),
    ),
    Item(
        "categories-right",
        [[info(IN), cells(IN, "By category", "A1:D5")]],
        all_three(
            met(
                "Four categories with the expected items and values, highest value first.",
                cell(BOOK, "By category", "D2", "10123.45"),
                cell(BOOK, "By category", "D3", "5463.7"),
                cell(BOOK, "By category", "D4", "3879.55"),
                cell(BOOK, "By category", "D5", "2861.7"),
            )
        ),
    ),
    Item(
        "descriptions-clean",
        [[compare(IN, RAW)], [cells(IN, "Stock", "B2:B23"), cells(RAW, "Catalogue", "A1:B25")]],
        all_three(
            met(
                "The descriptions are the catalogue's, e.g. for the articles that were typed as mixing bowl and twine.",
                lookup(BOOK, "Stock", "KT-104", "Description"),
                lookup(BOOK, "Stock", "GD-433", "Description"),
            )
        ),
    ),
    Item(
        "left-out-reasons",
        [[files(), cells(IN, "Left out", "A1:C8")], [cells(RAW, "Count", "A12:H30")]],
        {
            "reference": met(
                "Each reason fits its line: 12 and 27 blank, 14 and 30 typed twice, 23 negative, 16 and 26 written off.",
                lookup(BOOK, "Left out", "14", "Reason"),
                lookup(BOOK, "Left out", "23", "Reason"),
                lookup(BOOK, "Left out", "26", "Reason"),
            ),
            "strong": met(
                "Each reason fits its line: 12 and 27 blank, 14 and 30 typed twice, 23 negative, 16 and 26 written off.",
                lookup(BOOK, "Left out", "12", "Reason"),
                lookup(BOOK, "Left out", "23", "Reason"),
                lookup(BOOK, "Left out", "30", "Reason"),
            ),
            "weak": unmet(
                "Rows 12 and 23 have the same reason, which does not tell a blank quantity from a negative one.",
                lookup(BOOK, "Left out", "12", "Reason"),
                lookup(BOOK, "Left out", "23", "Reason"),
            ),
        },
    ),
    Item(
        "pdf-categories",
        [[text(OUT)], [cells(IN, "By category", "A1:D5")]],
        but_weak(
            met(
                "All four lines of the PDF's table carry the figures of the sheet By category.",
                line(PDF, "10,123.45"),
                line(PDF, "5,463.70"),
                cell(BOOK, "By category", "D2", "10123.45"),
            ),
            unmet(
                "The PDF gives Table 10,833.05 and Kitchen 5,833.30, the workbook 10,123.45 and 5,463.70.",
                line(PDF, "10,833.05"),
                line(PDF, "5,833.30"),
                cell(BOOK, "By category", "D2", "10123.45"),
            ),
        ),
    ),
    Item(
        "pdf-top-five",
        [[text(OUT)], [cells(IN, "Stock", "A2:F23")]],
        all_three(
            met(
                "The five articles stand in the expected order, from TB-219 with 4,234.00 to KT-104 with 1,341.60.",
                line(PDF, "TB-219"),
                line(PDF, "PN-305"),
                line(PDF, "KT-109"),
                line(PDF, "2,437.50"),
                line(PDF, "1,341.60"),
            )
        ),
    ),
    Item(
        "pdf-left-out",
        [[files(), text(OUT)]],
        {
            "reference": met("Seven lines, with a number for each reason.", line(PDF, "7 count lines were left out: 2 entered twice")),
            "strong": met(
                "Seven lines, with a number for each reason.",
                line(PDF, "7 count lines are not part of the stock: 2 were entered twice"),
            ),
            "weak": unmet(
                "The remark gives neither the number of lines nor their reasons.",
                line(PDF, "Lines without a usable entry were left out"),
            ),
        },
    ),
    Item(
        "pdf-recount",
        [[find("PN-310", OUT), find("KT-118", OUT)], [text(OUT)]],
        {
            "reference": met("Only PN-310 is named.", line(PDF, "PN-310")),
            "strong": met(
                "Only PN-310 is named.", line(PDF, "To be counted again, since no valid count is left: PN-310.")
            ),
            "weak": unmet("PN-310 is nowhere in the PDF.", searched=((OUT, "PN-310"),)),
        },
        refused_first={
            # The words are not in the PDF: grounding sends this one back.
            "strong": met("Only PN-310 is named.", line(PDF, "PN-310", "Please count PN-310 and KT-118 once more")),
        },
    ),
    Item(
        "page-readable",
        [[files(), image(OUT)]],
        but_weak(
            met(
                "The page shows its tables and paragraphs whole, nothing overlaps or is cut.",
                page(PDF),
                line(PDF, "Total stock value (EUR): 22,328.40"),
            ),
            met(
                "The page shows its table and paragraphs whole, nothing overlaps or is cut.",
                page(PDF),
                line(PDF, "Total stock value (EUR): 23,407.60"),
            ),
        ),
    ),
]
