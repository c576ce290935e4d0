"""Makes the attachment and the reference deliverable of this task; nothing in it is random.

Run in the agent's Python image (or with the versions pinned there): python3 tasks/contract-memo/make.py
"""

import sys
from pathlib import Path

from docx import Document
from docx.shared import Cm, Pt

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "tasks"))
sys.path.insert(0, str(HERE))

from contract import CLAUSES, PARTIES, SCHEDULE_1, SCHEDULE_2, TITLE  # noqa: E402
from office_files import save_stable  # noqa: E402
from solution import build, solve  # noqa: E402


def make_contract(path: Path) -> None:
    document = Document()
    document.styles["Normal"].font.name = "Liberation Serif"
    document.styles["Normal"].font.size = Pt(11)
    document.sections[0].left_margin = document.sections[0].right_margin = Cm(2.5)
    document.sections[0].header.paragraphs[0].text = "Supplier's draft of 9 January 2026"
    document.add_heading(TITLE, level=0)
    document.add_paragraph(PARTIES)
    for heading, clauses in CLAUSES:
        document.add_heading(heading, level=2)
        for clause in clauses:
            document.add_paragraph(clause)
    for title, rows in [("Schedule 1: Charges", SCHEDULE_1), ("Schedule 2: Services and service levels", SCHEDULE_2)]:
        document.add_heading(title, level=2)
        table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    save_stable(document, path)


if __name__ == "__main__":
    make_contract(HERE / "workspace" / "services_agreement.docx")
    build(solve(HERE / "workspace"), HERE / "reference")
