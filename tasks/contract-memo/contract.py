"""The text of the fictional agreement. Its departures from the playbook and its contradictions are on purpose."""

TITLE = "SERVICES AGREEMENT"
PARTIES = (
    "This agreement is made between Northgate Analytics Ltd (the Supplier) and Millbrook Housing Association "
    "(the Customer)."
)

# Heading, then clauses as they are numbered.
CLAUSES = [
    ("1. Definitions", [
        "1.1 Charges means the sums set out in Schedule 1.",
        "1.2 Business Day means a day other than a Saturday, a Sunday or a public holiday in London.",
        "1.3 Customer Data means all data that the Customer or its tenants provide, personal data included.",
        "1.4 Deliverables means reports, models and dashboards made for the Customer under this agreement.",
    ]),
    ("2. Services", [
        "2.1 The Supplier shall provide the Services described in Schedule 2 with reasonable skill and care.",
        "2.2 The Customer shall test each Deliverable; it shall be deemed accepted unless the Customer rejects it in "
        "writing within three (3) Business Days of delivery.",
        "2.3 The Supplier shall make the Platform available for 99.9% of each calendar month.",
    ]),
    ("3. Term", [
        "3.1 This agreement begins on 1 February 2026 and continues for an initial term of three years.",
        "3.2 This agreement shall renew automatically for successive periods of twenty-four (24) months unless either "
        "party gives notice not less than one hundred and eighty (180) days before the end of the current period.",
    ]),
    ("4. Charges and payment", [
        "4.1 The Customer shall pay the Charges, which are exclusive of VAT.",
        "4.2 Each invoice is payable within fourteen (14) days of its date.",
        "4.3 The Supplier may increase the Charges on each anniversary by up to twelve per cent (12%).",
    ]),
    ("5. Customer Data", [
        "5.1 The Supplier shall process Customer Data only to provide the Services.",
        "5.2 The Supplier shall notify the Customer of any personal data breach within ten (10) Business Days of "
        "becoming aware of it.",
    ]),
    ("6. Intellectual property", [
        "6.1 All intellectual property rights in the Deliverables shall vest in the Supplier upon creation.",
        "6.2 The Customer may use the Deliverables for its internal purposes during the term.",
    ]),
    ("7. Confidentiality", [
        "7.1 Each party shall keep the other's information confidential during the term and for two (2) years after "
        "its end.",
    ]),
    ("8. Liability", [
        "8.1 Nothing in this agreement limits liability that cannot be limited by law.",
        "8.2 Subject to clause 8.1, the Supplier's total liability under this agreement shall not exceed the Charges "
        "paid in the three (3) months preceding the claim.",
        "8.3 Neither party is liable for loss of profit.",
    ]),
    ("9. Termination", [
        "9.1 Either party may terminate for material breach that is not remedied within thirty (30) days of notice, "
        "subject to clause 8.4.",
        "9.2 The Supplier may terminate this agreement for convenience on thirty (30) days' notice.",
        "9.3 The Customer may terminate for convenience only upon payment of a fee of one hundred per cent (100%) of "
        "the Charges for the remainder of the term.",
    ]),
    ("10. Consequences of termination", [
        "10.1 Upon termination the Supplier shall delete all Customer Data within seven (7) days.",
    ]),
    ("11. General", [
        "11.1 This agreement is governed by the laws of the State of Delaware.",
        "11.2 The Supplier may assign this agreement to any person without the consent of the Customer.",
        "11.3 Notices shall be in writing and sent to the registered office of the other party.",
    ]),
]

SCHEDULE_1 = [
    ("Item", "Charge", "Payable"),
    ("Platform subscription", "GBP 84,000 a year", "quarterly in advance, within thirty (30) days of invoice"),
    ("Analyst days", "GBP 780 a day", "monthly in arrear, within thirty (30) days of invoice"),
    ("Onboarding", "GBP 12,500 once", "on acceptance of the first dashboard"),
]
SCHEDULE_2 = [
    ("Service", "Level"),
    ("Platform availability", "99.5% of each calendar month"),
    ("Response to a critical fault", "4 hours on a Business Day"),
    ("Monthly rent arrears dashboard", "by the fifth Business Day"),
]
