"""Proves the accept cases on the CPU: `pipelinify validate` for each variant
that applies.

A proof that could not be run (inline PTX for a GPU alone, say) is skipped and
counted; it is no pass. --table prints a row a kernel launch and variant.
"""
import json

import cases


def prove_as(box, options):
    """The rows of the proof's report, and what it printed."""
    path = box.directory / "proof.json"
    path.unlink(missing_ok=True)
    run = box.run("validate", "--backend=cpu", "--cuda-path=",
                  "--report=proof.json", *options, *box.options, "kernel.cu")
    printed = cases.text_of(run.stdout + run.stderr)
    rows = json.loads(path.read_bytes())["proofs"] if path.exists() else []
    return run.returncode, rows, printed


def prove(box, case):
    """All variants, and those that the case asks for."""
    code, rows, printed = prove_as(box, ["--all-variants"])
    for name, options in cases.seldom_variants(case).items():
        if not (case / f"expected.{name}.cu").exists():
            continue
        one, more, said = prove_as(box, options)
        code, rows, printed = max(code, one), rows + more, printed + said
    return code, rows, printed


def count(tally, case, code, rows, printed, table):
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
        ("--table", "a row for each proof")])
    tally = cases.Tally()
    for case in args.cases:
        with cases.Sandbox(args.bin, case) as box:
            count(tally, case, *prove(box, case), args.table)
    cases.end(tally)


main()
