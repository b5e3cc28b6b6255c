"""Breaks emitted pipelines on purpose and expects the CPU proof to notice.

    run.py --bin PIPELINIFY --prove EMUPROVE [--all] [--parity] [--only PATTERN]
           [CASE ...]

The text that the program emits for an accept case is taken in each variant, one
thing in it is made wrong (mutate.py), and the emulator has to find it: a race,
bytes in flight, another result, an access out of bounds, a read of what nobody
wrote, a barrier that not all threads reach, a kernel that does not end or does
not build. What it cannot find has to stand in equivalent.txt, with the argument
why nothing is wrong with it. A mutant that is neither fails.

Without names: the cases of CHOSEN, each in the variants named there. --all: all
cases in all variants, or in --variants. --parity: the cases of PARITY, missing exit barriers, odd
and even numbers of tiles apart. sh tests/emulated/build.sh builds EMUPROVE.
"""
import argparse
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "golden"))

import cases  # noqa: E402
import mutate  # noqa: E402
import sizes  # noqa: E402

VARIANTS = {
    "ldg": ["--variant=ldg"],
    "ldg-single": ["--variant=ldg-single"],
    "cp.async-2": ["--variant=cp.async", "--stages=2"],
    "cp.async-3": ["--variant=cp.async", "--stages=3"],
    "cp.async-4": ["--variant=cp.async", "--stages=4"],
    "pipeline-3": ["--variant=pipeline", "--stages=3"],
    "pipeline-block-2": ["--variant=pipeline-block", "--stages=2"],
    "pipeline-block-3": ["--variant=pipeline-block", "--stages=3"],
    "pipeline-unified-3": ["--variant=pipeline-unified", "--stages=3"],
    "barrier-2": ["--variant=barrier", "--stages=2"],
    "barrier-3": ["--variant=barrier", "--stages=3"],
    "bulk-2": ["-arch=sm_90", "--variant=bulk", "--stages=2"],
    "bulk-3": ["-arch=sm_90", "--variant=bulk", "--stages=3"],
    "own": [],  # what the case's own options say
}

# For every day: small kernels that differ in loop, barrier, guard, copy and
# surroundings; every variant several times.
CHOSEN = {
    "sgemm-tile16": ["ldg", "cp.async-2", "cp.async-4", "pipeline-3", "barrier-3",
                     "pipeline-block-2", "pipeline-unified-3"],
    "gated-linear-two-loops": ["ldg-single"],
    "gemm-persistent": ["ldg", "barrier-2"],
    "gemm-batch-loop-barrier-first": ["ldg-single", "cp.async-3", "pipeline-block-3",
                                      "pipeline-unified-3"],
    "gemm-while-unsigned": ["cp.async-3"],
    "gemm-load-helper": ["cp.async-2"],
    "gemm-descending": ["ldg"],
    "sgemm-8x8-bump": ["ldg-single"],
    "warp0-loads": ["ldg-single", "cp.async-2"],
    "gemm-tile-reused-for-norm": ["ldg-single"],
    "hgemm-padded-half": ["cp.async-3"],
    "nbody-float4": ["ldg"],
    "tile-doubling": ["ldg-single"],
    "gemv-persistent": ["cp.async-2"],
    "gemm-half-beside-float4": ["cp.async-2"],
    "loaders-one-dequantises": ["cp.async-2"],
    "bulk-rows-in-outer-loop": ["bulk-2"],
    "bulk-staged-batches": ["bulk-3"],
    "batches-in-each-form": ["pipeline-3", "pipeline-block-3", "pipeline-unified-3"],
    "matvec-x-tile": ["pipeline-block-2"],
    "rows-that-left-at-the-edge": ["barrier-2"],
    "roles-scan-of-tiles": ["own"],
    "roles-gather-by-table": ["own"],
    "roles-sparse-blocks": ["own"],
}

CAUGHT = {"uninitialised shared read", "differs", "race", "in-flight",
          "divergence", "out-of-bounds", "fault", "build-failed"}
