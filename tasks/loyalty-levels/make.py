"""Makes the attachments and the reference deliverables of this task. Seeded: the same bytes every time.

Run in the agent's Python image (or with the versions pinned there): python3 tasks/loyalty-levels/make.py
"""

import random
import sys
from datetime import date, timedelta
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "tasks"))
sys.path.insert(0, str(HERE))

from office_files import save_stable, save_text  # noqa: E402
from solution import build, solve  # noqa: E402

SEED = 1211

ROUTES = {
    "Lakeside": ("1", [("Boat house", 45), ("Reed bridge", 60), ("Mill", 35), ("Heron hide", 80), ("Jetty", 55)]),
    "Ridge": ("1.25", [("Saddle", 70), ("Cairn", 85), ("North hut", 110), ("Pulpit", 95), ("Old mine", 65)]),
    "Forest": ("1.1", [("Charcoal pit", 45), ("Oak gate", 55), ("Fox spring", 75), ("Sawmill", 35)]),
}

# ID, name, level, points, route, last stop, status, updated
MEMBERS = [
    ("M-1003", "Jonas Reuter", 11, 11420, "Lakeside", "Mill", "active", "2026-02-20"),
    ("M-1009", "Aylin Demir", "Lv 11", "11,240", "Ridge", "Old mine", "active", "2026-02-11"),
    ("M-1017", "Lena Vogt", 11, 11510, "Ridge", "Cairn", "active", "2025-11-03"),
    ("M-1017", "Lena Brandt", "L11", 11610, "Ridge", "North hut", "active", "2026-02-25"),
    ("M-1024", "Marta Kowalczuk", 11, 11085, "Forest", "Sawmill", "active", "2026-02-14"),
    ("M-1042", "Marta Kowalczyk", 10, 10890, "Forest", "Oak gate", "active", "2026-02-14"),
    ("M-1031", "Piet van Dijk", "11 ", 10960, "Lakeside", "Jetty", "active", "2026-01-30"),
    ("M-1036", "Sofia Lindqvist", 11, 11730, "Forest", "Fox spring", "paused", "2026-02-02"),
    ("M-1048", "Tomasz Zielinski", 11, 12010, "Lakeside", "Heron hide", "active", "2026-02-27"),
    ("M-1055", "Noor Haddad", "Lv 11", 11345, "Forest", "Charcoal pit", "active", "2026-01-09"),
    ("M-1055", "Noor Haddad", 11, 11565, "Forest", "Oak gate", "active", "2026-02-19"),
    ("M-1061", "Henrik Aas", 11, 11790, "Lakeside", "Boat house", "left", "2026-02-21"),
    ("M-1066", "Chiara Conti", "L11", 11150, "Ridge", "Pulpit", "active", "2026-02-08"),
    ("M-1073", "Oskar Blom", 11, 11905, "Lakeside", "Reed bridge", "active", "2026-02-16"),
]
OTHER_NAMES = ["Ben Sauer", "Ida Holm", "Luca Moretti", "Emma Roth", "Yusuf Kaya", "Clara Simon", "Max Huber", "Ana Pires"]


def rows(rng: random.Random) -> list[tuple]:
    """The members that matter, among others of every other level."""
    everyone = list(MEMBERS)
    for number, name in enumerate(OTHER_NAMES):
        route = rng.choice(sorted(ROUTES))
        stop = rng.choice(ROUTES[route][1])[0]
        level = rng.choice([7, 8, 9, "Lv 10", 12])
        points = {7: 7200, 8: 8300, 9: 9150, "Lv 10": 10400, 12: 12650}[level] + rng.randrange(0, 500, 5)
        updated = date(2025, 9, 1) + timedelta(days=rng.randint(0, 170))
        everyone.append((f"M-1{100 + 7 * number}", name, level, points, route, stop, "active", updated.isoformat()))
    rng.shuffle(everyone)
    return everyone


def make_members(path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Export"
    sheet.append(["Member ID", "Name", "Level", "Points", "Home route", "Last stop", "Status", "Updated"])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for row in rows(random.Random(SEED)):
        sheet.append(list(row))
    for column, width in {"A": 11, "B": 20, "E": 12, "F": 14, "H": 12}.items():
        sheet.column_dimensions[column].width = width
    save_stable(book, path)


def make_routes(path: Path) -> None:
    lines = ["Route,Factor,No,Stop,Points"]
    for route, (factor, stops) in ROUTES.items():
        lines += [f"{route},{factor},{number},{stop},{points}" for number, (stop, points) in enumerate(stops, start=1)]
    save_text("\n".join(lines) + "\n", path)


if __name__ == "__main__":
    workspace = HERE / "workspace"
    make_members(workspace / "members.xlsx")
    make_routes(workspace / "routes.csv")
    build(solve(workspace), HERE / "reference")
