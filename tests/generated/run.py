#!/usr/bin/env python3
"""Rewrites generated programs and prints how often that went well.

    run.py --pipelinify BIN --seed S --count N [--first N] [--jobs 2]
           [--prove all|auto|none] [--illegal-share 0.25] [--keep DIR]
           [--floor PERCENT]

A legal program should be rewritten, proven on the CPU emulator and left alone
by a second run; an illegal one must not be rewritten; one labelled `either`
may be refused, but if it is rewritten it has to be proven. Where a template is rewritten
of which the file shows no instantiation, an illegal one has to be an error in the text
that comes of it. Where `auto` leaves
a legal loop because pipelining does not pay, the other variants are tried.
--keep leaves the programs, the rewritten texts and the logs in DIR.
Exit code 1: a wrong rewrite, an illegal program rewritten, a crash, or fewer
legal programs rewritten than --floor says (default: not checked)."""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

from generate import Shares, add_shares, generate

# Every run parses: results of earlier ones are not asked for.
os.environ["PIPELINIFY_NO_CACHE"] = "1"

OTHER_VARIANTS = ["ldg", "cp.async", "ldg-single"]
TIME_LIMIT = 300
PROOF_FAILED = 3


class Outcome:
    """What became of one program."""

    def __init__(self, directory):
        self.directory = directory
        self.number = os.path.basename(directory)
        with open(os.path.join(directory, "label")) as label:
            lines = label.read().splitlines()
        self.label = lines[0]
        self.features = dict(line.split(": ", 1) for line in lines[1:])
        self.rewritten = self.kept = self.proven = False
        self.reasons = []          # (ID, message)
        self.problem = ""          # a defect of the tool

    @property
    def kind(self):
        return self.label.split(":")[0]


