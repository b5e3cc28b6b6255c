"""Proves the accept cases on the CPU: `pipelinify validate` for each variant
that applies.

What `auto` gives is proven in each case, and one of the other variants, which changes
from case to case; one that has a number of stages is proven with one of them. With --all,
each is, with each number. (docs/proving.md says what that rests on.) A proof that
could not be run (inline PTX for a GPU alone, say) is skipped and counted; it is no pass.
--table prints a row a kernel launch and variant.
"""
import itertools
import json

import cases

# That is asked of all texts by accept.py.
NO_MORE = ["--no-certificate"]


def usual_variants(case, everything):
    """Options of a run of the program that proves what is tried in any case: what `auto`
    gives, and of the others one, or each. A case that asks for a variant has that."""
    turn = cases.turn_of(case)
    if not turn or any(o.startswith("--variant") for o in cases.case_options(case)):
        return []
    return ["--all-variants"] if everything else \
        ["--all-variants", f"--variant={turn}"] + \
        ([f"--stages={cases.depth_of(case)}"] if turn == "cp.async" else [])


def is_left_out(case, rows):
    """Four stages may not fit where three do."""
    return cases.turn_of(case) == "cp.async" and cases.depth_of(case) == 4 and \
        (case / "expected.cp.async-3.cu").exists() and \
        not any(row["variant"].startswith("cp.async") for row in rows)


def seldom_variants(case, everything):
    """Those of a run for each of what this case alone is asked for."""
    there = [(name, options) for name, options in cases.seldom_variants(case).items()
             if (case / f"expected.{name}.cu").exists()]
    forms = itertools.groupby(there, lambda one: one[0].rpartition("-")[0])
    for _, of_form in forms:
        of_form = [options for _, options in of_form]
        yield from of_form if everything else [cases.chosen_for(case, of_form)]


def runs_of(of_cases, everything):
    """{options: cases}: each is one run of the program."""
    runs = {}
    for case in of_cases:
        for options in (usual_variants(case, everything),
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
    copy = {case: f"{copies.add(case, 'copy', NO_MORE)}/kernel.cu" for case in args.cases}
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
        ("--all", "each variant, each number of stages"),
        ("--table", "a row for each proof")])
    tally = cases.Tally()
    with cases.Copies(args.bin) as copies:
        for case, proof in prove_cases(copies, args).items():
            count(tally, case, proof, args.table)
    cases.end(tally)


main()
