"""Random statements that fill a tile: made, run on numbers, and as text.

A statement is a tuple: ("store", index), ("if", condition, yes, no), ("break",),
("continue",), ("declare", name, type, e), ("set", name, operator, e) or ("loop", form,
name, type, start, bound, step, body).
"""
import numbers_of_c as c

CELLS = 2048


class Leaves(Exception):
    """A break, or a continue."""


class Maker:
    def __init__(self, dice):
        self.dice, self.made = dice, 0

    def number(self, *choices):
        return "number", self.dice.choice(choices), "int"

    def expression(self, names, depth):
        if depth == 0 or self.dice.random() < 0.15:
            named = self.dice.random() < 0.75
            return ("name", self.dice.choice(names)) if named else \
                ("number", self.dice.choice((1, 2, 3, 8, 32, 64)),
                 self.dice.choice(("int", "int", "unsigned")))
        operator = self.dice.choice(("+", "+", "+", "-", "*", "*", "/", "%", "&",
                                     ">>", "<<", "^", "|", "choose", "cast"))
        a = self.expression(names, depth - 1)
        if operator == "choose":
            return operator, self.condition(names), a, self.expression(names, depth - 1)
        if operator == "cast":
            return operator, self.dice.choice(("int", "unsigned")), a
        numbers = {"/": (2, 3, 8, 32), "%": (2, 4, 8, 32), "&": (1, 7, 31, 127, 24),
                   "<<": (1, 2, 5), ">>": (1, 3, 5), "*": (2, 4, 32, 33),
                   "^": (1, 2, 4, 7), "|": (1, 4, 7)}.get(operator)
        return (operator, a, self.number(*numbers)) if numbers else \
            (operator, a, self.expression(names, depth - 1))

    def condition(self, names):
        kind = self.dice.random()
        if kind < 0.2:
            return "==", ("load", self.expression(names, 1)), self.number(1, 2, 3)
        if kind < 0.4:
            return "<", self.expression(names, 1), ("name", "m")
        return (self.dice.choice(c.COMPARISONS), self.expression(names, 1),
                self.number(0, 1, 2, 3, 8, 16, 31))

    def index(self, names):
        counters = [name for name in names if name not in ("t", "m")]
        if not counters or self.dice.random() < 0.4:
            return self.expression(names, 2)
        e = "name", "t"
        for name in self.dice.sample(counters, min(len(counters), 2)):
            part = ("name", name)
            if self.dice.random() < 0.3:
                part = self.dice.choice("/%&^"), part, self.number(1, 2, 32)
            e = "+", e, ("*", part, self.number(1, 32, 32, 64, 128))
        return e

    def fresh(self, letter):
        self.made += 1
        return f"{letter}{self.made}"

    def loop(self, names, depth):
        name, by_thread = self.fresh("i"), self.dice.random() < 0.5
        start = ("name", "t") if by_thread else self.number(0, 0, 1, -2)
        step = self.number(32, 64) if by_thread else self.number(1, 1, 2)
        bound = self.number(100, 128, 250) if by_thread else self.number(2, 3, 5)
        if self.dice.random() < 0.4:
            bound = "name", "m"
        if self.dice.random() < 0.4 and by_thread:
            step = "name", "width"
        return ("loop", self.dice.choice(("for", "for", "do")), name,
                self.dice.choice(tuple(c.TYPES)), start, bound, step,
                self.statements(names + [name], depth + 1))

    def statement(self, names, depth):
        kind = self.dice.random()
        if kind < 0.3 and depth < 2:
            return self.loop(names, depth)
        if kind < 0.5 and depth < 3:
            return ("if", self.condition(names), self.statements(names, depth + 1),
                    self.statements(names, depth + 1) if kind < 0.42 else [])
        if 0.5 < kind < 0.57 and names[-1] != "p":
            jump = self.dice.choice(("break", "continue"))
            return "if", self.condition(names), [(jump,)], []
        if kind < 0.7:
            return ("set", "p", self.dice.choice(("+=", "+=", "=", "-=")),
                    self.number(1, 32, 64))
        return "store", self.index(names)

    def statements(self, names, depth):
        made = [self.statement(names, depth) for _ in range(self.dice.choice((1, 1, 2, 3)))]
        return made + [("store", self.index(names))]


class Run:
    """One thread's run; `cells`: where it has stored to, in order."""

    def __init__(self, names, memory):
        self.names, self.memory, self.cells, self.left = names, memory, [], 3000

    def value(self, e):
        return c.value_of(e, self.names, self.memory)

    def assign(self, name, value, kind):
        self.names[name] = c.fit(value, kind), kind

    def run_loop(self, form, name, kind, start, bound, step, body):
        self.assign(name, self.value(start)[0], kind)
        asked = form == "for"
        while not asked or self.value(("<", ("name", name), bound))[0]:
            asked = True
            try:
                self.run(body)
            except Leaves as how:
                if how.args[0] == "break":
                    break
            self.assign(name, self.value(("+", ("name", name), step))[0], kind)

    def run(self, statements):
        for s in statements:
            self.left -= 1
            if self.left < 0:
                raise c.Undefined
            if s[0] == "store":
                self.cells.append(self.value(s[1])[0])
                if not 0 <= self.cells[-1] < CELLS:
                    raise c.Undefined
            elif s[0] == "if":
                self.run(s[2] if self.value(s[1])[0] else s[3])
            elif s[0] in ("break", "continue"):
                raise Leaves(s[0])
            elif s[0] == "set":
                e = s[3] if s[2] == "=" else (s[2][0], ("name", s[1]), s[3])
                self.assign(s[1], self.value(e)[0], self.names[s[1]][1])
            else:
                self.run_loop(*s[1:])


def lines_of(statements, indent):
    for s in statements:
        if s[0] == "store":
            yield f"{indent}s[{c.text_of(s[1])}] = x[k * 64 + t];"
        elif s[0] == "if":
            yield f"{indent}if ({c.text_of(s[1])}) {{"
            yield from lines_of(s[2], indent + "    ")
            yield f"{indent}}} else {{" if s[3] else f"{indent}}}"
            if s[3]:
                yield from lines_of(s[3], indent + "    ")
                yield f"{indent}}}"
        elif s[0] == "set":
            yield f"{indent}{s[1]} {s[2]} {c.text_of(s[3])};"
        elif s[0] == "loop":
            yield from lines_of_loop(*s[1:], indent)
        else:
            yield f"{indent}{s[0]};"


def lines_of_loop(form, name, kind, start, bound, step, body, indent):
    """`do`: without the first test, as a for loop that says so."""
    test = f"{name} < {c.text_of(bound)}"
    if form == "do":
        yield f"{indent}bool first{name} = true;"
        test = f"first{name} || {test}"
    yield (f"{indent}for ({kind} {name} = {c.text_of(start)}; {test}; "
           f"{name} += {c.text_of(step)}) {{")
    if form == "do":
        yield f"{indent}    first{name} = false;"
    yield from lines_of(body, indent + "    ")
    yield f"{indent}}}"
