"""An expert's review as data, held against the attachments: a quote that is not in the agreement stops the build."""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from docx import Document
from docx.enum.section import WD_ORIENT
from docx.shared import Cm, Pt

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "tasks"))

from office_files import save_stable  # noqa: E402

HEADERS = ["Clause", "Topic", "What it says", "Our position", "Risk", "Proposed wording"]
WIDTHS_CM = [1.4, 2.6, 7.0, 5.0, 1.7, 7.0]
RISK = {"must": "High", "should": "Medium", "may": "Low"}

# Clause, topic, operative words, rule, position in short, wording to paste.
REVIEW = [
    ("2.2", "Acceptance", "deemed accepted unless the Customer rejects it in writing within three (3) Business Days of delivery",
     "P9", "ten Business Days, silence is not acceptance",
     "The Customer may test each Deliverable for ten (10) Business Days. A Deliverable is accepted only when the Customer says so in writing."),
    ("3.2", "Renewal", "renew automatically for successive periods of twenty-four (24) months",
     "P3", "twelve months at most, sixty days' notice",
     "This agreement renews for periods of twelve (12) months unless either party gives sixty (60) days' notice."),
    ("4.2", "Payment", "payable within fourteen (14) days of its date",
     "P2", "thirty days from receipt",
     "Each invoice is payable within thirty (30) days of its receipt."),
    ("4.3", "Price increases", "increase the Charges on each anniversary by up to twelve per cent (12%)",
     "P4", "three per cent a year at most",
     "The Supplier may increase the Charges on each anniversary by up to three per cent (3%)."),
    ("5.2", "Data breach", "within ten (10) Business Days of becoming aware of it",
     "P5", "forty-eight hours",
     "The Supplier shall notify the Customer of any personal data breach within forty-eight (48) hours of becoming aware of it."),
    ("6.1", "Intellectual property", "shall vest in the Supplier upon creation",
     "P6", "rights in the Deliverables are ours",
     "All intellectual property rights in the Deliverables shall vest in the Customer upon creation."),
    ("8.2", "Liability cap", "shall not exceed the Charges paid in the three (3) months preceding the claim",
     "P1", "not below twelve months' Charges",
     "The Supplier's total liability shall not exceed the Charges payable in the twelve (12) months preceding the claim."),
    ("9.2", "Supplier's termination", "The Supplier may terminate this agreement for convenience on thirty (30) days' notice",
     "P8", "both parties, ninety days",
     "Either party may terminate this agreement for convenience on ninety (90) days' notice."),
    ("9.3", "Customer's termination", "only upon payment of a fee of one hundred per cent (100%) of the Charges for the remainder of the term",
     "P8", "no fee",
     "No fee is payable on termination for convenience."),
    ("10.1", "Data at the end", "shall delete all Customer Data within seven (7) days",
     "P10", "return first, deletion not before thirty days",
     "The Supplier shall return all Customer Data in a common format and delete it not earlier than thirty (30) days after termination."),
    ("11.1", "Governing law", "governed by the laws of the State of Delaware",
     "P7", "England and Wales",
     "This agreement is governed by the law of England and Wales."),
    ("11.2", "Assignment", "may assign this agreement to any person without the consent of the Customer",
     "P11", "our consent is needed",
     "Neither party may assign this agreement without the consent of the other."),
]

