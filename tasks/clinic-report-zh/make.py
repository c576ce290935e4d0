"""Makes the attachment and the reference deliverables of this task. Seeded: the same bytes every time.

Run in the agent's Python image (or with the versions pinned there): python3 tasks/clinic-report-zh/make.py
"""

import random
import sys
from datetime import date, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "tasks"))
sys.path.insert(0, str(HERE))

from office_files import save_text  # noqa: E402
from solution import build, solve  # noqa: E402

SEED = 20260531
HEADER = "就诊号,就诊日期,患者编号,科室,就诊类型,挂号时间,就诊时间,费用,状态"

# Department: ordinary visits, usual fee in yuan, usual wait in minutes.
DEPARTMENTS = {
    "全科": (19, 86, 14),
    "儿科": (9, 118, 22),
    "呼吸内科": (12, 203, 31),
    "皮肤科": (8, 142, 18),
    "口腔科": (7, 365, 12),
    "眼科": (6, 158, 25),
    "中医科": (5, 97, 9),
}


def written(day: date, rng: random.Random) -> str:
    return rng.choice(
        [day.isoformat(), f"{day.year}/{day.month}/{day.day}", f"{day.month}月{day.day}日", day.isoformat()]
    )


def ordinary(rng: random.Random) -> list[str]:
    """Lines without a trap, in the order of their dates."""
    made, serial = [], 1
    patients = [f"P{number}" for number in range(3001, 3046)]
    for department, (visits, fee, wait) in DEPARTMENTS.items():
        for _ in range(visits):
            day = date(2026, 5, 1) + timedelta(days=rng.randint(0, 30))
            start = rng.randint(8 * 60, 16 * 60)
            end = start + max(1, wait + rng.randint(-8, 12))
            cost = f"{fee + rng.randint(-30, 60)}.{rng.choice(['00', '50', '80'])}"
            cells = [
                written(day, rng), rng.choice(patients), department, rng.choice(["初诊", "复诊", "初诊"]),
                f"{start // 60:02d}:{start % 60:02d}", f"{end // 60:02d}:{end % 60:02d}", cost, "已就诊",
            ]
            made.append((day, cells))
    made.sort(key=lambda entry: entry[0])
    lines = []
    for _, cells in made:
        lines.append(",".join([f"V{260500 + serial}", *cells]))
        serial += 1
    return lines


def lines(rng: random.Random) -> list[str]:
    """Ordinary lines with the traps among them; positions are those in the finished list."""
    table = ordinary(rng)
    corrected = table[20].split(",")
    traps = [
        (3, "V260701,2026-05-02,P3051,小儿科,初诊,08:31,09:02,133.00,已就诊"),
        (6, "V260702,2026-04-30,P3052,全科,初诊,09:10,09:20,80.00,已就诊"),
        (9, 'V260703,5月6日,P3053,口腔,复诊,10:05,10:16,"1,280.50元",已就诊'),
        (12, "V260704,2026/5/7,P3009,皮肤科,初诊,08:50,,0,退号"),
        (15, "V260705,2026-05-08,P3054,呼吸科,复诊,09:00,09:41,￥96,已就诊"),
        (18, "V260706,2026-05-09,P3055,眼科,初诊,,10:20,150.00,已就诊"),
        (22, "V260707,5月11日,P3012,儿科门诊,复诊,14:02,14:20,121.50,已就诊"),
        (25, "V260708,2026-05-12,P3056,中医科,初诊,09:30,,0,爽约"),
        (28, "V260709,2026/5/13,P3021,皮肤科,复诊,15:10,,0,退号"),
        (31, f"{corrected[0]},{corrected[1]},{corrected[2]},{corrected[3]},{corrected[4]},08:00,08:45,310.00,已就诊"),
        (34, "V260710,2026-05-15,P3057, 呼吸内科 ,初诊,10:00,10:35,,已就诊"),
        (40, 'V260711,2026-05-18,P3058,口腔科,初诊,11:00,11:09,"2,460.00",已就诊'),
        (46, "V260712,5月20日,P3059,儿科,初诊,08:40,,0,退号"),
        (52, "V260705,2026-05-08,P3054,呼吸科,复诊,09:00,09:41,￥196,已就诊"),
        (58, "V260713,2026-05-25,P3060,眼科,复诊,13:30,13:58,172.00,已就诊"),
        (64, "V260702,2026-04-30,P3052,全科,初诊,09:10,09:20,88.00,已就诊"),
        (70, "V260714,2026/6/1,P3061,全科,初诊,08:05,08:21,76.00,已就诊"),
        (74, "V260715,2026-05-31,P3033,全科,复诊,16:20,16:31,92.00,爽约"),
    ]
    for position, line in traps:
        table.insert(position, line)
    return table


def make_records(path: Path) -> None:
    save_text("\n".join([HEADER, *lines(random.Random(SEED))]) + "\n", path, encoding="utf-8-sig")


if __name__ == "__main__":
    make_records(HERE / "workspace" / "门诊记录_2026年5月.csv")
    build(solve(HERE / "workspace" / "门诊记录_2026年5月.csv"), HERE / "reference")
