"""Builds results/review_memo.docx. Quotes are taken out of the agreement itself, so that they cannot be wrong."""
import re

from docx import Document
from docx.enum.section import WD_ORIENT
from docx.shared import Cm, Pt

agreement = Document("services_agreement.docx")
clauses = {}
for paragraph in agreement.paragraphs:
    match = re.match(r"(\d+\.\d+) (.*)", paragraph.text)
    if match:
        clauses[match[1]] = match[2]
schedules = "\n".join(cell.text for table in agreement.tables for row in table.rows for cell in row.cells)
rules = dict(re.findall(r"- (P\d+) \((\w+)\)", open("playbook.md").read()))
RISK = {"must": "High", "should": "Medium", "may": "Low"}


def quote(clause, pattern):
    found = re.search(pattern, clauses[clause])
    assert found, (clause, pattern)
    return f"\u201c{found[0]}\u201d"


# clause, topic, pattern of the operative words, rule, what we want, wording
findings = [
    ("2.2", "Acceptance of Deliverables", "it shall be deemed accepted.*delivery", "P9", "at least ten Business Days; silence is not acceptance",
     "Each Deliverable is accepted when the Customer confirms it in writing after at least ten (10) Business Days for testing."),
    ("3.2", "Automatic renewal", "shall renew automatically.*current period", "P3", "at most twelve months, at most sixty days' notice",
     "This agreement shall renew for successive periods of twelve (12) months unless either party gives notice of at least sixty (60) days."),
    ("4.2", "Payment term", "payable within .* of its date", "P2", "thirty days after receipt",
     "Each invoice is payable within thirty (30) days of receipt."),
    ("4.3", "Price increase", "by up to twelve per cent .12%.", "P4", "at most three per cent a year",
     "The Supplier may increase the Charges on each anniversary by up to three per cent (3%)."),
    ("5.2", "Notice of data breaches", "within ten .10. Business Days of becoming aware of it", "P5", "within forty-eight hours",
     "The Supplier shall notify the Customer of any personal data breach within forty-eight (48) hours of becoming aware of it."),
    ("6.1", "Ownership of Deliverables", "shall vest in the Supplier upon creation", "P6", "what is made for us belongs to us",
     "All intellectual property rights in the Deliverables shall vest in the Customer upon creation."),
    ("8.2", "Cap on liability", "shall not exceed the Charges paid.*claim", "P1", "a cap of twelve months' Charges or more",
     "The Supplier's total liability shall not exceed the greater of the Charges paid and payable for twelve (12) months."),
    ("9.2", "Termination by the Supplier", "The Supplier may terminate.*notice", "P8", "open to both, ninety days",
     "Either party may terminate this agreement for convenience on not less than ninety (90) days' notice."),
    ("9.3", "Termination by the Customer", "only upon payment of a fee.*term", "P8", "no fee",
     "Neither party shall pay a fee for termination for convenience."),
    ("10.1", "Data on exit", "shall delete all Customer Data within seven .7. days", "P10", "return first, delete after thirty days or later",
     "The Supplier shall return Customer Data in a common format and shall not delete it before thirty (30) days have passed."),
    ("11.1", "Governing law", "the laws of the State of Delaware", "P7", "England and Wales",
     "This agreement is governed by the law of England and Wales."),
    ("11.2", "Assignment", "may assign this agreement.*Customer", "P11", "only with our consent",
     "The Supplier may assign this agreement only with the prior written consent of the Customer."),
]

memo = Document()
page = memo.sections[0]
page.orientation, page.page_width, page.page_height = WD_ORIENT.LANDSCAPE, Cm(29.7), Cm(21)
page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(1.9)
memo.styles["Normal"].font.name = "Carlito"
memo.styles["Normal"].font.size = Pt(10)
memo.add_heading("Memo: Northgate services agreement", 1)
for line in ["To: Ms Adeyemi", "From: Contracts team", "Date: 15 January 2026", "Re: Northgate Analytics, draft services agreement"]:
    memo.add_paragraph(line).paragraph_format.space_after = Pt(0)

musts = [finding for finding in findings if rules[finding[3]] == "must"]
memo.add_heading("Recommendation", 2)
named = ", ".join(f"{topic.lower()} ({clause})" for clause, topic, *_ in musts)
memo.add_paragraph(f"We should not sign this draft. Before signature these points must change: {named}. The rest can be negotiated in the ordinary way.")

memo.add_heading("Clause table", 2)
widths = [1.4, 3.0, 7.2, 4.8, 1.6, 7.6]
table = memo.add_table(rows=0, cols=6, style="Table Grid")
table.autofit = False
for column, width in zip(table.columns, widths):
    column.width = Cm(width)
rows = [["Clause", "Topic", "What it says", "Our position", "Risk", "Proposed wording"]]
rows += [[clause, topic, quote(clause, pattern), f"{rule}: {want}", RISK[rules[rule]], wording]
         for clause, topic, pattern, rule, want, wording in findings]
for number, row in enumerate(rows):
    for cell, text, width in zip(table.add_row().cells, row, widths):
        cell.width = Cm(width)
        run = cell.paragraphs[0].add_run(text)
        run.font.size, run.bold = Pt(8.5), number == 0

memo.add_heading("Inconsistencies", 2)
days = re.search(r"within thirty \(30\) days of invoice", schedules)[0]
level = re.search(r"99\.5% of each calendar month", schedules)[0]
assert "8.4" not in clauses
for line in [
    f"Time for payment: {quote('4.2', 'within fourteen .14. days')} in clause 4.2, but \u201c{days}\u201d in Schedule 1.",
    f"Availability: {quote('2.3', '99.9% of each calendar month')} in clause 2.3, but \u201c{level}\u201d in Schedule 2.",
    f"Clause 9.1 is {quote('9.1', 'subject to clause 8.4')}; there is no clause 8.4.",
]:
    memo.add_paragraph(line, style="List Bullet")

memo.add_heading("Next steps", 2)
for line in [
    "Contracts team to send the proposed wording to the Supplier.",
    "Mr Lund to confirm the positions on data (5.2, 10.1), Ms Castell those on price and payment (4.2, 4.3).",
    "Ms Adeyemi to raise the four must points in the call on 20 January 2026.",
]:
    memo.add_paragraph(line, style="List Bullet")
memo.save("results/review_memo.docx")
print(len(findings), "departures,", len(musts), "of them must")
