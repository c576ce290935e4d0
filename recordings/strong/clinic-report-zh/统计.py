"""按统计口径汇总门诊明细，写出 results/科室统计.csv，并把月报要用的数字存到 数字.json。"""
import json
import re
from decimal import ROUND_HALF_UP, Decimal

import pandas as pd

明细 = pd.read_csv("门诊记录_2026年5月.csv", dtype=str, encoding="utf-8-sig", keep_default_na=False)
总行数 = len(明细)
明细 = 明细.drop_duplicates("就诊号", keep="last")
更正 = 总行数 - len(明细)


def 日期(文字):
    短 = re.fullmatch(r"(\d+)月(\d+)日", 文字)
    年月日 = (2026, 短[1], 短[2]) if 短 else re.split("[-/]", 文字)
    return tuple(int(数) for 数 in 年月日)


本月 = 明细[明细["就诊日期"].map(lambda 文字: 日期(文字)[:2] == (2026, 5))].copy()
期外 = len(明细) - len(本月)
归并 = {"小儿科": "儿科", "儿科门诊": "儿科", "呼吸科": "呼吸内科", "口腔": "口腔科"}
本月["科室"] = 本月["科室"].str.strip().replace(归并)
退号 = int((本月["状态"] == "退号").sum())
爽约 = int((本月["状态"] == "爽约").sum())
就诊 = 本月[本月["状态"] == "已就诊"].copy()


def 分钟(文字):
    return int(文字[:2]) * 60 + int(文字[3:]) if 文字 else None


就诊["等候"] = [
    分钟(止) - 分钟(起) if 起 and 止 else None for 起, 止 in zip(就诊["挂号时间"], 就诊["就诊时间"])
]
就诊["金额"] = 就诊["费用"].map(lambda 文字: Decimal(re.sub(r"[^\d.]", "", 文字) or "0"))


def 平均(等候):
    有 = [int(数) for 数 in 等候 if pd.notna(数)]
    return str((Decimal(sum(有)) / len(有)).quantize(Decimal("0.1"), ROUND_HALF_UP))


各科 = []
for 科室, 组 in 就诊.groupby("科室"):
    各科.append(
        {
            "科室": 科室,
            "就诊人次": len(组),
            "患者数": 组["患者编号"].nunique(),
            "复诊人次": int((组["就诊类型"] == "复诊").sum()),
            "平均等候分钟": 平均(组["等候"]),
            "总费用": f"{sum(组['金额']):.2f}",
        }
    )
各科.sort(key=lambda 行: (-行["就诊人次"], -Decimal(行["总费用"])))
pd.DataFrame(各科).to_csv("results/科室统计.csv", index=False, encoding="utf-8", lineterminator="\n")
率 = (Decimal(100 * 退号) / (len(就诊) + 退号)).quantize(Decimal("0.1"), ROUND_HALF_UP)
数字 = {
    "各科": 各科,
    "人次": len(就诊),
    "患者": int(就诊["患者编号"].nunique()),
    "等候": 平均(就诊["等候"]),
    "费用": f"{sum(就诊['金额']):,.2f}",
    "退号率": f"{率}%",
    "剔除": {"更正": 更正, "期外": 期外, "退号": 退号, "爽约": 爽约},
}
json.dump(数字, open("数字.json", "w", encoding="utf-8"), ensure_ascii=False, indent=1)
print(json.dumps(数字, ensure_ascii=False, indent=1))
