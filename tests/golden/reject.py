"""Runs the reject cases and compares what is said with their `expect` files.

A line of `expect` names the line of a loop's own `for` or `while` and what is
to become of it: `17 PL3001`, `17 PL3001|PL3002`, or `17 ok` for a loop beside
it that is to be pipelined, or kept for its cost. Loops that are not ok stay as
they are, byte for byte.
"""
import json

import cases


def expectations(case):
    rows = {}
    for row in (case / "expect").read_text().splitlines():
        words = row.split("#")[0].split()
        if words:
            rows[int(words[0])] = set(words[1].split("|"))
    return rows


def loops_by_line(report):
    loops = {}
    for file in json.loads(report)["files"]:
        for kernel in file["kernels"]:
            for loop in kernel["loops"]:
                loops.setdefault(loop["line"], []).append(loop)
    return loops


def answer(loop):
    fine = loop["verdict"] in ("pipelined", "kept")
    return "ok" if fine else loop["id"]


def check_line(line, wanted, loops):
    if not loops:
        return [f"line {line}: no loop reported, wanted {'|'.join(wanted)}"]
    return [f"line {line}: {answer(l)} ({l['verdict']}: {l['message']}), "
            f"wanted {'|'.join(sorted(wanted))}"
            for l in loops if answer(l) not in wanted]


def check_bytes(source, text, loops):
    """Loops that are not pipelined stand in the output as they stood."""
    return [f"line {l['line']}: a {l['verdict']} loop was changed"
            for l in loops if l["verdict"] != "pipelined"
            and source[l["begin"]:l["end"]] not in text]


def check_case(box, case):
    run = box.rewrite("--report=report.json", "-o", "out.cu")
    if run.returncode:
        return [f"exit {run.returncode}: {cases.text_of(run.stderr)}"]
    loops = loops_by_line((box.directory / "report.json").read_bytes())
    source = (case / "kernel.cu").read_bytes()
    text = (box.directory / "out.cu").read_bytes()
    everything = [loop for group in loops.values() for loop in group]
    problems = check_bytes(source, text, everything)
    for line, wanted in expectations(case).items():
        problems += check_line(line, wanted, loops.get(line, []))
    written = any(loop["verdict"] == "pipelined" for loop in everything)
    if text != source and not written:
        problems.append("the text was changed, and no loop pipelined")
    for line, group in loops.items():
        if line not in expectations(case) and group[0]["verdict"] == "pipelined":
            problems.append(f"line {line}: pipelined, and expect knows nothing")
    if problems:
        problems.append(cases.text_of(run.stderr))
    return problems


def main():
    args = cases.parse_command_line(__doc__, cases.REJECT)
    tally = cases.Tally()
    for case in args.cases:
        with cases.Sandbox(args.bin, case) as box:
            tally.add(case.name, check_case(box, case))
    cases.end(tally)


main()
