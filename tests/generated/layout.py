"""Turns lines of statements into text in a style: indents, braces, line ends."""
import re
from dataclasses import dataclass


@dataclass
class Style:
    indent: str
    allman: bool            # opening braces on lines of their own
    line_end: str
    final_newline: bool
    pragma_at_margin: bool


def pick_style(dice):
    style = Style(
        indent=dice.feature("indent", {"    ": 4, "  ": 3, "\t": 2}),
        allman=dice.chance(0.3),
        line_end=dice.pick({"\n": 8, "\r\n": 1}),
        final_newline=dice.chance(0.95),
        pragma_at_margin=dice.chance(0.2))
    dice.note("line-end", "crlf" if style.line_end == "\r\n" else "lf")
    return style


def _opens_one_statement(line):
    """`if (...)`, `for (...)`, `else` without a brace: one statement follows."""
    code = re.sub(r"\s*//.*$", "", line)
    if code == "else":
        return True
    head = re.match(r"(else if|if|for|while) \(", code)
    return bool(head) and code.endswith(")")


def _is_directive(line):
    return line.startswith("#") and not line.startswith("#pragma")


def _margin(line, depth, style):
    if _is_directive(line):
        return ""
    if line.startswith("#pragma") and style.pragma_at_margin:
        return ""
    return style.indent * depth


def _split_brace(line, style):
    if style.allman and line.startswith("} "):
        return ["}"] + _split_brace(line[2:], style)
    if style.allman and line.endswith(" {"):
        return [line[:-2], "{"]
    return [line]


def indent_lines(lines, style):
    """Indents by braces and by statements that stand alone below a header."""
    out, depth, hanging = [], 0, 0
    for whole in lines:
        for line in _split_brace(whole, style):
            if line == "" or line.startswith("// pipelinify:") or \
                    line.startswith("//   "):
                out.append(line)
                continue
            if line.startswith("}"):
                depth -= 1
            if line == "{":
                hanging = 0
            out.append(_margin(line, depth + hanging, style) + line)
            if line.startswith("#") or line.startswith("//"):
                continue
            if line.endswith("{"):
                depth += 1
                hanging = 0
            elif _opens_one_statement(line):
                hanging += 1
            else:
                hanging = 0
    return out


def render(lines, style):
    """The text of a file, as bytes."""
    text = style.line_end.join(indent_lines(lines, style))
    if style.final_newline:
        text += style.line_end
    return text.encode()
