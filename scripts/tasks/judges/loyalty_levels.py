from .session import (
    Item, call, cell, cells, files, find, image, info, line, lookup, met, page, python, text, unmet,
)  # fmt: skip

BOOK, NOTE, CODE = "level12.xlsx", "briefing.md", "simulate.py"
IN, OUT, EXPORT = f"results/{BOOK}", f"results/{NOTE}", "inputs/members.xlsx"

AGREE = """
from openpyxl import load_workbook
book = load_workbook('/evidence/results/level12.xlsx')
last = {row[0]: row[6] for row in book['Log'].iter_rows(min_row=2, values_only=True)}
for row in book['Result'].iter_rows(min_row=2, values_only=True):
    print(row[0], row[3], row[4], last.get(row[0]), row[3] == 0 or row[4] == last.get(row[0]))
"""


def rerun() -> list:
    run = call("run_delivered_code", path=f"results/{CODE}", arguments=["members.xlsx", "routes.csv"])
    return [[files(), run], [cells(IN, "Result", "A1:F10")]]


def all_three(verdict) -> dict:
    return {"reference": verdict, "strong": verdict, "weak": verdict}


def first_row(key: str, header: str, quote: str):
    """First row of a member in the Log."""
    return lookup(BOOK, "Log", key, header, quote)


ITEMS = [
    Item(
        "first-stop",
        [[find("M-1003", EXPORT)], [find("M-1003", IN), cells(IN, "Log", "A30:G42")]],
        all_three(
            met(
                "The export has Mill as the last stop; the Log begins with Heron hide on 2 March.",
                first_row("M-1003", "Stop", "Heron hide"),
                first_row("M-1003", "Date", "2026-03-02"),
            )
        ),
    ),
    Item(
        "route-wraps",
        [[text("inputs/routes.csv")], [cells(IN, "Log", "A30:G42")]],
        all_three(
            met(
                "The third check-in of M-1003 follows Jetty and is at Boat house, the first stop of Lakeside.",
                cell(BOOK, "Log", "D31", "Jetty"),
                cell(BOOK, "Log", "D32", "Boat house"),
            )
        ),
    ),
    Item(
        "log-result-agree",
        [[info(IN)], [python(AGREE)]],
        all_three(
            met(
                "Python finds the last Total of each member in the Log equal to Final points, for all eight with check-ins.",
                lookup(BOOK, "Result", "M-1024", "Final points"),
                lookup(BOOK, "Result", "M-1031", "Final points"),
            )
        ),
    ),
    Item(
        "inactive-left-out",
        [[find("M-1036", IN), find("M-1061", IN)], [cells(IN, "Result", "A1:A10")]],
        all_three(
            met(
                "Neither number is found in the workbook; Result has nine other members.",
                searched=((IN, "M-1036"), (IN, "M-1061")),
            )
        ),
    ),
    Item(
        "briefing-first-three",
        [[text(OUT)], [cells(IN, "Result", "A1:F10")]],
        {
            "reference": met(
                "The three names and dates are the expected ones.",
                line(NOTE, "Tomasz Zielinski (M-1048): 2026-03-01"),
                line(NOTE, "Oskar Blom (M-1073): 2026-03-03"),
                line(NOTE, "Lena Brandt (M-1017): 2026-03-05"),
            ),
            "strong": met(
                "The three names and dates are the expected ones.",
                line(NOTE, "Tomasz Zielinski (M-1048) on 2026-03-01"),
                line(NOTE, "Oskar Blom (M-1073) on 2026-03-03"),
                line(NOTE, "Lena Brandt (M-1017) on 2026-03-05"),
            ),
            "weak": unmet(
                "The third one is called Lena Vogt, the name of an old row of the export; the member is Lena Brandt now.",
                line(NOTE, "Lena Vogt (2026-03-05)"),
            ),
        },
    ),
    Item(
        "briefing-last",
        [[text(OUT)], [cells(IN, "Result", "A10:F10")]],
        {
            "reference": met(
                "Piet van Dijk on 2026-03-24.", line(NOTE, "The last one is Piet van Dijk (M-1031) on 2026-03-24.")
            ),
            "strong": met("Piet van Dijk on 2026-03-24.", line(NOTE, "Piet van Dijk (M-1031) on 2026-03-24")),
            "weak": unmet(
                "The name is right, the date is three days early: the closed days were not skipped.",
                line(NOTE, "The last one is Piet van Dijk on 2026-03-21."),
            ),
        },
    ),
    Item(
        "briefing-left-out",
        [[text(OUT)], [find("M-1036", EXPORT), find("M-1061", EXPORT)]],
        {
            "reference": met(
                "Both are named with their status.",
                line(NOTE, "Sofia Lindqvist (M-1036, paused) and Henrik Aas (M-1061, left)"),
            ),
            "strong": unmet(
                "Both are named, but the reason is missing for both.",
                line(NOTE, "Not included: Sofia Lindqvist, Henrik Aas."),
            ),
            "weak": unmet(
                "Both are named, but the reason is missing for both.",
                line(NOTE, "Members Henrik Aas and Sofia Lindqvist are not included."),
            ),
        },
    ),
    Item(
        "briefing-short",
        [[files(), text(OUT)]],
        {
            "reference": met("Eight lines without the blank ones.", line(NOTE, "# Level-12 parcels")),
            "strong": met("Eight lines without the blank ones.", line(NOTE, "# Level 12: who needs a parcel when")),
            "weak": met("Four lines without the blank ones.", line(NOTE, "Every figure below was verified")),
        },
    ),
    Item(
        "script-reruns",
        rerun(),
        {
            "reference": met(
                "The script prints nine lines with the figures of Result and nothing else.",
                lookup(BOOK, "Result", "M-1073", "Final points"),
                lookup(BOOK, "Result", "M-1031", "Check-ins"),
            ),
            "strong": met(
                "The script prints nine lines with the figures of Result and nothing else.",
                lookup(BOOK, "Result", "M-1073", "Final points"),
                lookup(BOOK, "Result", "M-1031", "Check-ins"),
            ),
            "weak": unmet(
                "The script prints a heading before the nine lines, which the request excludes.",
                line(CODE, "Member ID,Check-ins,Final points,Reached on"),
            ),
        },
    ),
    Item(
        "sheets-readable",
        [[info(IN), image(IN)]],
        {
            **dict.fromkeys(
                ("reference", "strong"),
                met(
                    "Names, numbers and dates are shown whole; no cell shows number signs.",
                    page(BOOK),
                    lookup(BOOK, "Result", "M-1017", "Name", "Lena Brandt"),
                ),
            ),
            "weak": met(
                "Names, numbers and dates are shown whole; no cell shows number signs.",
                page(BOOK),
                lookup(BOOK, "Result", "M-1017", "Name", "Lena Vogt"),
            ),
        },
    ),
]
