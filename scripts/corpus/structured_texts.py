"""Web pages, notebooks, archives and mails, written part by part."""

import gzip
import io
import json
import tarfile

from corpus import CorpusFile, Generator, package

HIDDEN = {"visibility": "hidden"}


def archives(corpus: Generator) -> None:
    names = ("report.txt", "data/table.csv", "数据/汇总.md", "a b/[1].txt")
    file = corpus.new("files.zip")
    for name in names:
        file.note(name, f"member={name}", where="present")
    file.holds(members=4)
    file.save_parts({name: "words\n" for name in names})

    file = corpus.new("archive-in-archive.zip")
    file.note("inner.zip", "member=inner.zip", where="present")
    file.holds(members=1)
    file.save_parts({"inner.zip": package({"a.txt": "words"})})

    file = corpus.new("empty.zip")
    file.holds(members=0)
    file.save_parts({})

    file = corpus.new("files.tar.gz")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in names[:3]:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = 6, 1_767_603_600
            archive.addfile(entry, io.BytesIO(b"words\n"))
            file.note(name, f"member={name}", where="present")
    file.holds(members=3)


    file.save_bytes(gzip.compress(buffer.getvalue(), mtime=0))


def notebooks(corpus: Generator) -> None:
    file = corpus.new("analysis.ipynb")
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [f"# 分析 {file.at('cell=1&lines=1-1')}"]},
        code_cell(file, 2, [{"output_type": "stream", "name": "stdout", "text": [f"{file.at('cell=2&output=1&lines=1-1')}\n"]}]),
        code_cell(file, 3, [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": [file.at("cell=3&output=1&lines=1-1")]}}]),
        code_cell(file, 4, [{"output_type": "error", "ename": "ValueError", "evalue": file.at("cell=4&output=1&lines=1-1"), "traceback": []}]),
    ]
    notebook = {"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}
    file.save_text(json.dumps(notebook, ensure_ascii=False, indent=1))


def code_cell(file: CorpusFile, number: int, outputs: list) -> dict:
    marker = file.at(f"cell={number}&lines=1-1")
    return {"cell_type": "code", "execution_count": number, "metadata": {}, "source": [f"x = '{marker}'"], "outputs": outputs}


def main() -> None:
    corpus = Generator("structured", "Python's own zip, tar and JSON")
    for make in (archives, notebooks):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
