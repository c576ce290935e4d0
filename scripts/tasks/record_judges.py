"""Writes recordings/judge/ from the sessions in judges/ and the deliverables they are about.

usage: python3 scripts/tasks/record_judges.py PLAYED
PLAYED is what `npx tsx scripts/tasks/play.ts PLAYED` left; the reference deliverables come from tasks/. Run it in
the agents' Python image, then `npx prettier --write recordings/judge`.
"""

import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from judges import clinic_report_zh, contract_memo, inventory_summary, loyalty_levels  # noqa: E402
from judges.session import Deliverables, Item, Verdict  # noqa: E402

ROOT = HERE.parents[1]
TASKS = {
    "inventory-summary": inventory_summary.ITEMS,
    "loyalty-levels": loyalty_levels.ITEMS,
    "contract-memo": contract_memo.ITEMS,
    "clinic-report-zh": clinic_report_zh.ITEMS,
}


def results(subject: str, task: str, played: Path) -> Path:
    """Folder of the subject's deliverables: `weak/r1` has its own recording, `strong` and `weak` have one for all."""
    if subject == "reference":
        return ROOT / "tasks" / task / "reference"
    name, _, repetition = subject.partition("/")
    return played / name / task / (repetition or "all") / "results"


def target(subject: str, task: str, item: str) -> Path:
    name, _, repetition = subject.partition("/")
    folder = ROOT / "recordings" / "judge" / name / task
    return (folder / repetition if repetition else folder) / f"{item}.yaml"


def submission(verdict: Verdict, deliverables: Deliverables) -> dict:
    citations = [dict(zip(("locator", "quote"), cite(deliverables), strict=True)) for cite in verdict.citations]
    searched = [{"artifact": artifact, "query": query} for artifact, query in verdict.searched]
    arguments = {"justification": verdict.why, "pass": verdict.met, "citations": citations, "searched": searched}
    return {"name": "submit_verdict", "arguments": arguments}


def session(item: Item, subject: str, deliverables: Deliverables) -> dict:
    turns = [{"tools": calls} for calls in item.other_looks.get(subject, item.looks)]
    if subject in item.refused_first:
        turns.append({"tools": [submission(item.refused_first[subject], deliverables)]})
    turns.append({"tools": [submission(item.verdicts[subject], deliverables)]})
    return {"turns": turns}


def yaml(value, indent: int = 0) -> str:
    """Block YAML; strings are JSON strings, text with line ends a literal block."""
    pad = " " * indent
    if isinstance(value, dict) and value:
        return "".join(f"{pad}{key}:{below(entry, indent)}" for key, entry in value.items())
    if isinstance(value, list) and value:
        return "".join(f"{pad}- {yaml(entry, indent + 2).lstrip()}" for entry in value)
    return f"{pad}{json.dumps(value, ensure_ascii=False)}\n"


def below(entry, indent: int) -> str:
    if isinstance(entry, str) and "\n" in entry:
        pad = " " * (indent + 2)
        return " |\n" + "".join(f"{pad}{line}\n" if line else "\n" for line in entry.rstrip("\n").split("\n"))
    if isinstance(entry, (dict, list)) and entry:
        return "\n" + yaml(entry, indent + 2)
    return f" {json.dumps(entry, ensure_ascii=False)}\n"


def main(played: Path) -> None:
    shutil.rmtree(ROOT / "recordings" / "judge", ignore_errors=True)
    count = 0
    for task, items in TASKS.items():
        for item in items:
            for subject in item.verdicts:
                deliverables = Deliverables(results(subject, task, played))
                path = target(subject, task, item.id)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(yaml(session(item, subject, deliverables)), encoding="utf-8")
                count += 1
    print(count, "recordings")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 scripts/tasks/record_judges.py PLAYED")
    main(Path(sys.argv[1]))
