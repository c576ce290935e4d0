"""Reads both files again and compares them."""
import subprocess

from openpyxl import load_workbook
from pypdf import PdfReader

book = load_workbook("results/inventory.xlsx")
rows = list(book["Stock"].iter_rows(min_row=2, values_only=True))
print(book.sheetnames, len(rows), "rows")
print("value", round(sum(row[3] * row[4] for row in rows), 2), "pieces", sum(row[3] for row in rows))
reader = PdfReader("results/summary.pdf")
print(len(reader.pages), "page")
print(subprocess.run(["pdftotext", "-layout", "results/summary.pdf", "-"], capture_output=True, text=True).stdout)
