"""Proves the accept cases on the CPU: `pipelinify validate` for each variant
that applies.

A variant that has a number of stages is proven with one of them in each case, and
which changes from case to case; with --all, with each. (docs/HACKING.md says what that
rests on.) A proof that could not be run (inline PTX for a GPU alone, say) is skipped
and counted; it is no pass. --table prints a row a kernel launch and variant.
"""
import itertools
import json
import re
import zlib

import cases

def chosen(case, several):
    """One of several for a case, another one for another."""
    return several[zlib.crc32(case.name.encode()) % len(several)]


def depth_of(case):
    """The number of stages for a case. With three and four the same faults show; with
    two, which is seldomer, some are none; with eight most descriptions have too few
    tiles for the main loop. Three or four of `auto` is proven anyway."""
    auto = (case / "expected.auto.remarks").read_text()
    chosen_by_auto = set(re.findall(r"pipelined: ([\w.-]+, \d+) stage", auto))
    for depth in (3, 4):
        if chosen_by_auto == {f"cp.async, {depth}"}:
            return depth
    if not (case / "expected.cp.async-3.cu").exists():
        return 2
    return chosen(case, (3, 4, 2, 3))


def all_variants(case, everything):
    """Options of a run of the program that proves what is tried in any case."""
    return ["--all-variants"] + ([] if everything else [f"--stages={depth_of(case)}"])


def is_left_out(case, rows):
    """Four stages may not fit where three do."""
    return depth_of(case) == 4 and \
        (case / "expected.cp.async-3.cu").exists() and \
        not any(row["variant"].startswith("cp.async") for row in rows)


def seldom_variants(case, everything):
    """Those of a run for each of what this case alone is asked for."""
    there = [(name, options) for name, options in cases.seldom_variants(case).items()
             if (case / f"expected.{name}.cu").exists()]
    forms = itertools.groupby(there, lambda one: one[0].rpartition("-")[0])
    for _, of_form in forms:
        of_form = [options for _, options in of_form]
        yield from of_form if everything else [chosen(case, of_form)]


def runs_of(of_cases, everything):
    """{options: cases}: each is one run of the program."""
    runs = {}
    for case in of_cases:
        for options in (all_variants(case, everything),
                        *seldom_variants(case, everything)):
            runs.setdefault(tuple(options), []).append(case)
    return runs


class Proof:
    """What is said of a case: rows of reports."""

    def __init__(self):
        self.rows, self.codes, self.printed = [], [], []


def prove(copies, paths, options):
    """The rows of the report, the exit code and what was printed."""
    report = copies.root / "proof.json"
    report.unlink(missing_ok=True)
    run = copies.run("validate", "--backend=cpu", "--cuda-path=",
                     "--report=proof.json", *options, *paths)
    printed = cases.text_of(run.stdout + run.stderr)
    rows = json.loads(report.read_bytes())["proofs"] if report.exists() else []
    return rows, run.returncode, printed


def has_failed(rows, code):
    """A run of one case: also where no row says why."""
    return not rows or any(row["exit"] not in (0, 4) for row in rows) or \
        (code and not any(row["exit"] for row in rows))


def prove_cases(copies, args):
    """{case: Proof}."""
    copy = {case: f"{copies.add(case, 'copy')}/kernel.cu" for case in args.cases}
    proofs = {case: Proof() for case in args.cases}
    prove_runs(copies, copy, runs_of(args.cases, args.all), proofs)
    left_out = [case for case, proof in proofs.items()
                if is_left_out(case, itertools.chain(*proof.rows))]
    if left_out:
        prove_runs(copies, copy, {("--variant=cp.async", "--stages=3"): left_out},
                   proofs)
    return proofs


def prove_runs(copies, copy, runs, proofs):
    """Where a run of several fails, its cases are looked at one by one, so that what
    is printed is of one case."""
    for options, of_run in runs.items():
        rows, code, printed = prove(copies, [copy[case] for case in of_run], options)
        own = {case: [row for row in rows if row["path"] == copy[case]]
               for case in of_run}
        again = len(of_run) > 1 and (
            code not in (0, 4) or any(has_failed(own[case], 0) for case in of_run))
        for case in of_run:
            said = prove(copies, [copy[case]], options) if again else \
                (own[case], code if len(of_run) == 1 else 0, printed)
            for kept, more in zip((proofs[case].rows, proofs[case].codes,
                                   proofs[case].printed), said):
                kept.append(more)


def count(tally, case, proof, table):
    for rows, code, printed in zip(proof.rows, proof.codes, proof.printed):
        for row in rows:
            name = f"{case.name} {row['kernel']} {row['variant']}"
            if table:
                print(f"{row['proof']:<18} {name}")
            if row["exit"] == 0:
                tally.add(name, [])
            elif row["exit"] == 4:
                tally.skip(name, f"{row['proof']}: {row['detail'] or ''}")
            else:
                tally.add(name, [f"{row['proof']}: {row['detail'] or ''}", printed])
        if not rows or (code and not any(row["exit"] for row in rows)):
            tally.add(case.name, [f"exit {code}, {len(rows)} proofs", printed])


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT, [
        ("--all", "each number of stages"),
        ("--table", "a row for each proof")])
    tally = cases.Tally()
    with cases.Copies(args.bin) as copies:
        for case, proof in prove_cases(copies, args).items():
            count(tally, case, proof, args.table)
    cases.end(tally)


main()
