"""Makes the attachment and the reference deliverables of this task. Seeded: the same bytes every time.

Run in the agent's Python image (or with the versions pinned there): python3 tasks/inventory-summary/make.py
"""

import random
import sys
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "tasks"))
sys.path.insert(0, str(HERE))

from office_files import save_stable  # noqa: E402
from solution import build, solve  # noqa: E402

SEED = 20251231

# SKU, description, category, pack size, unit cost in EUR (None = not maintained), status
CATALOGUE = [
    ("GD-401", "Terracotta pot 12 cm", "Garden", 24, 1.85, "A"),
    ("GD-407", "Watering can, zinc", "Garden", 6, 11.4, "A"),
    ("GD-412", "Pruning shears", "Garden", 10, 9.75, "A"),
    ("GD-420", "Seed tin, enamel", "Garden", 12, 7.2, "A"),
    ("GD-433", "Garden twine 100 m", "Garden", 40, 2.3, "A"),
    ("KT-101", "Chef's knife 20 cm", "Kitchen", 8, 24.9, "A"),
    ("KT-104", "Mixing bowl, steel 3 l", "Kitchen", 12, 8.6, "A"),
    ("KT-109", "Cast iron pan 26 cm", "Kitchen", 4, 31.5, "A"),
    ("KT-112", "Wooden spoon, beech", "Kitchen", 50, 1.1, "A"),
    ("KT-118", "Digital kitchen scale", "Kitchen", 10, 14.25, "A"),
    ("KT-123", "Silicone spatula", "Kitchen", 30, 2.95, "A"),
    ("KT-130", "Salad spinner", "Kitchen", 6, 16.8, "W"),
    ("PN-301", "Storage jar 1 l", "Pantry", 12, 4.2, "A"),
    ("PN-305", "Bread bin, ash lid", "Pantry", 2, 27.0, "A"),
    ("PN-310", "Spice rack, oak", "Pantry", 5, 19.9, "A"),
    ("PN-316", "Oil dispenser 0.5 l", "Pantry", 12, 6.45, "A"),
    ("PN-322", "Flour sifter", "Pantry", 20, None, "A"),
    ("TB-201", "Dinner plate, stoneware", "Table", 6, 7.9, "A"),
    ("TB-205", "Soup bowl, stoneware", "Table", 6, 6.75, "A"),
    ("TB-210", "Water glass 0.3 l", "Table", 24, 1.95, "A"),
    ("TB-214", "Linen napkin, sand", "Table", 20, None, "A"),
    ("TB-219", "Cutlery set, 24 pieces", "Table", 3, 58.0, "A"),
    ("TB-226", "Candle holder, brass", "Table", 10, 12.6, "A"),
    ("TB-231", "Table runner, linen", "Table", 15, 15.3, "A"),
]

READ_ME = [
    "How we count (stock on 31 December 2025)",
    "1. A SKU is two letters, a dash and three digits (KT-104). People leave the dash out or use small letters; it is the same SKU.",
    "2. Stock is kept in pieces. 'cs', 'case' and 'cases' are full cases: multiply by the pack size in Catalogue. 'dz' is twelve pieces. No unit means pieces.",
    "3. The same line typed twice (same SKU, shop, shelf and time of the count) is one count: the first one stays.",
    "4. One SKU on several shelves or in both shops: add the counts.",
    "5. A blank or negative quantity is not a count. A SKU with no valid count does not appear in the stock and must be counted again.",
    "6. Status W in Catalogue means written off: these articles are not stock.",
    "7. Unit cost: Catalogue wins. Only where Catalogue has none, take the cost from the label (labels use a decimal comma).",
    "8. Subtotals and remarks that somebody typed between the lines are not count lines.",
]

HEADERS = ["Shop", "Shelf", "SKU", "Description", "Qty", "Label cost", "Counted at", "By"]


def plain_lines(rng: random.Random) -> list[list]:
    """One ordinary count line for most articles; the traps are put among them by `count_lines`."""
    lines = []
    trapped = {"KT-104", "TB-201", "PN-310", "KT-130", "TB-210", "GD-433", "PN-322", "TB-214"}
    for sku, text, _, _, cost, _ in CATALOGUE:
        if sku not in trapped:
            shop = rng.choice(["Harbour", "Old Town"])
            label = None if rng.random() < 0.4 else f"{cost * rng.choice([1, 1, 1.1]):.2f}".replace(".", ",")
            lines.append([shop, shelf(rng), sku, text, rng.randint(8, 140), label, clock(rng), initials(rng)])
    rng.shuffle(lines)
    return lines


