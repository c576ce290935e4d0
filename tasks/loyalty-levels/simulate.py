"""Simulates check-ins of level-11 members until level 12.

usage: python3 simulate.py members.xlsx routes.csv
"""

import csv
import sys
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from openpyxl import load_workbook

THRESHOLD = 12_000
TODAY = date(2026, 3, 1)
CLOSED = {date(2026, 3, 6), date(2026, 3, 17)}
BONUS_EVERY, BONUS = 7, 50


def number(value) -> int:
    return int(str(value).replace(",", "").strip())


def level(value) -> int:
    return int("".join(sign for sign in str(value) if sign.isdigit()))


def read_members(path) -> tuple[list[dict], list[dict]]:
    """Level-11 members who take part, and those who do not although the export shows level 11."""
    table = list(load_workbook(path).worksheets[0].iter_rows(values_only=True))
    newest: dict[str, dict] = {}
    for row in table[1:]:
        entry = dict(zip(table[0], row, strict=True))
        known = newest.get(entry["Member ID"])
        if known is None or entry["Updated"] > known["Updated"]:
            newest[entry["Member ID"]] = entry
    eleven = [entry for _, entry in sorted(newest.items()) if level(entry["Level"]) == 11]
    return (
        [entry for entry in eleven if entry["Status"] == "active"],
        [entry for entry in eleven if entry["Status"] != "active"],
    )


def read_routes(path) -> dict[str, list[tuple[str, int]]]:
    """Stops of each route in order, with the points of one check-in."""
    routes: dict[str, list[tuple[str, int]]] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            points = (Decimal(row["Points"]) * Decimal(row["Factor"])).quantize(Decimal(1), ROUND_HALF_UP)
            routes.setdefault(row["Route"], []).append((row["Stop"], int(points)))
    return routes


def next_day(day: date) -> date:
    day += timedelta(days=1)
    while day.weekday() == 6 or day in CLOSED:
        day += timedelta(days=1)
    return day


def simulate(member: dict, routes: dict) -> dict:
    stops = routes[member["Home route"]]
    names = [name for name, _ in stops]
    position = names.index(member["Last stop"])
    total, day, log = number(member["Points"]), TODAY, []
    while total < THRESHOLD:
        position = (position + 1) % len(stops)
        day = next_day(day)
        name, points = stops[position]
        bonus = BONUS if (len(log) + 1) % BONUS_EVERY == 0 else 0
        total += points + bonus
        log.append((len(log) + 1, day, name, points, bonus, total))
    return {
        "id": member["Member ID"],
        "name": member["Name"],
        "start": number(member["Points"]),
        "checkins": len(log),
        "final": total,
        "reached": day,
        "stop": names[position],
        "log": log,
    }


def run(members_path, routes_path) -> tuple[list[dict], list[dict]]:
    members, left_out = read_members(members_path)
    routes = read_routes(routes_path)
    results = [simulate(member, routes) for member in members]
    return sorted(results, key=lambda one: (one["checkins"], one["id"])), left_out


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 simulate.py members.xlsx routes.csv")
    for one in run(sys.argv[1], sys.argv[2])[0]:
        print(f"{one['id']},{one['checkins']},{one['final']},{one['reached'].isoformat()}")
