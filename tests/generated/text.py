"""Small helpers that put expressions and names together."""
import re

_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_ATOM = re.compile(r"[\w.]+(\[[^][]*\]|\([^()]*\))*$")


def _enclosed(expression):
    """The first parenthesis closes at the very end."""
    depth = 0
    for place, char in enumerate(expression):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return place == len(expression) - 1 and char == ")"
    return False


def par(expression):
    """The expression, in parentheses where it needs some as an operand."""
    if _ATOM.match(expression) or _enclosed(expression):
        return expression
    return "(" + expression + ")"


def times(left, right):
    """A product without factors of one."""
    if left == "1":
        return right
    if right == "1":
        return left
    return par(left) + " * " + par(right)


def plus(*terms):
    """A sum without terms that are nothing."""
    kept = [t for t in terms if t and t != "0"]
    return " + ".join(kept) if kept else "0"


def words(text):
    """The identifiers in a piece of text."""
    return set(_WORD.findall(text))


def words_of(lines):
    found = set()
    for line in lines:
        found |= words(re.sub(r"//.*|/\*.*?\*/", "", line))
    return found


def all_of(conditions):
    return " && ".join(conditions)


class Names:
    """Hands out names that are not in use yet."""

    def __init__(self, dice, used=()):
        self.dice, self.used = dice, set(used)

    def fresh(self, options):
        """One of `options`, with a number behind it where all are taken."""
        free = [o for o in options if o not in self.used]
        name = self.dice.pick(free) if free else self._numbered(options[0])
        self.used.add(name)
        return name

    def _numbered(self, stem):
        number = 2
        while stem + str(number) in self.used:
            number += 1
        return stem + str(number)
