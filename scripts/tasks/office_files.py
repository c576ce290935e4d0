"""Saves office files with the same bytes every time: fixed timestamps, fixed order of parts."""

import io
import re
import zipfile
from pathlib import Path

FIXED_TIME = (2026, 1, 5, 9, 0, 0)
FIXED_TEXT = "2026-01-05T09:00:00Z"
STAMP = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:\2>)")


def save_stable(document, path: Path) -> None:
    """Saves a workbook (openpyxl) or a document (python-docx); parts carry FIXED_TIME instead of the clock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    document.save(buffer)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                content = STAMP.sub(rb"\g<1>" + FIXED_TEXT.encode() + rb"\g<3>", content)
            entry = zipfile.ZipInfo(name, FIXED_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            target.writestr(entry, content)


def save_text(text: str, path: Path, encoding: str = "utf-8") -> None:
    """Writes text with Unix line ends; `utf-8-sig` gives the byte order mark that spreadsheets look for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
