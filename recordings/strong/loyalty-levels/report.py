"""Writes results/level12.xlsx and results/briefing.md from the simulation."""
import sys

sys.path.insert(0, "results")

from openpyxl import Workbook
from openpyxl.styles import Font
from simulate import load, results

rows = results("members.xlsx", "routes.csv")
book = Workbook()
result = book.active
result.title = "Result"
result.append(["Member ID", "Name", "Start points", "Check-ins", "Final points", "Reached on", "Last stop"])
for row in rows:
    result.append(row[:7])
log = book.create_sheet("Log")
log.append(["Member ID", "No", "Date", "Stop", "Points", "Bonus", "Total"])
for row in rows:
    for entry in row[7]:
        log.append((row[0], *entry))
for sheet, dates, points in [(result, "F", "CDE"), (log, "C", "EFG")]:
    for number in range(2, sheet.max_row + 1):
        sheet[f"{dates}{number}"].number_format = "yyyy-mm-dd"
        for letter in points:
            sheet[f"{letter}{number}"].number_format = "#,##0"
    for column in sheet.columns:
        sheet.column_dimensions[column[0].column_letter].width = 19 if column[0].value == "Name" else 14
    for cell in sheet[1]:
        cell.font = Font(bold=True)
summary = book.create_sheet("Summary")
summary.append(["Members", len(rows)])
summary.append(["Total check-ins", f"=SUM(Result!D2:D{len(rows) + 1})"])
summary.append(["Mean check-ins", round(sum(row[3] for row in rows) / len(rows), 2)])
summary["B3"].number_format = "0.00"
summary.column_dimensions["A"].width = 18
book.save("results/level12.xlsx")

by_date = sorted(rows, key=lambda row: (row[5], row[0]))
eleven, _ = load("members.xlsx", "routes.csv")
others = eleven[eleven["Status"] != "active"]
lines = [
    "# Level 12: who needs a parcel when",
    "",
    f"{len(rows)} members on level 11 take part; every one of them gets to level 12.",
    "",
    "First three:",
    *[f"{place}. {row[1]} ({row[0]}) on {row[5]}" for place, row in enumerate(by_date[:3], start=1)],
    "",
    f"Last: {by_date[-1][1]} ({by_date[-1][0]}) on {by_date[-1][5]}.",
    f"Not included: {', '.join(others['Name'])}.",
]
with open("results/briefing.md", "w") as file:
    file.write("\n".join(lines) + "\n")
print("\n".join(lines))
