"""Expressions in int and unsigned, as text and as numbers.

An expression is a tuple: ("number", value, type), ("name", name), ("cast", type, e),
("choose", c, a, b), ("load", e) or (operator, a, b). Types are those of TYPES.
"""
TYPES = {"int": (-2**31, 2**31), "unsigned": (0, 2**32), "unsigned char": (0, 256)}
SPELLED = {"width": "blockDim.x"}


class Undefined(Exception):
    """What C++ says nothing of, or a store outside the tile."""


def fit(value, kind):
    """A number as a type holds it."""
    least, end = TYPES[kind]
    return (value - least) % (end - least) + least


def promoted(kind):
    return "int" if kind == "unsigned char" else kind


def quotient(a, b):
    rounded = abs(a) // abs(b)
    return rounded if (a < 0) == (b < 0) else -rounded


OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": quotient, "%": lambda a, b: a - b * quotient(a, b),
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def operate(operator, left, right):
    """Two (value, type), and what an operator makes of them."""
    kinds = [promoted(left[1])]
    if operator not in ("<<", ">>"):
        kinds.append(promoted(right[1]))
    kind = "unsigned" if "unsigned" in kinds else "int"
    a, b = fit(left[0], kind), right[0]
    b = fit(b, kind) if len(kinds) == 2 else b
    result = OPERATORS[operator](a, b)
    if operator in COMPARISONS:
        return int(result), "int"
    if kind == "int" and fit(result, kind) != result:
        raise Undefined
    return fit(result, kind), kind


def value_of(e, names, memory):
    """(value, type) of an expression, by what names are and memory holds."""
    if e[0] == "number":
        return e[1], e[2]
    if e[0] == "name":
        return names[e[1]]
    if e[0] == "cast":
        return fit(value_of(e[2], names, memory)[0], e[1]), e[1]
    if e[0] == "choose":
        chosen = 2 if value_of(e[1], names, memory)[0] else 3
        return value_of(e[chosen], names, memory)
    if e[0] == "load":
        return memory[value_of(e[1], names, memory)[0] % len(memory)], "int"
    return operate(e[0], value_of(e[1], names, memory), value_of(e[2], names, memory))


def text_of(e):
    if e[0] == "number":
        return f"{e[1]}u" if e[2] == "unsigned" else f"({e[1]})" if e[1] < 0 else str(e[1])
    if e[0] == "name":
        return SPELLED.get(e[1], e[1])
    if e[0] == "cast":
        return f"(({e[1]}){text_of(e[2])})"
    if e[0] == "choose":
        return f"({text_of(e[1])} ? {text_of(e[2])} : {text_of(e[3])})"
    if e[0] == "load":
        return f"memory[({text_of(e[1])}) & 31]"
    return f"({text_of(e[1])} {e[0]} {text_of(e[2])})"
