"""Solves the task from its attachments (simulate.py does the simulation) and builds the reference deliverables."""

import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "tasks"))
sys.path.insert(0, str(HERE))

from office_files import save_stable, save_text  # noqa: E402
from simulate import run  # noqa: E402

HEAD = PatternFill("solid", fgColor="E3EBD8")


@dataclass
class Simulation:
    """Results in the order of the sheet `Result`; members left out although the export shows level 11."""

    results: list[dict]
    left_out: list[dict]
    # Changed by mutations only.
    date_format: str = "yyyy-mm-dd"
    summary: dict = field(default_factory=dict)

    def total(self) -> int:
        return sum(one["checkins"] for one in self.results)


def solve(workspace: Path) -> Simulation:
    return Simulation(*run(workspace / "members.xlsx", workspace / "routes.csv"))


def build(simulation: Simulation, folder: Path) -> None:
    build_workbook(simulation, folder / "level12.xlsx")
    save_text(briefing(simulation), folder / "briefing.md")
    shutil.copyfile(HERE / "simulate.py", folder / "simulate.py")


def build_workbook(simulation: Simulation, path: Path) -> None:
    book = Workbook()
    result = book.active
    result.title = "Result"
    headers = ["Member ID", "Name", "Start points", "Check-ins", "Final points", "Reached on", "Last stop"]
    head(result, headers, [12, 20, 13, 11, 13, 12, 14])
    for one in simulation.results:
        keys = ["id", "name", "start", "checkins", "final", "reached", "stop"]
        result.append([one[key] for key in keys])
        shown(result, {3: "#,##0", 4: "#,##0", 5: "#,##0", 6: simulation.date_format})
    log = book.create_sheet("Log")
    head(log, ["Member ID", "No", "Date", "Stop", "Points", "Bonus", "Total"], [12, 6, 12, 14, 9, 9, 11])
    for one in simulation.results:
        for entry in one["log"]:
            log.append([one["id"], *entry])
            shown(log, {3: simulation.date_format, 5: "#,##0", 6: "#,##0", 7: "#,##0"})
    summary = book.create_sheet("Summary")
    last = len(simulation.results) + 1
    mean = round(simulation.total() / len(simulation.results), 2)
    facts = {"members": len(simulation.results), "total": f"=SUM(Result!D2:D{last})", "mean": mean, **simulation.summary}
    for label, key, code in [("Members", "members", "0"), ("Total check-ins", "total", "#,##0"), ("Mean check-ins", "mean", "0.00")]:
        summary.append([label, facts[key]])
        summary.cell(summary.max_row, 2).number_format = code
    summary.column_dimensions["A"].width = 18
    save_stable(book, path)


def head(sheet, headers: list[str], widths: list[int]) -> None:
    sheet.append(headers)
    for cell, width in zip(sheet[1], widths, strict=True):
        cell.font, cell.fill = Font(bold=True), HEAD
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = "A2"


def shown(sheet, formats: dict[int, str]) -> None:
    for column, code in formats.items():
        sheet.cell(sheet.max_row, column).number_format = code


def briefing(simulation: Simulation) -> str:
    by_date = sorted(simulation.results, key=lambda one: (one["reached"], one["id"]))
    last = by_date[-1]
    lines = ["# Level-12 parcels", ""]
    lines.append(f"{len(simulation.results)} active members are on level 11; all of them reach level 12 (12,000 points).")
    lines.append("The first three parcels:")
    lines += [f"- {one['name']} ({one['id']}): {one['reached'].isoformat()}" for one in by_date[:3]]
    lines.append(f"The last one is {last['name']} ({last['id']}) on {last['reached'].isoformat()}.")
    names = " and ".join(f"{one['Name']} ({one['Member ID']}, {one['Status']})" for one in simulation.left_out)
    lines.append(f"Left out although the export shows level 11: {names}.")
    return "\n".join(lines) + "\n"
