"""Rewrites the accept cases and compares with what they are to give.

expected.VARIANT.cu is the text (not there: the variant does not apply),
expected.VARIANT.remarks what is said. Where the remarks of `auto` name one
variant for all loops, its text is that variant's; expected.auto.cu is for the
rest. Beyond that, for every variant:
  - a second run changes nothing and finds no loop to pipeline
  - with CRLF line ends, a byte order mark, no newline at the end the same comes
    out in the same dress
Of what `auto` gives, git applies the output of --diff.
--update writes the expectations; look at them in the diff.
"""
import difflib
import json
import os
import subprocess

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


def check_again(box, options, source, text):
    """A second run, and the twins: all in one call, which starts libclang
    once."""
    asked = [("again.cu", text, text, "a second run"), *twins(source, text)]
    for name, data, _, _ in asked:
        box.write(name, data)
    names = [name for name, *_ in asked]
    run = box.rewrite("-q", "-i", "--report=again.json", *options, names=names)
    if run.returncode:
        return [f"{names}: exit {run.returncode}: {cases.text_of(run.stderr)}"]
    problems = []
    for name, _, expected, what in asked:
        got = (box.directory / name).read_bytes()
        if got != expected:
            problems += [f"{what} changes the result",
                         difference(box.case / name, expected, got)]
    found = verdicts(json.loads((box.directory / "again.json").read_bytes()))
    if "already-pipelined" not in found["again.cu"] or \
            "pipelined" in found["again.cu"]:
        problems.append(f"a second run finds {found['again.cu']}")
    return problems


def check_diff(box, options, text):
    diff = box.rewrite("-q", "--diff", *options)
    inside = dict(os.environ, GIT_CEILING_DIRECTORIES=str(box.directory.parent))
    run = subprocess.run(["git", "apply", "--whitespace=nowarn", "-"],
                         input=diff.stdout, cwd=box.directory, env=inside,
                         capture_output=True)
    applied = box.directory / "kernel.cu"
    same = applied.read_bytes() == text
    applied.write_bytes((box.case / "kernel.cu").read_bytes())
    if diff.returncode == 1 and run.returncode == 0 and same:
        return []
    return [f"git does not apply --diff: {cases.text_of(run.stderr)}"]


def check_variant(box, name, options, update):
    """Problems, and whether the variant applies."""
    source = (box.case / "kernel.cu").read_bytes()
    run = box.rewrite(*options)
    if run.returncode:
        return [f"exit {run.returncode}: {cases.text_of(run.stderr)}"], False
    applies = run.stdout != source
    text = run.stdout if applies else None
    prefix = f"expected.{name}"
    if name == "auto" and applies:
        problems = compare_auto(box.case, text, run.stderr, update)
    else:
        problems = compare(box.case / f"{prefix}.cu", text, update)
    problems += compare(box.case / f"{prefix}.remarks", run.stderr, update)
    if applies:
        problems += check_again(box, options, source, run.stdout)
    if applies and name == "auto":
        problems += check_diff(box, options, run.stdout)
    return problems, applies


def check_case(program, case, update, tally):
    any_applies = False
    with cases.Sandbox(program, case) as box:
        # auto last: --update has written what it is compared with
        for name, options in reversed(cases.case_variants(case).items()):
            problems, applies = check_variant(box, name, options, update)
            any_applies |= applies
            tally.add(f"{case.name} {name}", problems)
    tally.add(f"{case.name} is accepted",
              [] if any_applies else ["no variant rewrites it"])


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT, [
        ("--update", "write the expectations")])
    tally = cases.Tally()
    for case in args.cases:
        check_case(args.bin, case, args.update, tally)
    cases.end(tally)


main()
