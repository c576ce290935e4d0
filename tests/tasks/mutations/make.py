"""Makes the mutations of expected.yaml: usage: python3 tests/tasks/mutations/make.py OUT

Leaves OUT/<task>/<mutation>/<deliverables>. Run in the agents' Python image, like the tasks' own make.py. Most
defects are put into the figures before the reference is built, so that a mutation is consistent but for its defect.
"""

import copy
import importlib.util
import sys
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from openpyxl import load_workbook

ROOT = Path(__file__).resolve().parents[3]
TASKS = ROOT / "tasks"
sys.path.insert(0, str(ROOT / "scripts" / "tasks"))

from office_files import save_stable  # noqa: E402


def solution(task: str):
    specification = importlib.util.spec_from_file_location(f"solution_{task}", TASKS / task / "solution.py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


def change_cells(path: Path, sheet: str, cells: dict) -> None:
    book = load_workbook(path)
    for ref, value in cells.items():
        book[sheet][ref] = value
    save_stable(book, path)


def inventory(out: Path) -> None:
    task = solution("inventory-summary")
    stock = task.solve(TASKS / "inventory-summary" / "workspace" / "inventory_raw.xlsx")

    def row(sku: str, **facts) -> list[tuple]:
        """The rows with another quantity or cost for one SKU."""
        return [
            (*one[:3], facts.get("quantity", one[3]), facts.get("cost", one[4])) if one[0] == sku else one
            for one in stock.rows
        ]

    salad_spinner = ("KT-130", "Salad spinner", "Kitchen", 22, 16.8)
    models = {
        "cases-not-converted": replace(stock, rows=row("KT-104", quantity=35)),
        "duplicate-counted": replace(stock, rows=row("TB-201", quantity=166)),
        "label-cost-taken": replace(stock, rows=row("GD-420", cost=7.92)),
        "written-off-kept": replace(stock, rows=sorted([*stock.rows, salad_spinner])),
        "values-typed": stock,
        "left-out-row-missing": replace(stock, left_out=stock.left_out[:-1]),
        "pdf-value-differs": replace(stock, pdf={"value": stock.value() + 505.6}),
        "pdf-two-pages": replace(stock, pdf={"pages": 2}),
    }
    for name, model in models.items():
        task.build(model, out / name)
    typed = {f"F{number}": round(one[3] * one[4], 2) for number, one in enumerate(stock.rows, start=2)}
    change_cells(out / "values-typed" / "inventory.xlsx", "Stock", typed)


def loyalty(out: Path) -> None:
    task = solution("loyalty-levels")
    simulation = task.solve(TASKS / "loyalty-levels" / "workspace")

    def member(number: str, **facts):
        """The simulation with other facts on the row of one member; the Log stays."""
        changed = copy.deepcopy(simulation)
        next(one for one in changed.results if one["id"] == number).update(facts)
        return changed

    cut = copy.deepcopy(simulation)
    del cut.results[-1]["log"][-3:]
    models = {
        "old-name": member("M-1017", name="Lena Vogt"),
        "old-points": member("M-1055", start=11345),
        "bonus-forgotten": member("M-1009", checkins=8),
        "rounded-at-the-end": member("M-1024", final=12077),
        "closed-days-ignored": member("M-1031", reached=date(2026, 3, 21)),
        "other-date-format": replace(simulation, date_format="dd.mm.yyyy"),
        "log-cut": cut,
        "mean-wrong": replace(simulation, summary={"mean": 8.88}),
    }
    # The mean is a typed number and stays that of the whole simulation.
    mean = round(simulation.total() / len(simulation.results), 2)
    for name, model in models.items():
        task.build(replace(model, summary={"mean": mean, **model.summary}), out / name)


def contract(out: Path) -> None:
    task = solution("contract-memo")
    memo = task.solve(TASKS / "contract-memo" / "workspace")

    def row(clause: str, header: str, old: str, new: str):
        """The memo with other words in one cell of the clause table."""
        changed = copy.deepcopy(memo)
        cells = next(cells for cells in changed.rows if cells[0] == clause)
        column = memo.headers.index(header)
        if old not in cells[column]:
            raise SystemExit(f"{clause}, {header}: no {old!r} in {cells[column]!r}")
        cells[column] = cells[column].replace(old, new)
        return changed

    models = {
        "liability-misquoted": row("8.2", "What it says", "three (3) months", "three (3) years"),
        "liability-underrated": row("8.2", "Risk", "High", "Medium"),
        "breach-misquoted": row("5.2", "What it says", "ten (10)", "five (5)"),
        "rule-misnamed": row("6.1", "Our position", "P6", "P5"),
        "fee-misquoted": row("9.3", "What it says", "one hundred per cent (100%)", "fifty per cent (50%)"),
        "renewal-too-long": row("3.2", "Proposed wording", "twelve (12) months", "twenty-four (24) months"),
        "availability-missed": replace(memo, clashes=[memo.clashes[0], memo.clashes[2]]),
        "four-pages": replace(memo, filler=45),
    }
    for name, model in models.items():
        task.build(model, out / name)


def clinic(out: Path) -> None:
    task = solution("clinic-report-zh")
    report = task.solve(TASKS / "clinic-report-zh" / "workspace" / "门诊记录_2026年5月.csv")
    names = tuple(one.name for one in report.ordered())
    report = replace(report, order=names)
    traditional = next(one for one in report.departments if one.name == "中医科")
    models = {
        "alias-split": replace(report.change("儿科", visits=9), visits=72),
        "correction-ignored": replace(
            report.change("呼吸内科", fees=Decimal("2856.20")), fees=report.fees - 100
        ),
        "refunds-counted": replace(report.change("皮肤科", visits=10), visits=76),
        "april-counted": replace(report.change("全科", visits=20), visits=75),
        "fee-misread": replace(report.change("口腔科", fees=Decimal("5125.60")), fees=report.fees - Decimal("1279.50")),
        "pdf-visits-differ": replace(report, visits=79),
        "patients-counted-twice": replace(report, patients=69),
        "department-missing": replace(
            report,
            departments=tuple(one for one in report.departments if one is not traditional),
            visits=report.visits - traditional.visits,
            fees=report.fees - traditional.fees,
        ),
    }
    for name, model in models.items():
        task.build(model, out / name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 tests/tasks/mutations/make.py OUT")
    target = Path(sys.argv[1])
    inventory(target / "inventory-summary")
    loyalty(target / "loyalty-levels")
    contract(target / "contract-memo")
    clinic(target / "clinic-report-zh")
