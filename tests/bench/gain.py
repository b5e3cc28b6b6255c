#!/usr/bin/env python3
"""gain.py --bin PIPELINIFY [--probe]: what auto foresees against what was measured.

Takes the launches of docs/gpu-pairs.md whose kernels have one tile loop, and of each the
form that auto takes now. Half of the cases fit the lines of rewriter/plan/plan_gain.def,
which are printed (--probe: of forms that nvcc compiled, too); of the other half is said how often the interval holds, and what --min-gain makes of it.
"""
import collections
import concurrent.futures
import hashlib
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "golden"))
from cases import ACCEPT, case_options, chosen, parse_command_line  # noqa: E402

CLASSES = ("registers, the GPU is full or not known", "registers, few blocks",
           "asynchronous, the GPU is full or not known", "asynchronous, few blocks",
           "registers, compiled, the GPU is full or not known")
TERMS = 7
RIDGE = 10  # of terms that have a variance of one
LEAST, MOST = -0.3, 0.8  # logarithms of gains beyond count as these
LOW, HIGH = 0.1, 0.9
FOLDS = 5


def bare(kernel):
    return re.sub(r"<.*", "", kernel).split("::")[-1].strip()


def launches():
    """(case, kernel) and forms with their speed-ups, of each timed launch."""
    found = collections.OrderedDict()
    for line in open(ROOT / "docs" / "gpu-pairs.md"):
        if line.startswith("## "):
            run = line
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 9 or not re.fullmatch(r"[\d.]+", cells[6]):
            continue
        key = (run, cells[1], cells[2], cells[5])
        form = cells[3].replace(" *", "")
        found.setdefault(key, {}).setdefault(form, float(cells[5]) / float(cells[6]))
    return [(key[1], bare(key[2]), forms) for key, forms in found.items()]


def foreseen(program, case, more):
    """Of each loop that has a form: function, place, form, class and terms; and calls."""
    done = subprocess.run(
        [program, *([] if more else ["--cuda-path="]), "-q", "--no-cache", "--no-certificate",
         "--dump-after=plan", "--min-gain=-99", "-arch=sm_90", *more, *case_options(case),
         "kernel.cu"],
        cwd=case, capture_output=True, text=True, check=False,
        env=dict(os.environ, LC_ALL="C"))
    loops = []
    for line in done.stdout.splitlines():
        words = line.split()
        if line.startswith("loop "):
            function, place = words[1], words[3]
        elif line.startswith("  gain ") and words[4:5] == ["of"]:
            form = re.sub(r"^(cp\.async-)(\d)$", r"\1s\2",
                          re.sub(r"^(ldg.*)-\d$", r"\1", words[5]))
            loops.append((function, place, form, int(words[7]),
                          [float(word) for word in words[9:9 + TERMS]]))
    return loops, calls_of(done.stdout)


def calls_of(dump):
    """Of each function those that it calls, by their bare names."""
    calls, at = collections.defaultdict(set), None
    for line in dump.splitlines():
        words = line.split()
        if line.startswith("func "):
            at = words[1]
        elif words[:1] == ["CALL"] and at and len(words) > 1:
            calls[at].add(bare(words[1]))
    return calls


def reaches(calls, kernel):
    seen, left = set(), [kernel]
    while left:
        function = left.pop()
        if function not in seen:
            seen.add(function)
            left += calls.get(function, ())
    return seen


# ---- lines -----------------------------------------------------------------


