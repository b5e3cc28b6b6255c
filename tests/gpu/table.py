#!/usr/bin/env python3
"""table.py RESULTS.json: the tables of docs/gpu-results.md, from what a bundle's
`run` wrote. Prints markdown."""
import collections
import json
import math
import sys


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def launches(rows):
    groups = collections.OrderedDict()
    for row in rows:
        key = (row["case"], row["kernel"], row["launch"])
        groups.setdefault(key, []).append(row)
    return groups


def form(row):
    return row["variant"] + (" *" if row["auto"] else "")


def summary(rows):
    """Of each timed launch: what auto chose and what is fastest, the original
    included (an unrewritten kernel is 1.0)."""
    auto, best = {}, {}
    for key, group in launches(rows).items():
        timed = [row for row in group if row["time_ms"]]
        if not timed:
            continue
        chosen = [row["speedup"] for row in timed if row["auto"]]
        auto[key] = chosen[0] if chosen else 1.0
        best[key] = max([1.0] + [row["speedup"] for row in timed])
    lost = 1 - mean(auto[key] / best[key] for key in auto)
    near = sum(auto[key] >= 0.99 * best[key] for key in auto)
    print("| | |\n|---|---|")
    print(f"| launches with a time | {len(auto)} |")
    print(f"| geometric mean of the speed-up of `auto` | "
          f"{mean(auto.values()):.3f}x |")
    print(f"| geometric mean of the fastest form, or the original | "
          f"{mean(best.values()):.3f}x |")
    print(f"| `auto` within 1 % of the fastest | {near} of {len(auto)} |")
    print(f"| geometric mean that `auto` loses against measuring | "
          f"{100 * lost:.1f} % |")
    print(f"| `auto` slower than 0.99x the original | "
          f"{sum(value < 0.99 for value in auto.values())} |")
    print("\nSlowest choices of `auto`:\n")
    print("| case | kernel | speed-up |\n|---|---|---|")
    for key in sorted(auto, key=auto.get)[:8]:
        print(f"| {key[0]} | {key[1]} | {auto[key]:.3f} |")


def verdicts(rows):
    count = collections.Counter(row["verdict"] for row in rows)
    print("Verdicts: " + ", ".join(f"{n} {what}" for what, n in count.items()))
    tools = collections.Counter()
    for row in rows:
        for tool, said in (row.get("sanitizer") or {}).items():
            tools[tool, "clean" if said == "clean" else "not clean"] += 1
    for (tool, said), n in sorted(tools.items()):
        print(f"- {tool}: {n} forms {said}")
    print()


def pairs(rows):
    print("| case | kernel | form | sets | before | after | speed-up |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        timed = row["time_ms"]
        before = f"{row['time_ms_original']:.4f}" if timed else "-"
        after = f"{row['time_ms']:.4f}" if timed else "-"
        speed = f"{row['speedup']:.3f}" if timed else row["verdict"]
        sets = "-" if row["sizes_run"] is None else row["sizes_run"]
        print(f"| {row['case']} | {row['kernel']} | {form(row)} | "
              f"{sets} | {before} | {after} | {speed} |")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as source:
        rows = json.load(source)["results"]
    verdicts(rows)
    print("## What `auto` chooses\n")
    summary(rows)
    print("\n## Every pair\n")
    print("Milliseconds at the target sizes, median of interleaved runs; `*`: "
          "what `auto` chooses.\n")
    pairs(rows)


if __name__ == "__main__":
    main()
