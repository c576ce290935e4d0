"""Solves the task from its attachment and builds the reference deliverables."""

import csv
import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

FONT_FILE = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
FONT = "MicroHei"
HEADERS = ["科室", "就诊人次", "患者数", "复诊人次", "平均等候分钟", "总费用"]
ALIASES = {"小儿科": "儿科", "儿科门诊": "儿科", "呼吸科": "呼吸内科", "口腔": "口腔科"}


@dataclass(frozen=True)
class Department:
    name: str
    visits: int
    patients: int
    repeats: int
    wait: Decimal
    fees: Decimal

    def row(self) -> list[str]:
        return [self.name, str(self.visits), str(self.patients), str(self.repeats), str(self.wait), f"{self.fees:.2f}"]


@dataclass(frozen=True)
class Report:
    departments: tuple[Department, ...]
    visits: int
    patients: int
    wait: Decimal
    fees: Decimal
    refund_rate: Decimal
    corrected: int
    outside: int
    refunded: int
    missed: int
    order: tuple[str, ...] = ()  # names in another order than by visits; for mutations

    def ordered(self) -> list[Department]:
        if self.order:
            return sorted(self.departments, key=lambda one: self.order.index(one.name))
        return sorted(self.departments, key=lambda one: (-one.visits, -one.fees))

    def change(self, name: str, **facts) -> "Report":
        """The same report with other facts for one department."""
        return replace(
            self, departments=tuple(replace(one, **facts) if one.name == name else one for one in self.departments)
        )


def day(text: str) -> date:
    short = re.fullmatch(r"(\d+)月(\d+)日", text)
    if short:
        return date(2026, int(short[1]), int(short[2]))
    return date(*(int(part) for part in re.split("[-/]", text)))


def minutes(text: str) -> int | None:
    return None if not text else int(text[:2]) * 60 + int(text[3:])


def money(text: str) -> Decimal:
    return Decimal(re.sub(r"[,元￥\s]", "", text) or "0")


def tenth(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.1"), ROUND_HALF_UP)


def mean_wait(rows: list[dict]) -> Decimal:
    waits = [row["wait"] for row in rows if row["wait"] is not None]
    return tenth(Decimal(sum(waits)) / len(waits))


def solve(path: Path) -> Report:
    with open(path, encoding="utf-8-sig", newline="") as file:
        raw = list(csv.DictReader(file))
    newest = {row["就诊号"]: row for row in raw}
    rows = [row for row in newest.values() if date(2026, 5, 1) <= day(row["就诊日期"]) <= date(2026, 5, 31)]
    done = [row for row in rows if row["状态"] == "已就诊"]
    refunded = sum(1 for row in rows if row["状态"] == "退号")
    for row in done:
        start, end = minutes(row["挂号时间"]), minutes(row["就诊时间"])
        row["wait"] = None if start is None or end is None else end - start
        name = row["科室"].strip()
        row["科室"] = ALIASES.get(name, name)
    departments = []
    for name in sorted({row["科室"] for row in done}):
        mine = [row for row in done if row["科室"] == name]
        departments.append(
            Department(
                name,
                len(mine),
                len({row["患者编号"] for row in mine}),
                sum(1 for row in mine if row["就诊类型"] == "复诊"),
                mean_wait(mine),
                sum((money(row["费用"]) for row in mine), Decimal(0)),
            )
        )
    return Report(
        departments=tuple(departments),
        visits=len(done),
        patients=len({row["患者编号"] for row in done}),
        wait=mean_wait(done),
        fees=sum((one.fees for one in departments), Decimal(0)),
        refund_rate=tenth(Decimal(100 * refunded) / (len(done) + refunded)),
        corrected=len(raw) - len(newest),
        outside=len(newest) - len(rows),
        refunded=refunded,
        missed=sum(1 for row in rows if row["状态"] == "爽约"),
    )


def build(report: Report, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "科室统计.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADERS)
        writer.writerows(one.row() for one in report.ordered())
    build_pdf(report, folder / "门诊月报.pdf")


def build_pdf(report: Report, path: Path) -> None:
    pdfmetrics.registerFont(TTFont(FONT, FONT_FILE))
    body = ParagraphStyle("body", fontName=FONT, fontSize=10.5, leading=17, wordWrap="CJK")
    title = ParagraphStyle("title", parent=body, fontSize=18, leading=26, alignment=1)
    heading = ParagraphStyle("heading", parent=body, fontSize=13, leading=22, spaceBefore=8)
    busiest = report.ordered()[0]
    slowest = max(report.departments, key=lambda one: one.wait)
    facts = [
        f"就诊人次：{report.visits}",
        f"就诊患者数：{report.patients}",
        f"平均等候（分钟）：{report.wait}",
        f"总费用（元）：{report.fees:,.2f}",
        f"退号率：{report.refund_rate}%",
    ]
    notes = (
        f"共剔除 {report.corrected + report.outside + report.refunded + report.missed} 行："
        f"就诊号重复、已被后面的行更正的 {report.corrected} 行，统计期以外的 {report.outside} 行，"
        f"退号 {report.refunded} 行，爽约 {report.missed} 行。科室名称已按口径归并。"
    )
    story = [
        Paragraph("2026 年 5 月门诊月报", title),
        *[Paragraph(line, body) for line in facts],
        Paragraph("各科室统计", heading),
        department_table(report),
        Paragraph("各科室就诊人次", heading),
        chart(report),
        Paragraph("结论", heading),
        Paragraph(f"就诊人次最多的是{busiest.name}，{busiest.visits} 人次。", body),
        Paragraph(f"平均等候最长的是{slowest.name}，{slowest.wait} 分钟。", body),
        Paragraph("数据说明", heading),
        Paragraph(notes, body),
    ]
    SimpleDocTemplate(
        str(path), pagesize=A4, title="2026 年 5 月门诊月报", author="医务科", invariant=1,
        topMargin=16 * mm, bottomMargin=16 * mm,
    ).build(story)


def department_table(report: Report) -> Table:
    rows = [HEADERS] + [[*one.row()[:5], f"{one.fees:,.2f}"] for one in report.ordered()]
    made = Table(rows, hAlign="LEFT", colWidths=[28 * mm, 22 * mm, 20 * mm, 22 * mm, 30 * mm, 32 * mm])
    made.setStyle(
        TableStyle(
            [
                ("FONTNAME", (0, 0), (-1, -1), FONT),
                ("FONTSIZE", (0, 0), (-1, -1), 9.5),
                ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#DCE9F2")),
                ("GRID", (0, 0), (-1, -1), 0.25, colors.grey),
                ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ]
        )
    )
    return made


def chart(report: Report) -> Drawing:
    drawing = Drawing(165 * mm, 62 * mm)
    bars = VerticalBarChart()
    bars.x, bars.y, bars.width, bars.height = 12 * mm, 10 * mm, 150 * mm, 48 * mm
    bars.data = [[one.visits for one in report.ordered()]]
    bars.categoryAxis.categoryNames = [one.name for one in report.ordered()]
    bars.categoryAxis.labels.fontName = FONT
    bars.valueAxis.valueMin, bars.valueAxis.valueStep = 0, 5
    bars.valueAxis.valueMax = 5 * (report.ordered()[0].visits // 5 + 1)
    bars.barLabelFormat = "%d"
    bars.barLabels.nudge = 7
    bars.bars[0].fillColor = colors.HexColor("#4F81A8")
    drawing.add(bars)
    return drawing