class Runner:
    def __init__(self, binary, prove):
        self.binary, self.prove = binary, prove

    def _call(self, outcome, name, arguments):
        """Runs the tool; its words go to a file beside the program."""
        try:
            done = subprocess.run([self.binary] + arguments, timeout=TIME_LIMIT,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            code, text = done.returncode, done.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            code, text = -1, "no answer in %d seconds\n" % TIME_LIMIT
        with open(os.path.join(outcome.directory, name + ".log"), "w") as log:
            log.write(text)
        return code, text

    def _rewrite(self, outcome, variant):
        """The loops that the tool found, and what it did to them."""
        source = os.path.join(outcome.directory, "kernel.cu")
        target = os.path.join(outcome.directory, "out.%s.cu" % variant)
        report = os.path.join(outcome.directory, "report.%s.json" % variant)
        code, text = self._call(outcome, "rewrite." + variant, [
            source, "-o", target, "--variant=" + variant, "--report", report,
            "--report-format=json"])
        if code != 0:
            outcome.problem = "exit code %d: %s" % (code, text[-300:])
            return []
        with open(report) as file:
            kernels = json.load(file)["files"][0]["kernels"]
        loops = [loop for kernel in kernels for loop in kernel["loops"]]
        return [loop for loop in loops if loop["verdict"] != "not-a-tile-loop"]

    def _check_second_run(self, outcome, variant):
        first = os.path.join(outcome.directory, "out.%s.cu" % variant)
        second = os.path.join(outcome.directory, "again.cu")
        code, _ = self._call(outcome, "again", [first, "-o", second])
        if code != 0:
            outcome.problem = "second run: exit code %d" % code
            return
        with open(first, "rb") as one, open(second, "rb") as two:
            if one.read() != two.read():
                outcome.problem = "second run changes the result"

    def _parses(self, outcome, name, line):
        """Whether a file is right with one more line."""
        with open(os.path.join(outcome.directory, name), "rb") as text:
            whole = text.read() + b"\n" + line.encode() + b"\n"
        more = os.path.join(outcome.directory, "more.cu")
        with open(more, "wb") as out:
            out.write(whole)
        _, said = self._call(outcome, "more", [more, "-o", os.path.join(
            outcome.directory, "more.out.cu")])
        return "[PL1001]" not in said

    def _check_unseen(self, outcome, variant):
        """An illegal instantiation of the rewritten text is an error."""
        others = os.path.join(outcome.directory, "others")
        if not os.path.exists(others):
            return
        with open(others) as file:
            for line in file.read().splitlines():
                if not self._parses(outcome, "kernel.cu", line):
                    continue
                if self._parses(outcome, "out.%s.cu" % variant, line):
                    outcome.problem = "NOT ASKED FOR, and wrong in: " + line

    def _try_variants(self, outcome):
        """The first variant that rewrites all loops."""
        wanted = int(outcome.features.get("loops", "1"))
        for variant in ["auto"] + OTHER_VARIANTS:
            loops = self._rewrite(outcome, variant)
            if outcome.problem:
                return None
            if variant == "auto":
                outcome.reasons = [(loop["id"], loop["message"])
                                   for loop in loops
                                   if loop["verdict"] != "pipelined"]
                outcome.kept = any(l["verdict"] == "kept" for l in loops)
                if not loops:
                    outcome.reasons = [("PL2101", "no tile loop found")]
            pipelined = [l for l in loops if l["verdict"] == "pipelined"]
            if len(pipelined) >= wanted or (
                    pipelined and outcome.kind != "legal"):
                return variant
            if not outcome.kept:
                return None
        return None

    def _prove(self, outcome, variant):
        if self.prove == "none":
            return
        source = os.path.join(outcome.directory, "kernel.cu")
        choice = ["--all-variants"] if self.prove == "all" else \
            ["--variant=" + variant]
        launch = os.path.join(outcome.directory, "launch")
        if os.path.exists(launch):
            choice += ["--launch", launch]
        code, text = self._call(outcome, "proof", [
            "validate", "--backend=cpu"] + choice + [source])
        outcome.proven = code == 0
        if code != 0:
            outcome.problem = "%s: %s" % (
                "WRONG" if code == PROOF_FAILED else "not proven, exit code %d"
                % code, text[-600:])

    def __call__(self, directory):
        outcome = Outcome(directory)
        variant = self._try_variants(outcome)
        outcome.rewritten = variant is not None
        if variant and outcome.kind != "illegal":
            self._check_unseen(outcome, variant)
            if not outcome.problem:
                self._check_second_run(outcome, variant)
            if not outcome.problem:
                self._prove(outcome, variant)
        return outcome


def percent(part, whole):
    return "%d of %d (%.1f %%)" % (part, whole, 100.0 * part / whole if whole
                                   else 100.0)


def print_refusals(legal):
    """Legal programs that were refused, by reason."""
    groups = collections.defaultdict(list)
    for outcome in legal:
        if not outcome.rewritten and not outcome.problem:
            reason = outcome.reasons[0] if outcome.reasons else ("", "")
            groups[reason[0]].append((outcome.number, reason[1]))
    for reason, cases in sorted(groups.items(), key=lambda g: -len(g[1])):
        print("  refused %3d  %s" % (len(cases), reason))
        for number, message in cases:
            print("    %s  %s" % (number, message))


def print_features(legal):
    """The features whose programs are refused most often."""
    counts = collections.defaultdict(lambda: [0, 0])
    for outcome in legal:
        for name, values in outcome.features.items():
            for value in values.split():
                entry = counts[name + "=" + value]
                entry[0] += 1
                entry[1] += not outcome.rewritten
    worst = sorted(counts.items(), key=lambda c: -c[1][1] / c[1][0])
    for name, (total, refused) in worst[:8]:
        if refused:
            print("    %-30s %d of %d refused" % (name, refused, total))


def print_hazards(illegal):
    """Which IDs the illegal programs got, where they are not those expected."""
    for outcome in illegal:
        expected = outcome.label.split(":")[1].split("|")
        found = [r[0] for r in outcome.reasons]
        if not outcome.rewritten and not set(expected) & set(found):
            print("    %s  %-24s expected %s, got %s" % (
                outcome.number, outcome.features.get("hazard", ""),
                "|".join(expected), ",".join(map(str, found))))


def summarise(outcomes, prove):
    kinds = collections.defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.kind].append(outcome)
    legal, illegal = kinds["legal"], kinds["illegal"]
    rewritten = [o for o in legal if o.rewritten]
    print("legal rewritten    " + percent(len(rewritten), len(legal)))
    print("  of these kept by auto, rewritten when asked: %d"
          % sum(o.kept for o in rewritten))
    if prove != "none":
        print("rewritten proven   " + percent(sum(o.proven for o in rewritten),
                                              len(rewritten)))
    print("illegal rewritten  " + percent(sum(o.rewritten for o in illegal),
                                          len(illegal)))
    either = kinds["either"]
    print("either rewritten   " + percent(sum(o.rewritten for o in either),
                                          len(either)))
    print_refusals(legal)
    print_features(legal)
    print_hazards(illegal)
    return 100.0 * len(rewritten) / len(legal) if legal else 100.0


def print_failures(outcomes, seed):
    """Defects of the tool; true where there are any."""
    failed = False
    for outcome in outcomes:
        problem = outcome.problem
        if outcome.kind == "illegal" and outcome.rewritten:
            problem = "REWRITTEN although %s: %s" % (
                outcome.label, outcome.features.get("hazard", ""))
        if problem:
            failed = True
            print("FAILED seed %s program %s: %s" % (
                seed, outcome.number, problem.strip()))
    return failed


def run(options, directory):
    directories = generate(options.seed, options.count, directory,
                           Shares.of(options), options.first)
    runner = Runner(os.path.abspath(options.pipelinify), options.prove)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(runner, directories))
    rate = summarise(outcomes, options.prove)
    failed = print_failures(outcomes, options.seed)
    return 1 if failed or rate < options.floor else 0


def main():
    parser = argparse.ArgumentParser(description="rewrites generated kernels")
    parser.add_argument("--pipelinify", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--prove", choices=["all", "auto", "none"],
                        default="auto")
    add_shares(parser)
    parser.add_argument("--floor", type=float, default=0.0)
    parser.add_argument("--keep")
    options = parser.parse_args()
    if options.keep:
        sys.exit(run(options, options.keep))
    with tempfile.TemporaryDirectory() as directory:
        sys.exit(run(options, directory))


if __name__ == "__main__":
    main()