def shelf(rng: random.Random) -> str:
    return f"{rng.choice('ABCD')}{rng.randint(1, 9)}"


def clock(rng: random.Random) -> str:
    return f"2025-12-31 {rng.randint(9, 17):02d}:{rng.randint(0, 59):02d}"


def initials(rng: random.Random) -> str:
    return rng.choice(["ML", "ts", "R. Okafor", "jk"])


def count_lines(rng: random.Random) -> list[list]:
    lines = plain_lines(rng)
    repeated = ["Old Town", "B2", "TB-201", "dinner plate stoneware", 64, "7,90", "2025-12-31 10:15", "ts"]
    traps = [
        (2, ["Harbour", "A3", "kt104", "mixing bowl", "11 cs", None, "2025-12-31 09:40", "ML"]),
        (4, repeated),
        (5, ["Harbour", "C1", "TB-201", "Dinner plate", 38, None, "2025-12-31 11:05", "jk"]),
        (7, ["Old Town", "D4", "PN-310", "Spice rack", None, "19,90", "2025-12-31 12:20", "R. Okafor"]),
        (8, ["Subtotal A-B", None, None, None, 512, None, None, None]),
        (9, [*repeated[:3], "Dinner plate, stoneware", *repeated[4:7], "ML"]),
        (11, ["Harbour", "B6", "KT-130", "Salad spinner", 17, "16,80", "2025-12-31 13:02", "ML"]),
        (12, ["Harbour", "D1", "tb 210", "Water glass", "1,250", None, "2025-12-31 13:30", "jk"]),
        (14, ["Old Town", "A7", "GD433", "twine", "6 dz", "2,30", "2025-12-31 14:11", "ts"]),
        (15, ["Harbour", "C8", "PN-322", "Flour sifter", " 46 ", "5,35", "2025-12-31 14:26", "ML"]),
        (16, ["Old Town", "C2", "TB-214", "Linen napkin sand", "3 cases", "3,40", "2025-12-31 14:40", "ts"]),
        (18, ["Old Town", "D4", "pn310", "Spice rack oak", -4, None, "2025-12-31 15:01", "R. Okafor"]),
        (19, ["Harbour", "B9", "KT-104", "Mixing bowl, steel 3 l", 24, "8,60", "2025-12-31 15:12", "jk"]),
        (21, ["Old Town", "A1", "KT-130", "Salad spinner", 5, None, "2025-12-31 15:55", "R. Okafor"]),
        (22, ["Harbour", "A2", "KT-118", "Kitchen scale", None, "15,90", "2025-12-31 16:02", "ML"]),
        (24, ["check with Tom on Monday!", None, None, None, None, None, None, None]),
        (25, ["Old Town", "C2", "TB-214", "linen napkin", "3 cases", "3,40", "2025-12-31 14:40", "jk"]),
    ]
    for position, line in traps:
        lines.insert(position, list(line))
    return lines


def make_raw(path: Path) -> None:
    rng = random.Random(SEED)
    book = Workbook()
    sheet = book.active
    sheet.title = "Count"
    sheet["A1"] = "Harbour & Pine - year-end count 2025"
    sheet["A1"].font = Font(bold=True, size=14)
    sheet["A2"] = "Shops: Harbour, Old Town. Typed from the paper lists."
    for column, header in enumerate(HEADERS, start=1):
        sheet.cell(4, column, header).font = Font(bold=True)
    for row, line in enumerate(count_lines(rng), start=5):
        for column, value in enumerate(line, start=1):
            if value is not None:
                sheet.cell(row, column, value)
    catalogue = book.create_sheet("Catalogue")
    catalogue.append(["SKU", "Description", "Category", "Pack size", "Unit cost EUR", "Status"])
    for entry in CATALOGUE:
        catalogue.append(list(entry))
    read_me = book.create_sheet("Read me")
    for text in READ_ME:
        read_me.append([text])
    for name, width in {"A": 16, "C": 10, "D": 26, "F": 12, "G": 18}.items():
        sheet.column_dimensions[name].width = width
    save_stable(book, path)


if __name__ == "__main__":
    make_raw(HERE / "workspace" / "inventory_raw.xlsx")
    build(solve(HERE / "workspace" / "inventory_raw.xlsx"), HERE / "reference")
