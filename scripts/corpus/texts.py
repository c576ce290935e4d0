"""Delimited text in every encoding that office programs leave, plain text, Markdown and code."""

from corpus import Generator


def encodings(corpus: Generator) -> None:
    """A table per encoding; the marker stands beside words of the language, so a wrong guess shows."""
    words = {
        "utf-8": ("库存清单与季度汇总", "仓库甲的盘点结果"),
        "utf-8-sig": ("客户名单", "带字节顺序标记"),
        "gb18030": ("各部门采购申请单汇总表", "请于月底之前提交审批材料"),
        "big5": ("臺灣分公司銷售資料彙總", "請確認發票號碼與金額"),
        "shift_jis": ("在庫管理表の集計結果です", "東京支店の売上高"),
        "euc_kr": ("재고 관리 현황 보고서입니다", "서울 지점의 매출액"),
        "utf-16": ("年度预算", "两个字节的编码"),
        "cp1252": ("Größe der Bücher – café", "naïve façade"),
    }
    for encoding, (title, note) in words.items():
        file = corpus.new(f"encoding-{encoding}.csv")
        rows = [f"{title},{note}"]
        for row in range(2, 6):
            line = f"lines={row}-{row}"
            rows.append(f"{title}{file.at(line)},{note}")
        file.note(title, "lines=1-5", where="present")
        file.holds(lines=5, columns=2)
        file.save_bytes("\n".join([*rows, ""]).encode(encoding))
    for encoding in ("utf-16-le", "utf-16-be"):
        file = corpus.new(f"no-mark-{encoding}.txt")
        file.save_bytes("".join(f"line {file.at(f'lines={row}-{row}')}\n" for row in range(1, 9)).encode(encoding))
    file = corpus.new("stray-byte.txt")
    first, third = file.at("lines=1-1"), file.at("lines=3-3")
    file.holds(replacementCharacters=1)
    file.save_bytes(f"合同条款第一条{first}\n".encode() + b"a stray \xff byte\n" + f"其余为中文{third}\n".encode())


def delimited(corpus: Generator) -> None:
    for name, separator in (("tabs.tsv", "\t"), ("semicolons.csv", ";"), ("bars.csv", "|")):
        file = corpus.new(name)
        rows = [separator.join(["sku", "名称", "price"])]
        rows += [separator.join([file.at(f"lines={row}-{row}"), "零件", f"{row},5"]) for row in range(2, 7)]
        file.holds(rows=6, columns=3)
        file.save_text("\n".join(rows) + "\n")
    file = corpus.new("quoted-lines.csv")
    inside, after = file.at("lines=3-3"), file.at("lines=4-4")
    file.save_text(f'id,note\n1,"first line\nsecond {inside} line"\n2,{after}\n')
    file.holds(rows=3, columns=2, lines=4)
    file = corpus.new("ragged.csv")
    file.save_text(f"a,b,c\n1,2\n3,4,5,{file.at('lines=3-3')}\n,,\n")
    file = corpus.new("old-mac.csv")
    file.save_text(f"a,b\r1,{file.at('lines=2-2')}\r2,{file.at('lines=3-3')}\r")
    file = corpus.new("windows-lines.csv")
    file.save_text(f"a,b\r\n1,{file.at('lines=2-2')}\r\n\r\n2,{file.at('lines=4-4')}\r\n")
    file = corpus.new("formula-injection.csv")
    file.save_text(f"name,value\n=HYPERLINK(1),{file.at('lines=2-2')}\n@SUM(1),-1+{file.at('lines=3-3')}\n")
    file = corpus.new("header-only.csv")
    file.save_text(f"甲,乙,{file.at('lines=1-1')}\n")
    file = corpus.new("many-columns.csv")
    file.save_text(",".join([f"c{n}" for n in range(400)] + [file.at("lines=1-1")]) + "\n" + "1," * 400 + "2\n")


