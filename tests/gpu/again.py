#!/usr/bin/env python3
"""again.py RECORD RESULTS.json: are the choices of `tune` good ones in another
run, from which they were not made?

    pipelinify tune --results=FIRST --record=record.json
    python3 tests/gpu/again.py record.json SECOND/results.json

Prints markdown: of each launch that both runs have timed, what was promised and
what came. Exits 1 where a choice is slower than 0.99x its original."""
import json
import math
import sys

LEAST = 0.99


def label(entry):
    deep = entry["variant"] == "cp.async"
    return entry["variant"] + (f"-s{entry['stages']}" if deep else "")


def is_timed(row):
    return row["time_ms"] and row["time_ms_original"]


def speed(rows, form):
    """1 for the original; None where the form was not timed."""
    if form == "original":
        return 1.0
    for row in rows:
        if row["variant"] == form or (form == "auto" and row["auto"]):
            return row["time_ms_original"] / row["time_ms"]
    return None


def place(row):
    return row["case"], row["kernel"], row["launch"]


def by_place(rows):
    places = {}
    for row in rows:
        if is_timed(row):
            places.setdefault(place(row), []).append(row)
    return places


def compare(entries, results):
    second = by_place(results)
    for entry in entries:
        form = label(entry)
        for where, first in sorted(by_place(entry["table"]).items()):
            again = second.get(where, [])
            now = speed(again, form) if again else None
            if now is not None:
                best = max([1.0] + [speed(again, row["variant"])
                                    for row in again])
                yield where, form, speed(first, form), now, best


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / max(len(values), 1))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as source:
        entries = json.load(source)["kernels"]
    with open(sys.argv[2], encoding="utf-8") as source:
        results = json.load(source)["results"]
    found = list(compare(entries, results))
    slow = [one for one in found if one[3] < LEAST]
    print("| case | kernel | choice | first run | second run | best of the "
          "second |\n|---|---|---|---|---|---|")
    for (case, kernel, _), form, was, now, best in found:
        print(f"| {case} | {kernel} | {form} | {was:.3f} | {now:.3f} | "
              f"{best:.3f} |")
    print(f"\n{len(found)} launches: geometric mean "
          f"{mean(one[2] for one in found):.3f}x in the first run, "
          f"{mean(one[3] for one in found):.3f}x in the second, of at best "
          f"{mean(one[4] for one in found):.3f}x; slower than {LEAST}x in the "
          f"second: {len(slow)}")
    for (case, kernel, _), form, _, now, _ in slow:
        print(f"- {case}: {kernel}: {form}: {now:.3f}x")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
