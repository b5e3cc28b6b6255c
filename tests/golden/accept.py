"""Rewrites the accept cases and compares with what they are to give.

expected.VARIANT.cu is the text (not there: the variant does not apply),
expected.VARIANT.remarks what is said. Where the remarks of `auto` name one
variant for all loops, its text is that variant's; expected.auto.cu is for the
rest. Beyond that
  - a second run of every variant changes nothing and finds no loop to pipeline
  - with CRLF line ends, a byte order mark, no newline at the end the same comes
    out in the same dress: each in one variant of each case, which changes from
    case to case, and with --all in every variant
  - of what `auto` gives, git applies the output of --diff
--update writes the expectations; look at them in the diff.
"""
import difflib
import itertools
import json
import os
import subprocess
import zlib

import cases

BOM = b"\xef\xbb\xbf"


def difference(path, expected, got):
    lines = difflib.unified_diff(
        cases.text_of(expected).splitlines(), cases.text_of(got).splitlines(),
        str(path.relative_to(cases.ROOT)), "got", lineterm="")
    return "\n".join(lines) or f"{path.name}: line ends differ"


def compare(path, got, update):
    """`got` None: there is to be no such file."""
    if update:
        if got is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(got)
        return []
    if got is None:
        return [f"{path.name} is there, but nothing was rewritten"] \
            if path.exists() else []
    if not path.exists():
        return [f"{path.name} is not there (run with --update)"]
    expected = path.read_bytes()
    return [] if expected == got else [difference(path, expected, got)]


def compare_auto(case, text, remarks, update):
    """`auto` as compare(), without a copy of the chosen variant's text."""
    own, name = case / "expected.auto.cu", cases.chosen_by_auto(case, remarks)
    chosen = case / f"expected.{name}.cu" if name else None
    if update:
        same = chosen and chosen.exists() and chosen.read_bytes() == text
        return compare(own, None if same else text, update)
    return compare(chosen if chosen and not own.exists() else own, text, update)


def verdicts(report):
    """What was found in each file's loops, by the file's path."""
    return {file["path"]: [loop["verdict"] for kernel in file["kernels"]
                           for loop in kernel["loops"]]
            for file in report["files"]}


def line_ends_changed(data):
    """LF to CRLF, and CRLF to LF."""
    if b"\r\n" in data:
        return data.replace(b"\r\n", b"\n")
    return data.replace(b"\n", b"\r\n")


def twins(source, text):
    """The source in another dress, what that is to become, and what differs."""
    yield ("ends.cu", line_ends_changed(source), line_ends_changed(text),
           "the kind of line ends")
    yield "bom.cu", BOM + source, BOM + text, "a byte order mark"
    if source.endswith(b"\n") and text.endswith(b"\n"):
        yield ("bare.cu", source[:-1], text[:-1], "no newline at the end")


class Copy:
    """A case in the dress of one variant."""

    def __init__(self, copies, case, name, options):
        self.case, self.name = case, name
        self.at = copies.add(case, name, options)
        self.directory = copies.root / self.at
        self.source = (case / "kernel.cu").read_bytes()
        self.text = self.source
        self.asked = []  # of the second run: twins
        self.problems = []

    @property
    def applies(self):
        return self.text != self.source


def rewrite_all(copies, every):
    """Twice: the second time the answers come from the cache."""
    paths = [f"{copy.at}/kernel.cu" for copy in every]
    run = copies.rewrite(paths, "-i")
    said = cases.remarks_by_copy(run.stderr)
    for copy in every:
        path = copy.directory / "kernel.cu"
        copy.remarks = said.pop(copy.at, b"")
        copy.text = path.read_bytes()
        path.write_bytes(copy.source)
    kept = copies.rewrite(paths, "-i")
    for copy in every:
        if (copy.directory / "kernel.cu").read_bytes() != copy.text:
            copy.problems.append("another text from the cache")
    problems = [] if kept.stderr == run.stderr else [
        "other remarks from the cache:", cases.text_of(kept.stderr)]
    if run.returncode or said:
        problems.append(f"exit {run.returncode}: {cases.text_of(run.stderr)}")
    return problems


