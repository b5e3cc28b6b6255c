"""The local functions of an emitted loop, put where they are called.

    auto compute_tile = [&](int stage) {        {
      auto &s = s_stage[stage];                   auto &s = s_stage[stage];
      ...                                   ->    ...
    };                                          }
    compute_tile(stage);

So that what can go wrong with the first tile, with the others and with the last one
goes wrong by itself.
"""
import re

DEFINED = re.compile(r"(\s*)auto ((copy_tile|compute_tile)\d*) = \[&\]"
                     r"\((?:int (\w+))?\)( \{)?$")


def indent(line):
    return line[:len(line) - len(line.lstrip(" \t"))]


class Function:
    """A definition at line `first`: what it holds, and where it is known."""

    def __init__(self, lines, first):
        old, self.name, self.kind, self.stage, brace = DEFINED.match(
            lines[first]).groups()
        inside = first + (1 if brace else 2)
        last = next(i for i in range(inside, len(lines))
                    if lines[i].strip() == "};" and indent(lines[i]) == old)
        self.body = lines[inside:last]
        self.old = old
        self.step = next(indent(line)[len(old):] for line in self.body
                         if line.strip() and line.startswith(old + " ")
                         or line.startswith(old + "\t"))
        self.brace = brace
        self.first = first - (lines[first - 1].strip().startswith("// "))
        self.end = last + 1 + (not lines[last + 1].strip())
        self.known = next(i for i in range(last, len(lines))
                          if lines[i].strip().startswith("}")
                          and len(indent(lines[i])) < len(old))

    def text(self, at, level):
        """The body, a level in from `at` or not; directives stay where they are."""
        cut = self.old if level else self.old + self.step
        return [at + line[len(cut):] if line.startswith(cut) else line
                for line in self.body]

    def opened(self, at, head):
        """A head and its block around the body."""
        lines = [f"{at}{head} {{"] if self.brace else [at + head, at + "{"]
        return [*lines, *self.text(at, True), at + "}"]

    def copied(self, at, index):
        """In the main loop the stage is declared behind the question whether there is
        a tile."""
        out = self.text(at, False)
        guard = next((i for i, line in enumerate(out)
                      if line.startswith(at + "if (")), None)
        where, inner = 0, at
        if guard is not None:
            where, inner = guard + (1 if self.brace else 2), at + self.step
        return [*out[:where], f"{inner}int {self.stage} = {index};", *out[where:]]

    def called(self, lines):
        """The lines behind the definition, with the body for each call."""
        out = []
        for line in lines:
            call = re.match(rf"(\s*){self.name}\((.*)\);$", line)
            at, index = call.groups() if call else (None, None)
            if not call:
                out.append(line)
            elif self.kind == "compute_tile":
                out += [at + "{", *self.text(at, True), at + "}"]
            elif index == "0":
                out += self.opened(at, f"for (int {self.stage} = 0; {self.stage} < 1; "
                                       f"++{self.stage})")
            elif index == self.stage:
                head = out.pop()
                out += self.opened(indent(head), head.strip())
            else:
                out += self.copied(at, index)
        return out


def expanded(lines):
    """The file with the bodies of its loops' local functions at their calls."""
    lines = list(lines)
    for first in reversed(range(len(lines))):
        if DEFINED.match(lines[first]):
            f = Function(lines, first)
            lines[f.first:f.known] = f.called(lines[f.end:f.known])
    return lines
