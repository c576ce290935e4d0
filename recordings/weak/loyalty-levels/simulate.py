import csv
import sys
from datetime import date, timedelta

from openpyxl import load_workbook

table = list(load_workbook(sys.argv[1]).active.iter_rows(min_row=2, values_only=True))
stops, factor = {}, {}
for row in csv.DictReader(open(sys.argv[2])):
    stops.setdefault(row["Route"], []).append((row["Stop"], int(row["Points"])))
    factor[row["Route"]] = float(row["Factor"])

table.sort(key=lambda row: row[7])
names, latest = {}, {}
for row in table:
    names.setdefault(row[0], row[1])
    latest[row[0]] = row

rows = []
for member, (_, _, level, points, route, last, status, _) in sorted(latest.items()):
    if "".join(c for c in str(level) if c.isdigit()) != "11" or status != "active":
        continue
    start = total = int(str(points).replace(",", ""))
    order = [stop for stop, _ in stops[route]]
    at, day, made = order.index(last), date(2026, 3, 1), []
    while total < 12000:
        day += timedelta(days=1)
        if day.weekday() == 6:
            day += timedelta(days=1)
        at = (at + 1) % len(order)
        gained = int(stops[route][at][1] * factor[route] + 0.5)
        bonus = 50 if len(made) % 7 == 6 else 0
        total += gained + bonus
        made.append((len(made) + 1, day, order[at], gained, bonus, total))
    rows.append((member, names[member], start, len(made), total, day, order[at], made))
rows.sort(key=lambda row: (row[3], row[0]))

if __name__ == "__main__":
    print("Member ID,Check-ins,Final points,Reached on")
    for row in rows:
        print(f"{row[0]},{row[3]},{row[4]},{row[5]}")
