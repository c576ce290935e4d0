"""Where generators put their files, with the list of what each one holds and where.

A marker is a word that occurs nowhere else in its file. Each is written down with the locator under which the
evidence view must show it, exactly once; tests hold every marker against the view and against `resolve`.
"""

import hashlib
import io
import json
import re
import shutil
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "fixtures" / "corpus"
FIXED_TIME = (2026, 1, 5, 9, 0, 0)
STAMP = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:\2>)")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class CorpusFile:
    """One file of the corpus and what is known of it.

    status: what the renderer container must say of it; only_container: nothing is read without its programs;
    status_with_pages: what the container says instead, where LibreOffice cannot draw the file.
    """

    def __init__(self, path: Path, name: str, status: str, only_container: bool, status_with_pages: str | None):
        self.path = path
        self.name = name
        self.status = status
        self.only_container = only_container
        self.status_with_pages = status_with_pages
        self.markers: list[dict] = []
        self.counts: dict[str, int] = {}

    def at(self, locator: str, **options) -> str:
        """A new marker, expected at this locator (without the artifact's name, such as `cells=Sheet!B2`).

        visibility: `hidden` where no reader sees it. labels: every segment that holds it, by label, where that is
        not a single one. where: `workbook` for facts of
        a workbook that are not text, `record` for counts, facts and warnings, `present` for text that may occur often. member: path of the
        embedded file that holds it, within which the locator is.
        """
        digest = hashlib.sha256(f"{self.name} {len(self.markers)}".encode()).digest()
        text = "MK" + "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:6])
        return self.note(text, locator, **options)

    def note(self, text: str, locator: str, **options) -> str:
        """Expects a text of the caller's own, where a marker must be a number or a name."""
        self.markers.append({"text": text, "locator": locator, **options})
        return text

    def holds(self, **counts: int) -> None:
        """Counts that the view must give, such as `tables=2`."""
        self.counts.update(counts)

    def record(self) -> dict:
        record = {"file": self.name, "status": self.status}
        if self.status_with_pages:
            record["statusWithPages"] = self.status_with_pages
        if self.only_container:
            record["onlyContainer"] = True
        if self.counts:
            record["counts"] = self.counts
        record["markers"] = self.markers
        return record

    def save_bytes(self, content: bytes) -> None:
        self.path.write_bytes(content)

    def save_text(self, text: str, encoding: str = "utf-8") -> None:
        self.save_bytes(text.encode(encoding))

    def save_office(self, document) -> None:
        """Saves what openpyxl, python-docx or python-pptx made, with the same bytes every time."""
        buffer = io.BytesIO()
        document.save(buffer)
        self.save_bytes(stable_package(buffer.getvalue()))

    def save_parts(self, parts: dict[str, str | bytes], **options) -> None:
        self.save_bytes(package(parts, **options))


class Generator:
    """The files of one program, in a folder of their own beside `<name>.json`."""

    def __init__(self, name: str, program: str):
        self.name = name
        self.program = program
        self.folder = CORPUS / name
        self.files: list[CorpusFile] = []
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def new(
        self,
        name: str,
        status: str = "rendered",
        only_container: bool = False,
        status_with_pages: str | None = None,
    ) -> CorpusFile:
        file = CorpusFile(self.folder / name, name, status, only_container, status_with_pages)
        self.files.append(file)
        return file

    def finish(self) -> None:
        listing = {"program": self.program, "files": [file.record() for file in self.files]}
        text = json.dumps(listing, ensure_ascii=False, indent=1)
        (CORPUS / f"{self.name}.json").write_text(text + "\n", encoding="utf-8")


def package(parts: dict[str, str | bytes], stored: tuple[str, ...] = ()) -> bytes:
    """A zip of the parts in their order, all with one time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, FIXED_TIME)
            entry.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            target.writestr(entry, content)
    return buffer.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        return {name: source.read(name) for name in source.namelist()}


def stable_package(content: bytes) -> bytes:
    """The same parts without the clock; the thumbnail of the library's template is left out, it is most of a small file."""
    parts = parts_of(content)
    thumbnail = "docProps/thumbnail.jpeg"
    if thumbnail in parts:
        del parts[thumbnail]
        relations = re.sub(rb"<Relationship [^>]*thumbnail[^>]*/>", b"", parts["_rels/.rels"])
        parts["_rels/.rels"] = relations
    for name in parts:
        if name.startswith("word/comments"):
            parts[name] = re.sub(rb'w:date="[^"]*"', b'w:date="2026-01-05T09:00:00Z"', parts[name])
    core = "docProps/core.xml"
    if core in parts:
        parts[core] = STAMP.sub(rb"\g<1>2026-01-05T09:00:00Z\g<3>", parts[core])
    return package(parts)
