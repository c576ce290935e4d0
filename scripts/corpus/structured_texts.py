"""Web pages, notebooks, archives and mails, written part by part."""

import base64
import gzip
import io
import json
import quopri
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


PAGE = """<!DOCTYPE html><html lang="zh"><head><title>季度报告 {title}</title><style>.off{{display:none}}</style></head><body>
<h1>一、概况 {heading}</h1><p>正文 {text} <a href="https://example.invalid/{target}">链接</a></p>
<ul><li>{item}</li></ul>
<table><tr><th>{label}</th><td>{value}</td></tr></table>
<p class="off">{unseen}</p><p hidden>{attribute}</p><img src="a.png" alt="{picture}">
<!-- {remark} --><script>var a = '{script}';</script>
</body></html>
"""


def pages(corpus: Generator) -> None:
    file = corpus.new("page.html")
    file.holds(headings=1, links=1, tables=1, images=1, scripts=1)
    file.save_text(
        PAGE.format(
            title=file.at("paragraph=head:1-1", feature="document properties"),
            heading=file.at("paragraph=body:1-1", feature="heading"),
            text=file.at("paragraph=body:2-2"),
            target=file.at("paragraph=links:1-1", feature="link target", **HIDDEN),
            item=file.at("paragraph=body:3-3", feature="list"),
            label=file.at("table=1&row=1&column=1"),
            value=file.at("table=1&row=1&column=2"),
            unseen=file.at("paragraph=hidden:1-1", feature="hidden text", **HIDDEN),
            attribute=file.at("paragraph=hidden:2-2", feature="hidden text", **HIDDEN),
            picture=file.at("paragraph=alt:1-1", feature="alternative text", **HIDDEN),
            remark=file.at("paragraph=comments:1-1", feature="comment", **HIDDEN),
            script=file.at("paragraph=scripts:1-1", feature="script", **HIDDEN),
        )
    )
    file = corpus.new("gb2312.htm")
    text = f"<p>季度汇总报告 {file.at('paragraph=body:1-1')}</p><p>仓库 {file.at('paragraph=body:2-2')}</p>"
    file.save_text(f'<html><head><meta charset="gb2312"></head><body>{text}</body></html>', "gb2312")

    file = corpus.new("drawing.svg")
    title, description = (file.at(f"paragraph=alt:{number}-{number}", feature="alternative text", **HIDDEN) for number in (1, 2))
    words = [file.at(f"page=1&lines={number}-{number}", **options) for number, options in ((1, {}), (2, {}), (3, HIDDEN))]
    file.save_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="180" height="60"><title>{title}</title><desc>{description}</desc>'
        f'<text x="5" y="20">{words[0]}</text><text x="5" y="40"><tspan>{words[1]}</tspan></text>'
        f'<text x="5" y="55" display="none">{words[2]}</text></svg>'
    )


def mails(corpus: Generator) -> None:
    file = corpus.new("message.eml")
    subject = base64.b64encode(f"会议纪要 {file.at('paragraph=headers:3-3')}".encode()).decode()
    body = f"各位同事 {file.at('paragraph=body:1-1')}\nsecond line {file.at('paragraph=body:2-2')}\n"
    name = "附件清单"
    file.note(f"{name}.csv", f"member={name}.csv", where="present", feature="attachment")
    inside = base64.b64encode("项目,金额\n".encode()).decode()
    note = file.at("file", feature="document properties", **HIDDEN)
    file.holds(attachments=1, members=1)
    file.save_text(
        "From: a@example.invalid\r\nTo: b@example.invalid\r\n"
        f"Subject: =?utf-8?B?{subject}?=\r\nDate: Mon, 05 Jan 2026 09:00:00 +0000\r\nX-Note: {note}\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b1"\r\n\r\n'
        "--b1\r\nContent-Type: text/plain; charset=gb18030\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        + quopri.encodestring(body.encode("gb18030")).decode()
        + f'\r\n--b1\r\nContent-Type: text/csv; charset=utf-8\r\nContent-Disposition: attachment; filename="{name}.csv"\r\n'
        f"Content-Transfer-Encoding: base64\r\n\r\n{inside}\r\n--b1--\r\n"
    )

    file = corpus.new("saved-page.mht")
    subject, heading, text = (file.at(f"paragraph={part}") for part in ("headers:2-2", "body:1-1", "body:2-2"))
    page = quopri.encodestring(f"<html><body><h1>{heading}</h1><p>季度 {text}</p></body></html>".encode("gb2312")).decode()
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(24)).decode()
    file.holds(attachments=1, members=1)
    file.save_text(
        f"From: saved\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="b1"\r\n\r\n'
        '--b1\r\nContent-Type: text/html; charset="gb2312"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
        f"{page}\r\n--b1\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-Location: http://example.invalid/a.png\r\n\r\n{picture}\r\n--b1--\r\n"
    )


def main() -> None:
    corpus = Generator("structured", "Python's own zip, tar, JSON and text")
    for make in (archives, notebooks, pages, mails):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