ROW = re.compile(r"emulated: .+?: (\d+\.[\w-]+|control): ([^(]+?)(?: \(|$)")
AT_ONCE = 24  # mutants a call: each is a compiler's run and a loaded object
# What writes behind the shared memory may damage its neighbours in the same
# process: proven in a process of its own.
ALONE = ("*.declaration-*", "*.stage-wraps-late")


class Equivalents:
    """The lines of equivalent.txt."""

    def __init__(self, path):
        self.rows = []
        for line in path.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                what, argument = line.split(" -- ", 1)
                self.rows.append((what.split(), argument))
        self.used = set()

    def argument(self, *what):
        for n, (patterns, argument) in enumerate(self.rows):
            if all(map(fnmatch.fnmatchcase, what, patterns)):
                self.used.add(n)
                return argument
        return None

    def unused(self, named):
        """Where cases are named, of those; of all others nothing is known."""
        return [" ".join(row[0]) for n, row in enumerate(self.rows)
                if n not in self.used
                and (not named or row[0][0] in named)]


def is_alone(label):
    return any(fnmatch.fnmatchcase(label, pattern) for pattern in ALONE)


def parts_of(labels):
    """The labels of each call."""
    together = [label for label in labels if not is_alone(label)]
    for first in range(0, len(together), AT_ONCE):
        yield together[first:first + AT_ONCE]
    for label in filter(is_alone, labels):
        yield [label]


class Prover:
    """Runs the emulator's driver on files of one sandbox."""

    def __init__(self, program, box, cache):
        self.program = program
        self.box = box
        self.cache = cache

    def prove(self, texts, launch=None):
        """{label: set of verdicts, one a launch} and what was printed."""
        verdicts, printed = collections.defaultdict(set), ""
        for part in parts_of(list(texts)):
            printed += self.call({name: texts[name] for name in part}, launch)
        for line in printed.splitlines():
            row = ROW.match(line)
            if row:
                verdicts[row.group(1)].add(row.group(2))
        return verdicts, printed

    def call(self, texts, launch):
        words = [self.program, "kernel.cu"]
        for label, text in texts.items():
            self.box.write(f"{label}.cu", text.encode("latin-1"))
            words.append(f"{label}={label}.cu")
            if "blockDim.z != 2" in text:
                words += ["--layers", f"{label}=2"]
        if launch:
            self.box.write("launch.txt", launch.encode("latin-1"))
            words += ["--launch", "launch.txt"]
        words += ["--cache", self.cache, "--timeout", "5"]
        run = subprocess.run(words, cwd=self.box.directory,
                             capture_output=True)
        return cases.text_of(run.stdout + run.stderr)


def emitted(box, options):
    """The rewritten text; None where the variant does not apply."""
    run = box.rewrite("-q", *options)
    text = run.stdout.decode("latin-1")
    return text if run.returncode == 0 and mutate.MARKER.search(text) else None


class Count:
    """The outcome of all mutants."""

    def __init__(self, equivalents, verbose):
        self.equivalents = equivalents
        self.verbose = verbose
        self.caught = self.equivalent = 0
        self.survived, self.unproven, self.broken = [], [], []
        self.by_verdict = collections.Counter()

    def add(self, case, variant, label, verdicts):
        name = f"{case} {variant} {label}"
        found = verdicts & CAUGHT
        if found:
            self.caught += 1
            self.by_verdict.update(sorted(found)[:1])
            if self.verbose:
                print(f"caught      {name}: {', '.join(sorted(found))}")
        elif "equal" not in verdicts:
            self.unproven.append(f"{name}: {', '.join(sorted(verdicts))}")
        elif self.equivalents.argument(case, variant, label):
            self.equivalent += 1
            if self.verbose:
                print(f"equivalent  {name}")
        else:
            self.survived.append(name)

    def end(self, complete, named):
        for title, rows in (("SURVIVED", self.survived),
                            ("NOT PROVEN", self.unproven),
                            ("BROKEN", self.broken)):
            for row in rows:
                print(f"{title}: {row}")
        if complete:
            for row in self.equivalents.unused(named):
                print(f"equivalent.txt: nothing needs: {row}")
        print(", ".join(f"{n} {word}" for word, n in
                        self.by_verdict.most_common()))
        print(f"{self.caught} caught, {self.equivalent} equivalent, "
              f"{len(self.survived)} survived"
              + (f", {len(self.unproven)} not proven" if self.unproven else ""))
        return 1 if self.survived or self.broken else 0