# Text of the finding, and the words that must stand in the agreement.
CLASHES = [
    ("Payment period. Clause 4.2 says \u201c{0}\u201d, Schedule 1 says \u201c{1}\u201d. Ask for thirty days in both places.",
     ["within fourteen (14) days", "within thirty (30) days of invoice"]),
    ("Availability. Clause 2.3 promises \u201c{0}\u201d, Schedule 2 only \u201c{1}\u201d. Ask for 99.9% in both places.",
     ["99.9% of each calendar month", "99.5% of each calendar month"]),
    ("Dead reference. Clause 9.1 is \u201c{0}\u201d, but clause 8 ends with 8.3. Ask the Supplier to delete the words.",
     ["subject to clause 8.4"]),
]
STEPS = [
    "Contracts team: send the proposed wording of the clause table to the Supplier by 16 January 2026.",
    "Mr Lund: confirm by 19 January 2026 that forty-eight hours (5.2) and the return of data (10.1) are enough.",
    "Ms Castell: confirm by 19 January 2026 the price and payment positions (4.2, 4.3, Schedule 1).",
    "Ms Adeyemi: raise the four must points in the call on 20 January 2026.",
]
RECOMMENDATION = (
    "Do not sign as it stands. Four points must change before signature: the liability cap (8.2), the notice of data "
    "breaches (5.2), ownership of the Deliverables (6.1), and termination for convenience (9.2 and 9.3). The other "
    "departures are worth asking for, but they alone need not hold up signature."
)


@dataclass
class Memo:
    rows: list[list[str]]
    clashes: list[str]
    headers: list[str] = field(default_factory=lambda: list(HEADERS))
    filler: int = 0  # extra paragraphs; a mutation uses them to break the page limit


def agreement_text(path: Path) -> str:
    document = Document(str(path))
    parts = [paragraph.text for paragraph in document.paragraphs]
    parts += [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join(parts)


def rules(path: Path) -> dict[str, str]:
    return dict(re.findall(r"^- (P\d+) \((must|should|may)\)", path.read_text(encoding="utf-8"), re.M))


def solve(workspace: Path) -> Memo:
    text = agreement_text(workspace / "services_agreement.docx")
    grades = rules(workspace / "playbook.md")
    quotes = [row[2] for row in REVIEW] + [words for _, clash in CLASHES for words in clash]
    missing = [words for words in quotes if words not in text]
    if missing:
        raise SystemExit(f"not in the agreement: {missing}")
    rows = [
        [clause, topic, f"\u201c{words}\u201d", f"{rule}: {position}", RISK[grades[rule]], wording]
        for clause, topic, words, rule, position, wording in REVIEW
    ]
    return Memo(rows, [text.format(*words) for text, words in CLASHES])


def build(memo: Memo, folder: Path) -> None:
    document = Document()
    section = document.sections[0]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = Cm(29.7), Cm(21.0)
    section.left_margin = section.right_margin = Cm(2)
    section.top_margin = section.bottom_margin = Cm(1.8)
    document.styles["Normal"].font.name = "Liberation Sans"
    document.styles["Normal"].font.size = Pt(10)
    document.add_heading("Review memo", level=1)
    document.add_paragraph("To: Ms Adeyemi, general counsel")
    document.add_paragraph("From: Contracts team")
    document.add_paragraph("Date: 15 January 2026")
    document.add_paragraph("Re: Services agreement with Northgate Analytics Ltd, Supplier's draft of 9 January 2026")
    document.add_heading("Recommendation", level=2)
    document.add_paragraph(RECOMMENDATION)
    document.add_heading("Clause table", level=2)
    add_table(document, memo)
    document.add_heading("Inconsistencies", level=2)
    for clash in memo.clashes:
        document.add_paragraph(clash, style="List Bullet")
    document.add_heading("Next steps", level=2)
    for step in STEPS:
        document.add_paragraph(step, style="List Bullet")
    for _ in range(memo.filler):
        document.add_paragraph("This page is left blank.")
    save_stable(document, folder / "review_memo.docx")


def add_table(document, memo: Memo) -> None:
    table = document.add_table(rows=0, cols=len(memo.headers), style="Table Grid")
    table.autofit = False
    for column, width in zip(table.columns, WIDTHS_CM, strict=True):
        column.width = Cm(width)
    for number, row in enumerate([memo.headers, *memo.rows]):
        for cell, text, width in zip(table.add_row().cells, row, WIDTHS_CM, strict=True):
            cell.width = Cm(width)
            run = cell.paragraphs[0].add_run(text)
            run.font.size = Pt(8.5)
            run.bold = number == 0
