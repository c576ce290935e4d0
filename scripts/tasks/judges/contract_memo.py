from .session import (
    Item, compare, files, find, image, met, page, paragraph, python, table_cell, text, unmet,
)  # fmt: skip

MEMO = "review_memo.docx"
OUT, AGREEMENT, PLAYBOOK = f"results/{MEMO}", "inputs/services_agreement.docx", "inputs/playbook.md"

VERBATIM = """
import re
from docx import Document
agreement = Document('/evidence/inputs/services_agreement.docx')
words = '\\n'.join(paragraph.text for paragraph in agreement.paragraphs)
table = Document('/evidence/results/review_memo.docx').tables[0]
for row in table.rows[1:]:
    quote = row.cells[2].text
    bare = re.sub('[\\u201c\\u201d]', '', quote)
    print(row.cells[0].text, quote.startswith('\\u201c'), bare in words)
"""


def says(key: str, header: str = "What it says"):
    return table_cell(MEMO, key, header)


def para(words: str):
    return paragraph(MEMO, words)


def both(good) -> dict:
    return {"reference": good, "strong": good}


ITEMS = [
    Item(
        "recommendation-first",
        [[files(), text(OUT)]],
        {
            "reference": met("The first section says not to sign.", para("Do not sign as it stands.")),
            "strong": met("The first section says not to sign.", para("We should not sign this draft.")),
            "weak/r1": unmet(
                "There is no recommendation, only a remark that points need attention.",
                para("Some points need attention before signature."),
            ),
            "weak/r2": unmet(
                "The recommendation stands after the clause table and does not say whether to sign.",
                para("The draft favours the Supplier."),
            ),
        },
    ),
    Item(
        "must-points-named",
        [[files(), text(PLAYBOOK)], [text(OUT)]],
        {
            "reference": met(
                "All four must points are named with their clauses.",
                para("the liability cap (8.2), the notice of data breaches (5.2), ownership of the Deliverables (6.1)"),
                para("termination for convenience (9.2 and 9.3)"),
            ),
            "strong": met(
                "All four must points are named with their clauses.",
                para("notice of data breaches (5.2), ownership of deliverables (6.1), cap on liability (8.2)"),
                para("termination by the customer (9.3)"),
            ),
            "weak/r1": unmet("No must point is named before the table.", para("To be completed after a closer reading.")),
            "weak/r2": unmet(
                "Only liability and data breaches are named; ownership and termination are missing.",
                para("after negotiation of liability and data breaches"),
            ),
        },
    ),
    Item(
        "all-departures",
        [[files(), text(OUT)]],
        {
            **both(
                met(
                    "The table has the twelve clauses in the order of the agreement.",
                    says("2.2", "Clause"), says("4.3", "Clause"), says("9.3", "Clause"), says("10.1", "Clause"),
                    says("11.2", "Clause"),
                )
            ),
            "weak/r1": unmet("The table has three rows only: 4.2, 5.2 and 8.2.", says("4.2"), says("8.2")),
            "weak/r2": unmet(
                "The table jumps from 6.1 to 7.1 and 8.2 and ends with 11.1; six departures are missing.",
                says("6.1"), says("11.1"),
            ),
        },
    ),  # fmt: skip
    Item(
        "conforming-left-out",
        [[find("7.1", OUT)], [text(PLAYBOOK)]],
        {
            **both(met("7.1 is nowhere in the memo; 9.1 is only mentioned as a dead reference.", says("9.2", "Clause"), searched=((OUT, "7.1"),))),
            "weak/r1": met("The table has 4.2, 5.2 and 8.2, which all depart from the playbook.", says("8.2"), searched=((OUT, "7.1"),)),
            "weak/r2": unmet("The table has a row for 7.1, which meets P12.", says("7.1")),
        },
    ),
    Item(
        "risks-by-playbook",
        [[files(), text(PLAYBOOK)], [text(OUT)]],
        {
            **both(
                met(
                    "must rules are High, should rules Medium, the may rule Low.",
                    says("6.1", "Risk"), says("9.3", "Risk"), says("10.1", "Risk"),
                )
            ),
            "weak/r1": unmet("5.2 departs from P5, a must rule, but is rated Medium.", says("5.2", "Our position"), says("5.2", "Risk")),
            "weak/r2": unmet("6.1 departs from P6, a must rule, but is rated Medium.", says("6.1", "Our position"), says("6.1", "Risk")),
        },
    ),  # fmt: skip
    Item(
        "quotes-verbatim",
        [[compare(OUT, AGREEMENT)], [python(VERBATIM)]],
        {
            **both(
                met(
                    "Python finds every quotation of the column word for word in the agreement.",
                    says("5.2"), says("8.2"), says("11.2"),
                )
            ),
            "weak/r1": met("Python finds the three quotations word for word in the agreement.", says("4.2"), says("8.2")),
            "weak/r2": unmet("The column paraphrases; no row quotes the agreement.", says("4.2"), says("8.2")),
        },
    ),  # fmt: skip
    Item(
        "payment-clash",
        [[find("Schedule 1", OUT)], [text(AGREEMENT)]],
        {
            "reference": met(
                "Both places are cited with their words.",
                para("Clause 4.2 says \u201cwithin fourteen (14) days\u201d"),
                para("Schedule 1 says \u201cwithin thirty (30) days of invoice\u201d"),
            ),
            "strong": met(
                "Both places are cited with their words.",
                para("\u201cwithin fourteen (14) days\u201d in clause 4.2"),
                para("\u201cwithin thirty (30) days of invoice\u201d in Schedule 1"),
            ),
            "weak/r1": unmet("The memo does not speak of Schedule 1.", searched=((OUT, "Schedule 1"),)),
            "weak/r2": unmet("The memo does not speak of Schedule 1.", searched=((OUT, "Schedule 1"),)),
        },
    ),
    Item(
        "wording-usable",
        [[files(), text(OUT)]],
        {
            **both(
                met(
                    "Every entry is a sentence of a contract.",
                    says("4.2", "Proposed wording"), says("6.1", "Proposed wording"), says("9.3", "Proposed wording"),
                )
            ),
            "weak/r1": unmet("The column says to be drafted in every row.", says("4.2", "Proposed wording")),
            "weak/r2": unmet("Most entries are instructions.", says("6.1", "Proposed wording"), says("8.2", "Proposed wording")),
        },
    ),  # fmt: skip
    Item(
        "next-steps",
        [[text(OUT)], [find("January 2026", OUT)]],
        {
            "reference": met(
                "Four steps, each with a person and a date up to 20 January.",
                para("to the Supplier by 16 January 2026"), para("Ms Castell: confirm by 19 January 2026"),
            ),
            "strong": unmet(
                "The steps name who does what, but the first two have no date.",
                para("Contracts team to send the proposed wording to the Supplier."),
            ),
            "weak/r1": unmet("The draft has no next steps.", para("To be completed after a closer reading.")),
            "weak/r2": unmet("One step without a person or a date.", para("Negotiate with the Supplier.")),
        },
    ),  # fmt: skip
    Item(
        "no-outside-law",
        [[find("statute", OUT), find("Act 19", OUT), find("Act 20", OUT)], [text(OUT)]],
        {
            **both(met("No statute and no case is cited.", searched=((OUT, "statute"), (OUT, "Act 19"), (OUT, "Act 20")))),
            "weak/r1": met("No statute and no case is cited.", searched=((OUT, "statute"), (OUT, "Act 19"), (OUT, "Act 20"))),
            "weak/r2": unmet("The memo relies on an Act of 1977.", para("Unfair Contract Terms Act 1977")),
        },
    ),
    Item(
        "heading-complete",
        [[files(), text(OUT)]],
        {
            **both(
                met("All four lines are there.", para("To: Ms Adeyemi"), para("From: Contracts team"), para("Date: 15 January 2026"))
            ),
            "weak/r1": unmet("From and Date are missing.", para("To: Ms Adeyemi"), searched=((OUT, "From:"), (OUT, "Date:"))),
            "weak/r2": met("All four lines are there.", para("To: Ms Adeyemi"), para("Date: 15 January 2026"), para("Re: Services agreement")),
        },
        other_looks={"weak/r1": [[find("From:", OUT), find("Date:", OUT)], [text(OUT)]]},
    ),
    Item(
        "table-on-page",
        [[files(), image(OUT)]],
        {
            **both(met("The table lies within the margins and all six columns can be read.", page(MEMO), says("2.2"))),
            "weak/r1": met("The table lies within the margins; narrow columns, but readable.", page(MEMO), says("8.2")),
            "weak/r2": met("The table lies within the margins; narrow columns, but readable.", page(MEMO), says("7.1")),
        },
    ),
]
