from docx import Document
from docx.shared import Pt

memo = Document()
memo.add_heading("Memo", 1)
for line in ["To: Ms Adeyemi", "From: Contracts team", "Date: 15 January 2026", "Re: Services agreement"]:
    memo.add_paragraph(line)
memo.add_heading("Clause table", 2)
rows = [
    ("Clause", "Topic", "What it says", "Our position", "Risk", "Proposed wording"),
    ("3.2", "Renewal", "The agreement renews for two years at a time.", "P3", "Medium", "Twelve months, with sixty days' notice."),
    ("4.2", "Payment", "Invoices are due after fourteen days.", "P2", "Medium", "Ask for thirty days."),
    ("5.2", "Data breach", "We hear of a breach after ten working days.", "P5", "High", "Ask for forty-eight hours."),
    ("6.1", "IP", "The Supplier keeps all rights.", "P6", "Medium", "Negotiate."),
    ("7.1", "Confidentiality", "Two years after the end.", "P12", "Low", "Could be longer."),
    ("8.2", "Liability", "The cap is three months of Charges.", "P1", "High", "Ask for twelve months."),
    ("11.1", "Law", "Delaware law applies.", "P7", "Medium", "The law of England and Wales governs this agreement."),
]
table = memo.add_table(rows=0, cols=6, style="Table Grid")
for row in rows:
    for cell, text in zip(table.add_row().cells, row):
        cell.paragraphs[0].add_run(text).font.size = Pt(9)
memo.add_heading("Recommendation", 2)
memo.add_paragraph("The draft favours the Supplier. Under the Unfair Contract Terms Act 1977 the liability cap may not hold anyway, so signature is possible after negotiation of liability and data breaches.")
memo.add_heading("Next steps", 2)
memo.add_paragraph("Negotiate with the Supplier.")
memo.save("results/review_memo.docx")
print("saved")
