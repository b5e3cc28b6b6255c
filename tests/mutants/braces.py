"""Blocks as the GNU style has them, put under their heads.

    for (...)            for (...)
      {           ->     {
        body               body
      }                  }
"""
import re

HEAD = re.compile(r"(.*\)|(\} )?else|do)$")


def indent_of(line):
    return len(line) - len(line.lstrip(" \t"))


def moved_left(line, by):
    """A directive, a label, may stand further left than its block."""
    return line[min(by, indent_of(line)):]


def under_heads(lines):
    """Indentation alone changes. No text of a string over several lines may
    stand in such a block."""
    lines = list(lines)
    for i in range(1, len(lines)):
        head, line = lines[i - 1:i + 1]
        by = indent_of(line) - indent_of(head)
        if line.strip() != "{" or by <= 0 or not HEAD.match(head.strip()):
            continue
        end = next((k for k in range(i + 1, len(lines))
                    if lines[k].strip().startswith("}")
                    and indent_of(lines[k]) == indent_of(line)), i - 1)
        for k in range(i, end + 1):
            lines[k] = moved_left(lines[k], by)
    return lines