def solve(matrix, right):
    """Gauss, with the largest pivot."""
    n = len(right)
    rows = [matrix[i] + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                part = rows[r][i] / rows[i][i]
                rows[r] = [a - part * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def line_of(sample):
    """Base and factors of the ridge regression."""
    n = len(sample)
    means = [sum(terms[i] for terms, _ in sample) / n for i in range(TERMS)]
    sizes = [math.sqrt(sum((terms[i] - means[i]) ** 2 for terms, _ in sample) / n) or 1
             for i in range(TERMS)]
    level = sum(gain for _, gain in sample) / n
    scaled = [([(t - m) / s for t, m, s in zip(terms, means, sizes)], gain - level)
              for terms, gain in sample]
    matrix = [[sum(x[i] * x[k] for x, _ in scaled) + RIDGE * (i == k)
               for k in range(TERMS)] for i in range(TERMS)]
    right = [sum(x[i] * gain for x, gain in scaled) for i in range(TERMS)]
    factors = [f / s for f, s in zip(solve(matrix, right), sizes)]
    return level - sum(f * m for f, m in zip(factors, means)), factors


def value(line, terms):
    return line[0] + sum(f * t for f, t in zip(line[1], terms))


def quantile(values, part):
    values = sorted(values)
    at = part * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def residuals(rows):
    """Of launches that the line had not seen."""
    found = []
    for fold in range(FOLDS):
        seen = [row for row in rows if row["fold"] != fold]
        line = line_of([(row["terms"], row["clipped"]) for row in seen])
        found += [row["clipped"] - value(line, row["terms"])
                  for row in rows if row["fold"] == fold]
    return found


# ---- tables ----------------------------------------------------------------


def mean(logs):
    logs = list(logs)
    return math.exp(sum(logs) / len(logs))


def table(rows, title):
    print(f"\n{title}: {len(rows)} launches\n")
    print("| --min-gain | taken | gain | of the fastest form | below 0.99x | below 0.97x |")
    print("|---|---|---|---|---|---|")
    best = mean(row["best"] for row in rows)
    for percent in (None, -30, -20, -15, -10, -8, -7, -6, -5, -4, -2, 0, 2):
        least = -99 if percent is None else math.log(1 + percent / 100)
        gains = [row["gain"] if row["low"] >= least else 0 for row in rows]
        taken = sum(row["low"] >= least for row in rows)
        print(f"| {'any' if percent is None else percent} | {taken / len(rows):.0%} | "
              f"{mean(gains):.3f} | {best:.3f} | "
              f"{sum(g < math.log(.99) for g in gains)} | "
              f"{sum(g < math.log(.97) for g in gains)} |")


def gather(program, more):
    timed = launches()
    folders = {folder.name: folder for folder in chosen(ACCEPT)}
    cases = sorted({case for case, _, _ in timed if case in folders})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(cases, pool.map(lambda c: foreseen(program, folders[c], more), cases)))
    rows = []
    for case, kernel, forms in timed:
        loops, calls = found.get(case, ([], {}))
        reached = reaches(calls, kernel)
        ours = [loop for loop in loops if loop[0] in reached]
        if len({loop[:2] for loop in ours}) != 1 or ours[0][2] not in forms:
            continue
        digest = int(hashlib.md5(case.encode()).hexdigest(), 16)
        gain = math.log(forms[ours[0][2]])
        rows.append({"case": case, "gain": gain, "class": ours[0][3],
                     "clipped": min(max(gain, LEAST), MOST), "terms": ours[0][4],
                     "best": math.log(max(1, *forms.values())),
                     "half": digest % 2, "fold": digest // 2 % FOLDS})
    return rows


def main():
    args = parse_command_line(__doc__, ACCEPT, [("--probe", "with nvcc's registers")])
    rows = gather(args.bin, ["--probe"] if args.probe else [])
    for number, name in enumerate(CLASSES):
        ours = [row for row in rows if row["class"] == number]
        if not ours:
            continue
        fitted = [row for row in ours if row["half"] == 0]
        line = line_of([(row["terms"], row["clipped"]) for row in fitted])
        left = residuals(fitted)
        low, high = quantile(left, LOW), quantile(left, HIGH)
        factors = ", ".join(f"{factor:.4g}" for factor in line[1])
        print(f"X(\"{name}\", {line[0]:.4g}, {{{factors}}}, {low:.3f}, {high:.3f})")
        for row in ours:
            row["low"] = value(line, row["terms"]) + low
            row["high"] = value(line, row["terms"]) + high
    other = [row for row in rows if row["half"]]
    below = sum(row["gain"] < row["low"] for row in other)
    above = sum(row["gain"] > row["high"] for row in other)
    print(f"\nof {len(other)} launches held back {below} lie below their interval, "
          f"{above} above it")
    table(other, "held back")
    table([row for row in other if row["class"] not in (1, 3)],
          "held back, the GPU is full or not known")


if __name__ == "__main__":
    main()
