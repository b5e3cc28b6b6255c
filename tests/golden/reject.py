"""Runs the reject cases and compares what is said with their `expect` files.

A line of `expect` names the line of a loop's own `for` or `while` and what is
to become of it: `17 PL3001`, `17 PL3001|PL3002`, or `17 ok` for a loop beside
it that is to be pipelined, or kept for its cost. Loops that are not ok stay as
they are, byte for byte.
"""
import json
import shutil

import cases


def expectations(case):
    rows = {}
    for row in (case / "expect").read_text().splitlines():
        words = row.split("#")[0].split()
        if words:
            rows[int(words[0])] = set(words[1].split("|"))
    return rows


def loops_by_line(file):
    loops = {}
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


def check_case(case, file, text):
    loops = loops_by_line(file)
    source = (case / "kernel.cu").read_bytes()
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
    return problems


def check_cases(args, tally):
    with cases.Copies(args.bin) as copies:
        paths = {case: f"{copies.add(case, 'copy')}/kernel.cu" for case in args.cases}
        run = copies.rewrite(paths.values(), "-i", "--report=report.json")
        said = cases.remarks_by_copy(run.stderr)
        report = json.loads((copies.root / "report.json").read_bytes())
        files = {file["path"]: file for file in report["files"]}
        for case, path in paths.items():
            problems = check_case(case, files[path], (copies.root / path).read_bytes())
            if problems:
                problems.append(cases.text_of(said.get(f"{case.name}/copy", b"")))
            tally.add(case.name, problems)
        for case, path in paths.items():
            shutil.copy(case / "kernel.cu", copies.root / path)
        kept = copies.rewrite(paths.values(), "-i")
    tally.add("the run", [f"exit {run.returncode}", cases.text_of(run.stderr)]
              if run.returncode else [])
    tally.add("the same from the cache",
              [cases.text_of(kept.stderr)] if kept.stderr != run.stderr else [])


def main():
    args = cases.parse_command_line(__doc__, cases.REJECT)
    tally = cases.Tally()
    check_cases(args, tally)
    cases.end(tally)


main()
