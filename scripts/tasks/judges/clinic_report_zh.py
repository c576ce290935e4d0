from .session import Item, files, find, image, line, met, page, python, text, unmet

CSV, PDF = "科室统计.csv", "门诊月报.pdf"
TABLE, OUT, RAW = f"results/{CSV}", f"results/{PDF}", "inputs/门诊记录_2026年5月.csv"
WEAK = ("weak/r1", "weak/r2")

WAIT = """
import csv
rows = {row['就诊号']: row for row in csv.DictReader(open('/evidence/inputs/门诊记录_2026年5月.csv', encoding='utf-8-sig'))}
minutes = lambda text: int(text[:2]) * 60 + int(text[3:])
waits = [minutes(row['就诊时间']) - minutes(row['挂号时间']) for row in rows.values()
         if row['状态'] == '已就诊' and row['挂号时间'] and row['就诊时间']
         and not row['就诊日期'].startswith(('2026-04', '2026/6'))]
print(len(waits), round(sum(waits) / len(waits), 1))
"""


def both(good) -> dict:
    return {"reference": good, "strong": good}


def weak(verdict) -> dict:
    return dict.fromkeys(WEAK, verdict)


ITEMS = [
    Item(
        "bar-chart",
        [[files(), image(OUT)]],
        {
            **both(met("图中七根柱子，科室名称都清楚。", page(PDF), line(PDF, "就诊人次：74"))),
            **weak(unmet("页面上只有文字和表格，没有柱状图。", page(PDF), line(PDF, "就诊人次：76"))),
        },
    ),
    Item(
        "pdf-table",
        [[files(), text(OUT)], [text(TABLE)]],
        {
            **both(
                met(
                    "逐行核对，七个科室的数字一致。",
                    line(PDF, "1,779.60"),
                    line(CSV, "全科,19,16,6,11.7,1779.60"),
                    line(PDF, "6,405.10"),
                    line(CSV, "口腔科,9,9,2,14.8,6405.10"),
                )
            ),
            "weak/r1": unmet("没有交《科室统计.csv》，无从一致。", searched=((TABLE, "就诊人次"),)),
            "weak/r2": met(
                "PDF 的表与 CSV 逐行一致（两者都没有归并科室）。", line(PDF, "1779.60"), line(CSV, "全科,19,16,6,11.7,1779.60")
            ),
        },
        other_looks={"weak/r1": [[files(), text(OUT)]]},
    ),
    Item(
        "overall-wait",
        [[find("平均等候", OUT)], [python(WAIT)]],
        {
            **both(met("用明细重算，平均等候是 20.7 分钟，与月报一致。", line(PDF, "平均等候（分钟）：20.7"))),
            **weak(unmet("月报写的是 22.1，用明细重算是 20.7。", line(PDF, "平均等候（分钟）：22.1"))),
        },
    ),
    Item(
        "busiest-department",
        [[text(OUT)], [find("全科", OUT)]],
        {
            "reference": met("结论写明全科最多，19 人次。", line(PDF, "就诊人次最多的是全科，19 人次。")),
            "strong": met("结论写明全科最多，19 人次。", line(PDF, "人次最多的科室是全科（19 人次）")),
            **weak(met("写明全科最忙，19 人次。", line(PDF, "本月全科最忙，共 19 人次"))),
        },
    ),
    Item(
        "slowest-department",
        [[text(OUT)], [find("等候最长")]],
        {
            "reference": met("写明呼吸内科最长，32.6 分钟。", line(PDF, "平均等候最长的是呼吸内科，32.6 分钟。")),
            "strong": unmet("写了呼吸内科，但结论里没有写多少分钟。", line(PDF, "平均等候最长的是呼吸内科，建议关注。")),
            **weak(unmet("结论没有提等候最长的科室。", searched=(("results/*", "等候最长"),))),
        },
    ),
    Item(
        "exclusions-counted",
        [[files(), text(OUT)], [find("剔除")]],
        {
            "reference": met("总数 10 行和四个原因的行数都对。", line(PDF, "共剔除 10 行"), line(PDF, "退号 3 行")),
            "strong": met(
                "总数 10 行和四个原因的行数都对。", line(PDF, "明细中剔除 10 行"), line(PDF, "退号 3 行、爽约 2 行")
            ),
            **weak(unmet("月报没有数据说明，没有写剔除了多少行。", searched=(("results/*", "剔除"),))),
        },
    ),
    Item(
        "no-identifiers",
        [[find("P30"), find("V260")], [text(OUT)]],
        {
            **both(met("两个文件里都找不到患者编号和就诊号。", searched=(("results/*", "P30"), ("results/*", "V260")))),
            **weak(met("交付的文件里都找不到患者编号和就诊号。", searched=(("results/*", "P30"), ("results/*", "V260")))),
        },
    ),
    Item(
        "month-in-title",
        [[files(), text(OUT)]],
        {
            "reference": met("标题有月份。", line(PDF, "2026 年 5 月门诊月报")),
            "strong": met("标题有月份。", line(PDF, "门诊月报（2026 年 5 月）")),
            **weak(met("标题有月份。", line(PDF, "2026 年 5 月门诊月报"))),
        },
    ),
    Item(
        "plain-numbers",
        [[text(TABLE)], [find(",", TABLE)]],
        {
            **both(met("等候一位小数，费用两位小数，没有千分位和单位。", line(CSV, "呼吸内科,14,13,7,32.6,2956.20"))),
            "weak/r1": unmet("没有交《科室统计.csv》。", searched=((TABLE, "总费用"),)),
            "weak/r2": met("等候一位小数，费用两位小数，没有千分位和单位。", line(CSV, "呼吸内科,13,12,6,32.0,2760.20")),
        },
        other_looks={"weak/r1": [[files(), find("总费用", OUT)]]},
    ),
]
