"""Several accept cases as one file: each kernel becomes what it becomes alone.

    together.py --bin PIPELINIFY

In each file some kernels are looked at in another text than the source (a variable
is made two, a macro's body stands for its use), and the others, which stand alone,
are not in it. What is said of each loop, the lines aside, and the text of each kernel
must be as in a file of its own; the include of cuda_pipeline.h stands once.
"""
import json
import pathlib
import re
import sys
import tempfile

import cases

GROUPS = [
    ["sgemm-tile16", "one-variable-for-both", "nbody-float4"],
    ["apart-name-joined", "gemm-descending", "load-macros"],
    ["barrier-first-skip", "cursor-set-back-each-tile", "counts-down-and-leaves"],
]
VARIANTS = ("auto", "ldg", "cp.async-3")
SAID = ("column", "verdict", "certainty", "id", "message", "why", "variant",
        "stages", "copy_bytes", "smem_before", "smem_after", "blocks_after")
INCLUDE = "#include <cuda_pipeline.h>"


def text_of_case(name):
    return (cases.accepted(name) / "kernel.cu").read_text()


def rewritten(program, text, options):
    """The text that comes out, and [(line, what is said of a loop)]."""
    with tempfile.TemporaryDirectory(prefix="pl_together_") as case:
        case = pathlib.Path(case)
        (case / "kernel.cu").write_text(text)
        with cases.Sandbox(program, case) as box:
            run = box.rewrite("-q", "--report=r.json", "--report-format=json",
                              *options)
            if run.returncode:
                raise RuntimeError(cases.text_of(run.stderr))
            report = json.loads((box.directory / "r.json").read_text())
    said = []
    for kernel in report["files"][0]["kernels"]:
        for loop in kernel["loops"]:
            said.append((loop["line"], kernel["name"],
                         {key: loop[key] for key in SAID}))
    return cases.text_of(run.stdout), said


def essence(text):
    """Without the include, which stands once in a file, the ends of lines, which
    hang on the longest line of the file, and blanks at brackets, which are as the file
    has them everywhere: a statement a line."""
    lines = [line for line in text.splitlines() if line != INCLUDE]
    words = re.sub(r"\s+(// )?", " ", "\n".join(lines))
    words = re.sub(r" ?([(\[]) ?| (?=[)\]])", r"\1", words)
    return words.replace("; ", ";\n") + "\n"


def without_places(said):
    """Messages name lines of the source."""
    return re.sub(r"line \d+", "line N", json.dumps(said, sort_keys=True))


def check(program, names, options):
    whole, said = rewritten(program, "".join(map(text_of_case, names)), options)
    texts, alone, line = "", [], 0
    for name in names:
        text, of_one = rewritten(program, text_of_case(name), options)
        texts += text
        alone += [(at + line, *rest) for at, *rest in of_one]
        line += text_of_case(name).count("\n")
    problems = []
    if essence(whole) != essence(texts):
        problems.append(next(
            (f"got:\n  {got}\nalone:\n  {want}" for got, want in
             zip(essence(whole).splitlines(), essence(texts).splitlines())
             if got != want), "one text is longer"))
    if whole.count(INCLUDE) != (INCLUDE in texts):
        problems.append(f"the include stands {whole.count(INCLUDE)} times")
    if without_places(said) != without_places(alone):
        problems += [f"said: {got}\nalone: {want}" for got, want in
                     zip(said, alone)
                     if without_places(got) != without_places(want)]
    return problems


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT)
    tally = cases.Tally()
    for names in GROUPS:
        for order in (names, names[::-1]):
            for variant in VARIANTS:
                tally.add(f"{' '.join(order)}, {variant}",
                          check(args.bin, order, cases.VARIANTS[variant]))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