def compare_all(every, update):
    # auto last: --update has written what it is compared with
    for copy in sorted(every, key=lambda copy: copy.name == "auto"):
        path = copy.case / f"expected.{copy.name}"
        text = copy.text if copy.applies else None
        if copy.name == "auto" and copy.applies:
            copy.problems += compare_auto(copy.case, text, copy.remarks, update)
        else:
            copy.problems += compare(path.with_name(path.name + ".cu"), text, update)
        copy.problems += compare(path.with_name(path.name + ".remarks"),
                                 copy.remarks, update)


def dress(of_case, all_twins):
    """Which copies of a case meet which twins: each copy all, or each twin one copy,
    another one from case to case."""
    start = zlib.crc32(of_case[0].case.name.encode())
    for i, copy in enumerate(of_case):
        for k, twin in enumerate(twins(copy.source, copy.text)):
            if all_twins or (start + k) % len(of_case) == i:
                copy.asked.append(twin)


def check_again(copies, every, all_twins):
    """A second run, and the twins."""
    applying = [copy for copy in every if copy.applies]
    for _, of_case in itertools.groupby(applying, lambda copy: copy.case):
        dress(list(of_case), all_twins)
    for copy in applying:
        copy.asked.insert(0, ("again.cu", copy.text, copy.text, "a second run"))
        for name, data, *_ in copy.asked:
            (copy.directory / name).write_bytes(data)
    names = [f"{copy.at}/{name}" for copy in applying for name, *_ in copy.asked]
    if not names:
        return []
    run = copies.rewrite(names, "-q", "-i", "--report=again.json")
    if run.returncode:
        return [f"{names}: exit {run.returncode}: {cases.text_of(run.stderr)}"]
    found = verdicts(json.loads((copies.root / "again.json").read_bytes()))
    for copy in applying:
        for name, _, expected, what in copy.asked:
            got = (copy.directory / name).read_bytes()
            if got != expected:
                copy.problems += [f"{what} changes the result",
                                  difference(copy.case / name, expected, got)]
        again = found[f"{copy.at}/again.cu"]
        if "already-pipelined" not in again or "pipelined" in again:
            copy.problems.append(f"a second run finds {again}")
    return []


def check_diff(copies, every):
    """Of `auto`: git makes of the sources what was written."""
    applying = [copy for copy in every if copy.applies and copy.name == "auto"]
    if not applying:
        return []
    for copy in applying:
        (copy.directory / "kernel.cu").write_bytes(copy.source)
    diff = copies.rewrite([f"{copy.at}/kernel.cu" for copy in applying], "-q", "--diff")
    inside = dict(os.environ, GIT_CEILING_DIRECTORIES=str(copies.root.parent))
    run = subprocess.run(["git", "apply", "--whitespace=nowarn", "-"],
                         input=diff.stdout, cwd=copies.root, env=inside,
                         capture_output=True)
    for copy in applying:
        if (copy.directory / "kernel.cu").read_bytes() != copy.text:
            copy.problems.append("git does not apply --diff")
    return [] if diff.returncode == 1 and run.returncode == 0 else [
        f"git does not apply --diff: {cases.text_of(run.stderr + diff.stderr)}"]


def check_cases(args, tally):
    with cases.Copies(args.bin) as copies:
        every = [Copy(copies, case, name, options) for case in args.cases
                 for name, options in cases.case_variants(case).items()]
        problems = rewrite_all(copies, every)
        compare_all(every, args.update)
        problems += check_again(copies, every, args.all)
        problems += check_diff(copies, every)
    for copy in every:
        tally.add(f"{copy.case.name} {copy.name}", copy.problems)
    for case in args.cases:
        any_applies = any(copy.applies for copy in every if copy.case == case)
        tally.add(f"{case.name} is accepted",
                  [] if any_applies else ["no variant rewrites it"])
    tally.add("the runs", problems)


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT, [
        ("--all", "every variant in every dress"),
        ("--update", "write the expectations")])
    tally = cases.Tally()
    check_cases(args, tally)
    cases.end(tally)


main()
