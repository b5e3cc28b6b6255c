"""The emitted text with its numbers of stages as such, a statement a line.

What mutate.py looks for then stands on one line, in one spelling: the text says
`__pipeline_wait_prior(stages - 2);` where `constexpr int stages = 3;` stands ahead of
the tiles, and breaks lines that would be longer than the source's.
"""
import re

COUNT = re.compile(r"(\s*)constexpr int (stages\d*) = (\d+);$")


def indent(line):
    return len(line) - len(line.lstrip(" \t"))


def with_numbers(lines):
    """Without the constants that say how many stages there are."""
    lines = list(lines)
    for first, line in enumerate(lines):
        found = COUNT.match(line)
        if not found:
            continue
        name, count = found.group(2), int(found.group(3))
        if not any(f"_stage[{name}]" in tile for tile in lines[first:first + 3]):
            continue
        lines[first] = None
        for i in range(first + 1, len(lines)):
            if lines[i].strip() and indent(lines[i]) < indent(line) and \
                    not lines[i].startswith("#"):
                break
            code, mark, comment = lines[i].partition("//")
            code = re.sub(rf"\b{name} - (\d)\b",
                          lambda less: str(count - int(less.group(1))), code)
            code = re.sub(rf"\b{name}\b", str(count), code)
            lines[i] = code + mark + comment
    return [line for line in lines if line is not None]


def is_open(line):
    """Whether brackets that the line opens are closed on another; a line with text
    or comments in it is left as it is."""
    if re.search(r"//|/\*|\"|'", line) or line.lstrip().startswith("#"):
        return False
    return line.count("(") > line.count(")") and line.endswith((",", ";", "&&", "||"))


def unbroken(lines):
    """With statements that go on in the next line on one."""
    out = []
    for line in lines:
        if out and is_open(out[-1]) and not re.search(r"//|/\*|\"", line):
            out[-1] += " " + line.lstrip()
        else:
            out.append(line)
    return out


def literal(lines):
    return unbroken(with_numbers(lines))
