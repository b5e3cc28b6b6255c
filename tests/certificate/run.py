"""Certificates of emitted texts, and of broken ones.

    run.py --bin PIPELINIFY [--must] [--verbose] [CASE ...]
    run.py --bin PIPELINIFY --certify CERTIFY --mutants [--must] [--verbose] [CASE ...]
    run.py --bin PIPELINIFY --certify CERTIFY --times [-j1] [--verbose] [CASE ...]

Without either: what the program gives for the accept cases, in all variants. It is
right, so that each loop that is not shown is one that the certificate falls short of.

--mutants: the texts that the program emits in each variant, those of them that are
shown in whole, with one thing made wrong (tests/mutants/mutate.py). How many of those
are not shown any more, and of which kinds some are; what tests/mutants/equivalent.txt
holds for right counts apart.

--times: how much processor time the certificate of a loop takes, in each variant, each
loop alone: docs/benchmark.md has what came of it. The machine should do nothing else.
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
    "pipeline-block-3": ["--variant=pipeline-block", "--stages=3"],
    "pipeline-unified-3": ["--variant=pipeline-unified", "--stages=3"],
    "barrier-3": ["--variant=barrier", "--stages=3"],
    "bulk-3": ["-arch=sm_90", "--variant=bulk", "--stages=3"],
    "pipeline-partitioned-3": ["--variant=pipeline-partitioned", "--stages=3"],
}
PLACE = re.compile(r"^\S+?:(\d+):(\d+): remark: .*?tile loop pipelined", re.M)
VERDICT = re.compile(r"^\S+?:(\d+):\d+: remark: .*; certificate: (.*?)"
                     r"(?: \[-Rpass=pipelinify\])?$", re.M)
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
                         capture_output=True, check=True)
    for line in cases.text_of(run.stdout).splitlines():
        row = ROW.match(line)
        if row:
            name, _, verdict, claim, why, ms = row.groups()
            found[name].append((verdict, claim, why, float(ms)))
        elif line.endswith(": broken"):
            found[line.split(":")[0]].append(("wrong", "-", "it does not parse", 0.0))
    silent = [name for name in names if not found[name]]
    assert not silent, (case.name, silent)
    return found


# ---- right texts --------------------------------------------------------------


def certify_case(args, case):
    """[(case and variant, verdict)] of what the program gives."""
    rows = []
    with cases.Sandbox(args.bin, case) as box:
        for variant, options in cases.case_variants(case).items():
            if variant == "auto" and len(cases.case_variants(case)) > 1:
                continue
            said = cases.text_of(box.rewrite("-n", "--certificate",
                                             *options).stderr)
            rows += [(f"{case.name} {variant}:{place}", verdict)
                     for place, verdict in VERDICT.findall(said)]
    return rows


def run_cases(args, pool):
    reasons, shown, loops = collections.Counter(), 0, 0
    for rows in pool.map(lambda case: certify_case(args, case), args.cases):
        for what, verdict in rows:
            loops += 1
            shown += verdict == "shown"
            if verdict != "shown":
                reasons[re.sub(r"'.*?'", "X", verdict)] += 1
            if args.verbose:
                print(f"{what}: {verdict}", flush=True)
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    print(f"{shown} of {loops} loops are shown")
    return 1 if args.must and (shown < loops or not loops) else 0


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
    return 1 if args.must and (count["wrong shown"] or not wrong) else 0


# ---- times --------------------------------------------------------------------


def time_case(args, case):
    """[(ms, what)] of the loops of what the program gives."""
    rows = []
    with cases.Sandbox(args.bin, case) as box:
        for variant, options in FORMS.items():
            text = mutants_run.emitted(box, options)
            if text is None:
                continue
            remarks = cases.text_of(box.rewrite("-n", *options).stderr)
            box.write("m0.cu", text.encode("latin-1"))
            found = certify(args, case, box.directory, places_of(remarks), ["m0.cu"])
            rows += [(ms, f"{case.name} {variant}: {verdict}")
                     for verdict, _, _, ms in found["m0.cu"]]
    return rows


def run_times(args, pool):
    rows = sorted(row for found in pool.map(lambda case: time_case(args, case),
                                            args.cases) for row in found)
    for ms, what in reversed(rows if args.verbose else rows[-10:]):
        print(f"{ms:6.1f} {what}")
    ms = [row[0] for row in rows] or [0.0]
    print(f"{len(rows)} loops: median {ms[len(ms) // 2]:.1f} ms, 99 % "
          f"{ms[len(ms) * 99 // 100]:.1f} ms, {sum(t > 50 for t in ms)} take more than 50 ms, "
          f"worst {ms[-1]:.1f} ms")
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.realpath)
    parser.add_argument("--certify", type=os.path.realpath)
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--must", action="store_true",
                        help="fail where a loop is not shown, or a mutant is")
    parser.add_argument("--verbose", "-v", action="store_true")
    parser.add_argument("--jobs", "-j", type=int, default=2)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.cases = cases.chosen(cases.ACCEPT, args.names)
    with ThreadPoolExecutor(args.jobs) as pool:
        return (run_mutants if args.mutants else run_times if args.times
                else run_cases)(args, pool)


if __name__ == "__main__":
    sys.exit(main())
