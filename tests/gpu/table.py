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


def alone(sides):
    """Milliseconds of loads and compute alone, by case and launch."""
    times = collections.defaultdict(dict)
    for side in sides:
        if side["time_ms"]:
            times[side["case"], side["launch"]][side["side"]] = side["time_ms"]
    return {key: (both["loads"], both["compute"])
            for key, both in times.items() if len(both) == 2}


def fastest(rows, sides):
    """Of each launch with both sides: its fastest form, loads and compute alone;
    the least efficient first."""
    times, found = alone(sides), []
    for (case, _, launch), group in launches(rows).items():
        timed = [row for row in group if row["time_ms"]]
        if timed and (case, launch) in times:
            found.append((min(timed, key=lambda row: row["time_ms"]),
                          *times[case, launch]))
    return sorted(found, key=lambda f: f[0]["overlap_efficiency"])


def overlap(rows, sides):
    """How close the fastest form of each launch comes to the longer of its loads
    alone and its compute alone."""
    found = fastest(rows, sides)
    if not found:
        return
    efficiency = [row["overlap_efficiency"] for row, _, _ in found]
    shares = [row["gain_share"] for row, _, _ in found
              if row["gain_share"] is not None]
    print("\n## Overlap efficiency\n")
    print("| | |\n|---|---|")
    print(f"| launches with loads alone and compute alone | {len(found)} |")
    print(f"| geometric mean of the efficiency of the fastest form | "
          f"{mean(efficiency):.3f} |")
    print(f"| the same of the originals | "
          f"{mean(row['bound_ms'] / row['time_ms_original'] for row, _, _ in found):.3f} |")
    print(f"| at 0.95 and above | {sum(e >= 0.95 for e in efficiency)} |")
    print(f"| something to gain, by the bound | {len(shares)} |")
    print(f"| of these, at least half of it gained | "
          f"{sum(share >= 0.5 for share in shares)} |\n")
    print("| case | kernel | original | loads alone | compute alone | fastest "
          "form | its time | efficiency | gain share |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row, loads, compute in found:
        share = row["gain_share"]
        print(f"| {row['case']} | {row['kernel']} | "
              f"{row['time_ms_original']:.4f} | {loads:.4f} | {compute:.4f} | "
              f"{form(row)} | {row['time_ms']:.4f} | "
              f"{row['overlap_efficiency']:.3f} | "
              f"{'-' if share is None else f'{share:.2f}'} |")


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
        results = json.load(source)
    rows = results["results"]
    verdicts(rows)
    print("## What `auto` chooses\n")
    summary(rows)
    overlap(rows, results.get("sides", []))
    print("\n## Every pair\n")
    print("Milliseconds at the target sizes, median of interleaved runs; `*`: "
          "what `auto` chooses.\n")
    pairs(rows)


if __name__ == "__main__":
    main()
