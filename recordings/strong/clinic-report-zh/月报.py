"""把 数字.json 排成 results/门诊月报.pdf。"""
import json

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

pdfmetrics.registerFont(TTFont("hei", "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"))
数字 = json.load(open("数字.json", encoding="utf-8"))
各科, 剔除 = 数字["各科"], 数字["剔除"]
正文 = ParagraphStyle("正文", fontName="hei", fontSize=11, leading=18, wordWrap="CJK")
标题 = ParagraphStyle("标题", parent=正文, fontSize=20, leading=30, alignment=1, spaceAfter=8)
小标题 = ParagraphStyle("小标题", parent=正文, fontSize=13, leading=24, spaceBefore=6)

表头 = list(各科[0])
表 = Table([表头] + [[*list(行.values())[:5], f"{float(行['总费用']):,.2f}"] for 行 in 各科], hAlign="LEFT")
表.setStyle(
    TableStyle(
        [
            ("FONTNAME", (0, 0), (-1, -1), "hei"),
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ]
    )
)

图 = Drawing(470, 190)
柱 = VerticalBarChart()
柱.x, 柱.y, 柱.width, 柱.height = 30, 30, 430, 145
柱.data = [[行["就诊人次"] for 行 in 各科]]
柱.categoryAxis.categoryNames = [行["科室"] for 行 in 各科]
柱.categoryAxis.labels.fontName = "hei"
柱.valueAxis.valueMin = 0
柱.bars[0].fillColor = colors.HexColor("#7A9E7E")
图.add(柱)

最多 = 各科[0]
最久 = max(各科, key=lambda 行: float(行["平均等候分钟"]))
SimpleDocTemplate("results/门诊月报.pdf", pagesize=A4, title="门诊月报", topMargin=45, bottomMargin=45).build(
    [
        Paragraph("门诊月报（2026 年 5 月）", 标题),
        Paragraph(f"就诊人次：{数字['人次']}", 正文),
        Paragraph(f"就诊患者数：{数字['患者']}", 正文),
        Paragraph(f"平均等候（分钟）：{数字['等候']}", 正文),
        Paragraph(f"总费用（元）：{数字['费用']}", 正文),
        Paragraph(f"退号率：{数字['退号率']}", 正文),
        Paragraph("一、各科室统计", 小标题),
        表,
        Paragraph("二、各科室就诊人次", 小标题),
        图,
        Paragraph("三、结论", 小标题),
        Paragraph(f"人次最多的科室是{最多['科室']}（{最多['就诊人次']} 人次）；平均等候最长的是{最久['科室']}，建议关注。", 正文),
        Paragraph("四、数据说明", 小标题),
        Paragraph(
            f"明细中剔除 {sum(剔除.values())} 行，其中重复就诊号的旧行 {剔除['更正']} 行、"
            f"非五月记录 {剔除['期外']} 行、退号 {剔除['退号']} 行、爽约 {剔除['爽约']} 行。",
            正文,
        ),
    ]
)
