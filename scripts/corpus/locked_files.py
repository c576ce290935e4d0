"""Office files behind a password (ECMA-376 agile encryption by msoffcrypto), of which nothing may be shown.

Salts are random: the committed files are the truth.
"""

import io

import docx
import openpyxl
import pptx
from msoffcrypto.format.ooxml import OOXMLFile

from corpus import Generator, stable_package

PASSWORD = "known to nobody"


def main() -> None:
    corpus = Generator("locked", "msoffcrypto")
    for extension, document in (("xlsx", openpyxl.Workbook()), ("docx", docx.Document()), ("pptx", pptx.Presentation())):
        plain, locked = io.BytesIO(), io.BytesIO()
        document.save(plain)
        OOXMLFile(io.BytesIO(stable_package(plain.getvalue()))).encrypt(PASSWORD, locked)
        corpus.new(f"password.{extension}", status="encrypted").save_bytes(locked.getvalue())
    corpus.finish()


if __name__ == "__main__":
    main()
