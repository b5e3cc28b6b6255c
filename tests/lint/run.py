#!/usr/bin/env python3
"""`pipelinify lint` on kernels that were pipelined by hand.

    run.py --bin BIN [--update] [--part I/N] [NAME...]    testdata/lint: right ones give nothing,
                                             wrong ones what NAME.expect says
    run.py --bin BIN --written [CASE...]     texts that the program itself writes for
                                             testdata/accept, and their sources: no
                                             finding; /N: every N-th case

right/NAME.faults are faults to be made in NAME.cu, each of which has to be found: a line
`fault PL0106 what-it-is`, then the text that goes, `-` ahead of each line, and the text
that comes, after `+`.
The first line of NAME.expect is the fault that was planted, `fault PL0106`; the others
are all findings as `--report-format=text` has them, without the path. Each ID of
faults.def needs a kernel that shows it.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINT = ROOT / "testdata" / "lint"
sys.path.insert(0, str(ROOT / "tests" / "golden"))
import cases  # noqa: E402


def lint(binary, source, extra=()):
    """The exit code, the findings, what was not read."""
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.txt"
        run = subprocess.run(
            [binary, "lint", "-q", "--no-config", f"--report={report}",
             "--report-format=text", source, *extra],
            capture_output=True, text=True, timeout=300)
        lines = report.read_text().splitlines() if report.exists() else []
    lines = [line.replace(f"{source}:", "", 1) for line in lines]
    findings = [line for line in lines if re.match(r"\d+:\d+: PL", line)]
    return run.returncode, findings, [l for l in lines if l not in findings], run.stderr


def check_right(binary, source):
    code, findings, unread, err = lint(binary, source)
    problems = [f"a false alarm: {line}" for line in findings]
    problems += [f"not read: {line}" for line in unread]
    if code != 0 and not problems:
        problems.append(f"exit {code}: {err}")
    return problems


def check_wrong(binary, source, update):
    expect = source.with_suffix(".expect")
    wanted = expect.read_text().splitlines()
    code, findings, unread, err = lint(binary, source)
    fault = wanted[0].split()[1]
    problems = [f"not read: {line}" for line in unread]
    if code != 1:
        problems.append(f"exit {code}, wanted 1: {err}")
    if not any(f": {fault}: " in line for line in findings):
        problems.append(f"{fault} is not found")
    if update:
        expect.write_text("\n".join([wanted[0], *findings]) + "\n")
    elif findings != wanted[1:]:
        problems.append("findings:\n    " + "\n    ".join(findings))
    return problems


def faults_of(kernel):
    """Its faults: ID, name, the text that goes, the text that comes."""
    path = kernel.with_suffix(".faults")
    parts = re.split(r"^fault ", path.read_text(), flags=re.M) if path.exists() else [""]
    for head, *lines in (part.splitlines() for part in parts[1:]):
        yield (*head.split(), *("\n".join(l[1:] for l in lines if l[0] == sign)
                               for sign in "-+"))


def check_faults(binary, kernel):
    problems = []
    text = kernel.read_text()
    for fault, name, old, new in faults_of(kernel):
        if old not in text:
            problems.append(f"{name}: its text is not there: {old}")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch) / kernel.name
            source.write_text(text.replace(old, new, 1))
            code, findings, unread, err = lint(binary, source)
        if code != 1 or not any(f": {fault}: " in line for line in findings):
            problems.append("\n    ".join([f"{name}: {fault} is not found {err}",
                                           *findings, *unread]))
    return problems


def check_ids():
    table = (ROOT / "rewriter/support/faults.def").read_text()
    ids = {"PL" + i for i in re.findall(r"^X\((\d+)", table, re.M)}
    shown = {(f.read_text().split() + ["", ""])[1] for f in LINT.glob("wrong/*.expect")}
    return [f"no kernel in testdata/lint/wrong shows {i}" for i in sorted(ids - shown)]


def by_hand(options):
    failed = faults = 0
    kernels = sorted(LINT.glob("*/*.cu"))
    if options.names:
        kernels = [k for k in kernels if k.stem in options.names]
    first, step = map(int, options.part.split("/"))
    kernels = kernels[first - 1::step]
    for kernel in kernels:
        if kernel.parent.name == "right":
            problems = check_right(options.bin, kernel) + check_faults(options.bin, kernel)
            faults += len(list(faults_of(kernel)))
        else:
            problems = check_wrong(options.bin, kernel, options.update)
            faults += 1
        for problem in problems:
            print(f"{kernel.parent.name}/{kernel.name}: {problem}")
        failed += bool(problems)
    problems = [] if options.names or first > 1 else check_ids()
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(kernels)} kernels, {faults} faults: {failed} kernels not as they should be")
    return failed or problems or not kernels


def flags_of(case):
    words = cases.case_options(case)
    words = words[words.index("--"):] if "--" in words else ["--"]
    return [*words, f"-I{case}"]


def wanted_cases(names):
    every = cases.chosen(cases.ACCEPT)
    found = [c for c in every if not names or c.name in names]
    for name in names:
        if name.startswith("/"):
            found += every[::int(name[1:])]
    return found


def texts_of(case):
    """Its source, and of the texts of one form that with the most stages."""
    forms = {re.sub(r"-\d$", "", text.stem): text
             for text in sorted(case.glob("expected.*.cu"))}
    return [case / "kernel.cu", *forms.values()]


def written(options):
    texts, failed, unread = 0, 0, 0
    for case in wanted_cases(options.names):
        for text in texts_of(case):
            code, findings, rest, err = lint(options.bin, text, flags_of(case))
            texts += 1
            unread += bool(rest)
            for line in findings:
                print(f"{case.name}/{text.name}: a false alarm: {line}")
            if code not in (0, 1):
                print(f"{case.name}/{text.name}: exit {code}: {err}")
            failed += bool(findings) or code not in (0, 1)
    print(f"{texts} texts: {failed} with findings, {unread} not read or in part")
    return failed or not texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--part", default="1/1", help="the I-th of N parts")
    parser.add_argument("--written", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    return 1 if (written if options.written else by_hand)(options) else 0


if __name__ == "__main__":
    sys.exit(main())
