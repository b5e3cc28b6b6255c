"""The samples of docs/forms are what the program prints today.

    <!-- batches of kernels/batches-in-each-form: --variant=barrier -->

above an indented block says that it is the function `batches` of that accept case as the
program writes it with these options; with `source` for options, as the case has it.
--update writes the blocks.
"""
import re
import sys

import cases

MARKER = re.compile(r"<!-- (\w+) of ([\w/-]+): (.*) -->$")
PAGES = cases.ROOT / "docs" / "forms"


def function_in(text, name):
    """Its lines, from the one of column 0 that has its name to its closing brace."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines)
                  if re.match(rf"[^\s/].*\b{name}\(", line)), None)
    return None if first is None else lines[first:lines.index("}", first) + 1]


def printed(program, case, options):
    kernel = case / "kernel.cu"
    if options == ["source"]:
        return kernel.read_text()
    run = cases.subprocess.run(
        [program, "-q", "--no-cache", "--cuda-path=", *options, kernel.name], cwd=case,
        stdout=cases.subprocess.PIPE, check=False)
    return run.stdout.decode()


def end_of_block(lines, i):
    """Behind the indented lines, and the empty ones between them."""
    last = i
    while i < len(lines) and (not lines[i] or lines[i].startswith("    ")):
        last, i = (i + 1, i + 1) if lines[i] else (last, i + 1)
    return last


def with_samples(program, lines, problems):
    """The page's lines with what the program prints in its blocks."""
    made, i = [], 0
    while i < len(lines):
        made.append(lines[i])
        found = MARKER.match(lines[i])
        i += 1
        if not found:
            continue
        name, case, options = found.groups()
        sample = function_in(printed(program, cases.ACCEPT / case, options.split()), name)
        if sample is None:
            problems.append(f"{found.group(0)}: there is no such function")
            continue
        made += [""] + [f"    {line}" if line else "" for line in sample]
        i = end_of_block(lines, i)
    return made


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT, [("--update", "write them")])
    tally, samples = cases.Tally(), 0
    for page in sorted(PAGES.glob("*.md")):
        problems, lines = [], page.read_text().split("\n")
        samples += sum(MARKER.match(line) is not None for line in lines)
        made = with_samples(args.bin, lines, problems)
        if args.update:
            page.write_text("\n".join(made))
        elif made != lines:
            problems.append("a sample is not what the program prints; see "
                            "tests/golden/pages.py --update")
        tally.add(page.name, problems)
    if samples < 10:
        tally.add("docs/forms", [f"{samples} samples alone were found"])
    cases.end(tally)


if __name__ == "__main__":
    sys.exit(main())
