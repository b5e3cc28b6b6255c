"""Certificates of emitted texts, and of broken ones.

    run.py --bin PIPELINIFY --certify CERTIFY [--mutants] [--verbose] [CASE ...]

Without --mutants: the expected texts of the accept cases, which are right. Each loop
is shown to be the kernel's, unknown, or said to be wrong; those said to be wrong are
false rejections.

--mutants: the texts that the program emits in each variant, those of them that are
shown in whole, with one thing made wrong (tests/mutants/mutate.py). How many of those
are not shown any more, and of which kinds some are; what tests/mutants/equivalent.txt
holds for right counts apart.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "golden"))
sys.path.insert(0, str(HERE.parent / "mutants"))

import cases  # noqa: E402
import mutate  # noqa: E402
import run as mutants_run  # noqa: E402

FORMS = {
    "ldg": ["--variant=ldg"],
    "ldg-single": ["--variant=ldg-single"],
    "cp.async-2": ["--variant=cp.async", "--stages=2"],
    "cp.async-3": ["--variant=cp.async", "--stages=3"],
    "cp.async-4": ["--variant=cp.async", "--stages=4"],
    "pipeline-3": ["--variant=pipeline", "--stages=3"],
}
PLACE = re.compile(r"^\S+?:(\d+):(\d+): remark: .*?tile loop pipelined", re.M)
ROW = re.compile(r"^(.*):(\d+): (shown|wrong|unknown)(?: \((.)\) line \d+: )?"
                 r"(.*) ([\d.]+) ms$")


def places_of(remarks):
    return ",".join(":".join(place) for place in PLACE.findall(remarks))


def clang_words(case):
    """What the case hands to the parser."""
    words = cases.case_options(case)
    own = words[words.index("--") + 1:] if "--" in words else []
    return own + [word.split("=", 1)[1] for word in words
                  if word.startswith("--extra-arg=")]


def certify(args, case, directory, places, names):
    """{name: [(verdict, claim, why, ms)]}"""
    found = collections.defaultdict(list)
    run = subprocess.run([args.certify, "kernel.cu", places, *names, "--",
                          *clang_words(case)], cwd=directory,
                         capture_output=True)
    for line in cases.text_of(run.stdout).splitlines():
        row = ROW.match(line)
        if row:
            name, _, verdict, claim, why, ms = row.groups()
            found[name].append((verdict, claim, why, float(ms)))
    for name in names:
        if not found[name]:
            found[name].append(("unknown", "?", "certify failed", 0.0))
    return found


# ---- right texts --------------------------------------------------------------


def certify_expected(args, case):
    rows = []
    for variant in cases.VARIANTS:
        name = f"expected.{variant}.cu"
        if variant == "auto" or not (case / name).exists():
            continue
        remarks = (case / f"expected.{variant}.remarks").read_text("latin-1")
        found = certify(args, case, case, places_of(remarks), [name])
        rows += [(f"{case.name} {variant}", *row) for row in found[name]]
    return rows


def run_expected(args, pool):
    verdicts, reasons, times = collections.Counter(), collections.Counter(), []
    for rows in pool.map(lambda case: certify_expected(args, case), args.cases):
        for what, verdict, claim, why, ms in rows:
            verdicts[verdict] += 1
            times.append(ms)
            if verdict != "shown":
                reasons[f"{verdict} ({claim}) " + re.sub(r"'.*?'", "X", why)] += 1
            if args.verbose:
                print(f"{what}: {verdict} ({claim}) {why}")
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    times.sort()
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()),
          f"of {len(times)} loops; {times[len(times) // 2]:.0f} ms a loop in the "
          f"middle, {times[-1]:.0f} at most" if times else "")
    return 1 if verdicts["wrong"] else 0


# ---- mutants ------------------------------------------------------------------


def mutants_of(text):
    try:
        return dict(mutate.mutants(text))
    except mutate.NotFound:
        return {}


def certify_mutants(args, case):
    """[(variant, label, verdicts of its loops)] of the texts that are shown."""
    rows = []
    with cases.Sandbox(args.bin, case) as box:
        for variant, options in FORMS.items():
            text = mutants_run.emitted(box, options)
            if text is None:
                continue
            remarks = cases.text_of(box.rewrite("-n", *options).stderr)
            texts = {"control": text, **mutants_of(text)}
            names = [f"m{i}.cu" for i in range(len(texts))]
            for name, one in zip(names, texts.values()):
                box.write(name, one.encode("latin-1"))
            found = certify(args, case, box.directory, places_of(remarks), names)
            if any(row[0] != "shown" for row in found["m0.cu"]):
                continue
            rows += [(case.name, variant, label, found[name])
                     for label, name in list(zip(texts, names))[1:]]
    return rows


def run_mutants(args, pool):
    equivalents = mutants_run.Equivalents(HERE.parent / "mutants/equivalent.txt")
    count, kinds = collections.Counter(), collections.defaultdict(collections.Counter)
    for rows in pool.map(lambda case: certify_mutants(args, case), args.cases):
        for name, variant, label, found in rows:
            equivalent = equivalents.argument(name, variant, label) is not None
            bad = [row for row in found if row[0] != "shown"]
            outcome = ("right" if equivalent else "wrong") + \
                      (" not shown" if bad else " shown")
            count[outcome] += 1
            kinds[label.split(".", 1)[1]][outcome] += 1
            if args.verbose:
                print(f"{outcome}: {name} {variant} {label}"
                      + (f": ({bad[0][1]}) {bad[0][2]}" if bad else ""))
    for kind, outcomes in sorted(kinds.items()):
        if outcomes["wrong shown"]:
            print(f"shown: {kind} ({outcomes['wrong shown']} of "
                  f"{outcomes['wrong shown'] + outcomes['wrong not shown']})")
    wrong = count["wrong shown"] + count["wrong not shown"]
    print(f"{count['wrong not shown']} of {wrong} mutants are not shown any more; of "
          f"equivalent ones {count['right shown']} are shown, "
          f"{count['right not shown']} are not")
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.realpath)
    parser.add_argument("--certify", required=True, type=os.path.realpath)
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--verbose", "-v", action="store_true")
    parser.add_argument("--jobs", "-j", type=int, default=2)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = args.names or sorted(p.name for p in cases.ACCEPT.iterdir())
    args.cases = [cases.ACCEPT / name for name in names]
    with ThreadPoolExecutor(args.jobs) as pool:
        return (run_mutants if args.mutants else run_expected)(args, pool)


if __name__ == "__main__":
    sys.exit(main())