def plain(corpus: Generator) -> None:
    file = corpus.new("notes.txt")
    file.save_text(f"{file.at('lines=1-1')}\n\n\n会议纪要 {file.at('lines=4-4')}\n\tindented {file.at('lines=5-5')}")
    file.holds(lines=5)
    corpus.new("empty.txt").save_bytes(b"")
    corpus.new("blank-lines.txt").save_text("\n\n\n")
    file = corpus.new("controls.log")
    file.save_text(f"\x1b[31mred {file.at('lines=1-1')}\x1b[0m\nbell \x07 {file.at('lines=2-2')}\nform\x0cfeed {file.at('lines=3-3')}\n")
    file = corpus.new("long-line.txt")
    file.save_text(f"{file.at('lines=1-1')} " + "x" * 15_000 + "\nend\n")
    file = corpus.new("invisible.txt")
    file.save_text(f"zero\u200bwidth {file.at('lines=1-1')}\n\u202eright to left\u202c {file.at('lines=2-2')}\n")
    file.holds(invisibleCharacters=3)
    file = corpus.new("emoji-and-rare.txt")
    file.save_text(f"📊 {file.at('lines=1-1')}\n𠮷野家 {file.at('lines=2-2')}\ne\u0301 {file.at('lines=3-3')}\n")
    corpus.new("名称 带空格 (终稿) [1].txt").save_text("中文文件名\n")


def markdown(corpus: Generator) -> None:
    file = corpus.new("report.md")
    lines = [
        f"# 报告 {file.at('lines=1-1')}",
        "",
        f"Some **bold {file.at('lines=3-3')}** text, [a link](https://example.invalid/{file.at('lines=3-3')}).",
        "",
        "| 项目 | 金额 |",
        "|---|---:|",
        f"| {file.at('lines=7-7')} | 12 |",
        "",
        "```python",
        f"print('{file.at('lines=10-10')}')",
        "```",
        f"![图 {file.at('lines=12-12')}](images/missing.png)",
        f"- [ ] task {file.at('lines=13-13')}",
        f"> quote {file.at('lines=14-14')}",
        f"Footnote[^1]\n\n[^1]: {file.at('lines=17-17')}",
    ]
    file.save_text("\n".join(lines) + "\n")
    file = corpus.new("front-matter.md")
    file.save_text(f"---\ntitle: {file.at('lines=2-2')}\n---\nSetext {file.at('lines=4-4')}\n======\n")
    file = corpus.new("html-inside.md")
    file.save_text(f"<details><summary>{file.at('lines=1-1')}</summary>\n\n<img src='file:///etc/passwd'>\n\n{file.at('lines=5-5')}\n</details>\n")


def code(corpus: Generator) -> None:
    samples = {
        "analysis.py": 'import math\n# {0}\nprint("{1}")\n',
        "query.sql": "-- {0}\nSELECT '{1}';\n",
        "model.r": "# {0}\nx <- '{1}'\n",
        "data.json": '{{"{0}": 1,\n"{1}": [null]}}\n',
        "settings.yaml": "{0}: 1\n列表: [{1}]\n",
        "build.sh": "#!/bin/sh\n# {0}\necho {1}\n",
        "thesis.tex": "% {0}\n\\section{{{1}}}\n",
        "app.js": "// {0}\nexport const x = '{1}';\n",
    }
    for name, text in samples.items():
        file = corpus.new(name)
        first = [number for number, line in enumerate(text.split("\n"), 1) if "{0}" in line][0]
        second = [number for number, line in enumerate(text.split("\n"), 1) if "{1}" in line][0]
        file.save_text(text.format(file.at(f"lines={first}-{first}"), file.at(f"lines={second}-{second}")))


def main() -> None:
    corpus = Generator("texts", "Python's own codecs")
    for make in (encodings, delimited, plain, markdown, code):
        make(corpus)
    corpus.finish()


if __name__ == "__main__":
    main()
