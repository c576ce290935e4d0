"""A first draft with the clauses that stand out; the rest follows."""
from docx import Document

memo = Document()
memo.add_heading("Draft memo", 1)
memo.add_paragraph("To: Ms Adeyemi")
memo.add_paragraph("Re: Northgate services agreement")
memo.add_paragraph("Some points need attention before signature. To be completed after a closer reading.")
table = memo.add_table(rows=1, cols=6, style="Table Grid")
for cell, text in zip(table.rows[0].cells, ["Clause", "Topic", "What it says", "Our position", "Risk", "Proposed wording"]):
    cell.text = text
agreement = {p.text.split(" ", 1)[0]: p.text.split(" ", 1)[1] for p in Document("services_agreement.docx").paragraphs if p.text[:1].isdigit()}
for clause, topic, rule, risk in [("4.2", "Payment", "P2", "Medium"), ("5.2", "Data breach", "P5", "Medium"), ("8.2", "Liability", "P1", "High")]:
    for cell, text in zip(table.add_row().cells, [clause, topic, f"\u201c{agreement[clause]}\u201d", rule, risk, "to be drafted"]):
        cell.text = text
memo.save("results/review_memo.docx")
