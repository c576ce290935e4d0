"""usage: python3 simulate.py members.xlsx routes.csv

Prints Member ID,Check-ins,Final points,Reached on for every active level-11 member.
"""
import re
import sys
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

import pandas as pd

GOAL = 12000
START = date(2026, 3, 1)
NO_CHECKINS = [date(2026, 3, 6), date(2026, 3, 17)]


def load(members_file, routes_file):
    """Valid rows of level-11 members (newest first wins), and the routes with points as awarded."""
    members = pd.read_excel(members_file, dtype=str)
    members = members.sort_values("Updated").drop_duplicates("Member ID", keep="last")
    members["Level"] = members["Level"].map(lambda text: int(re.sub(r"\D", "", text)))
    members["Points"] = members["Points"].map(lambda text: int(text.replace(",", "")))
    eleven = members[members["Level"] == 11].sort_values("Member ID")
    routes = {}
    for stop in pd.read_csv(routes_file, dtype=str).itertuples():
        awarded = (Decimal(stop.Points) * Decimal(stop.Factor)).to_integral_value(ROUND_HALF_UP)
        routes.setdefault(stop.Route, []).append((stop.Stop, int(awarded)))
    return eleven, routes


def walk(member, stops):
    """All check-ins of one member: (number, date, stop, points, bonus, total)."""
    at = [name for name, _ in stops].index(member["Last stop"])
    total, day, made = int(member["Points"]), START, []
    while total < GOAL:
        day += timedelta(days=1)
        if day.weekday() == 6 or day in NO_CHECKINS:
            continue
        at = (at + 1) % len(stops)
        bonus = 50 if len(made) % 7 == 6 else 0
        total += stops[at][1] + bonus
        made.append((len(made) + 1, day, stops[at][0], stops[at][1], bonus, total))
    return made


def results(members_file, routes_file):
    eleven, routes = load(members_file, routes_file)
    rows = []
    for _, member in eleven[eleven["Status"] == "active"].iterrows():
        made = walk(member, routes[member["Home route"]])
        last = made[-1] if made else (0, START, member["Last stop"], 0, 0, int(member["Points"]))
        rows.append((member["Member ID"], member["Name"], int(member["Points"]), len(made), last[5], last[1], last[2], made))
    return sorted(rows, key=lambda row: (row[3], row[0]))


if __name__ == "__main__":
    for row in results(*sys.argv[1:3]):
        print(f"{row[0]},{row[3]},{row[4]},{row[5]}")