def prove_mutants(prover, text, mutants):
    """Most mutants show with few sizes; the rest, and the text as it was
    emitted, are proven with all."""
    quick, _ = prover.prove(mutants, sizes.few(prover.box))
    rest = {label: mutant for label, mutant in mutants.items()
            if not quick[label] & CAUGHT}
    verdicts, printed = prover.prove({"control": text, **rest})
    return {**quick, **verdicts}, printed


def run_case(args, cache, name, variants):
    """[(variant, label, verdicts)] of one case, and what is wrong with it."""
    rows, broken = [], []
    with cases.Sandbox(args.bin, cases.accepted(name)) as box:
        prover = Prover(args.prove, box, cache)
        for variant in variants:
            text = emitted(box, VARIANTS[variant])
            if text is None:
                continue
            try:
                mutants = {label: mutant
                           for label, mutant in mutate.mutants(text)
                           if fnmatch.fnmatchcase(label, args.only)}
            except mutate.NotFound as missing:
                broken.append(f"{name} {variant}: {missing} is not found")
                continue
            verdicts, printed = prove_mutants(prover, text, mutants)
            if verdicts.get("control", CAUGHT) & CAUGHT:
                broken.append(f"{name} {variant}: {printed}")
                continue
            rows += [(variant, label, verdicts[label]) for label in mutants]
    return name, rows, broken


def plan_of(args):
    """{case: variants}"""
    if args.names or args.all:
        names = [case.name for case in cases.chosen(cases.ACCEPT, args.names)]
        return {name: args.variants or list(VARIANTS) for name in names}
    return CHOSEN


def run_mutants(args, cache):
    count = Count(Equivalents(HERE / "equivalent.txt"), args.verbose)
    plan = plan_of(args)
    with ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(run_case, args, cache, name, variants)
                for name, variants in plan.items()]
        for job in jobs:
            name, rows, broken = job.result()
            before = len(count.survived)
            for variant, label, verdicts in rows:
                count.add(name, variant, label, verdicts)
            count.broken += broken
            if args.all or args.names:
                print(f"{name}: {len(rows)} mutants, all in all "
                      f"{len(count.survived)} survived", flush=True)
                for row in count.survived[before:]:
                    print(f"    {row}", flush=True)
    return count.end(args.all and args.only == "*" and not args.variants,
                     args.names)


def run_parity(args, cache):
    """A missing exit barrier shows for each parity of the number of tiles."""
    wrong = 0
    for name in args.names or sizes.CASES:
        with cases.Sandbox(args.bin, cases.accepted(name)) as box:
            prover = Prover(args.prove, box, cache)
            for variant, options in VARIANTS.items():
                text = emitted(box, options)
                mutants = {label: mutant for label, mutant in
                           mutate.mutants(text or "")
                           if label.endswith("exit-barrier-missing")}
                for kind in ("odd", "even") if mutants else ():
                    launch = sizes.of_one_kind(box, name, kind)
                    verdicts, _ = prover.prove(mutants, launch)
                    for label in mutants:
                        found = verdicts[label] & CAUGHT
                        fine = bool(found) == sizes.shows(name, variant,
                                                           label, kind)
                        wrong += not fine
                        print(f"{'ok' if fine else 'WRONG':<6} {name} {variant}"
                              f" {label} {kind}: "
                              f"{', '.join(sorted(verdicts[label]))}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.realpath)
    parser.add_argument("--prove", required=True, type=os.path.realpath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--parity", action="store_true")
    parser.add_argument("--verbose", "-v", action="store_true")
    parser.add_argument("--jobs", "-j", type=int, default=2,
                        help="cases at once")
    parser.add_argument("--variants", type=lambda text: text.split(","),
                        help="of " + ",".join(VARIANTS))
    parser.add_argument("--only", default="*", metavar="PATTERN",
                        help="of the mutants, as in '*.issue-missing'")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pl_mutants_") as cache:
        return (run_parity if args.parity else run_mutants)(args, cache)


if __name__ == "__main__":
    sys.exit(main())
