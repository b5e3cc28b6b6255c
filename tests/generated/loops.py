"""Forms of the loop that moves from tile to tile."""
from dataclasses import dataclass, field

from text import plus, par, times


@dataclass
class Loop:
    """A header, and what the body knows about the tile that it is at."""
    form: str
    init: str = ""                 # of a for header
    cond: str = ""
    inc: str = ""                  # empty: a while loop
    pre: list = field(default_factory=list)
    head: list = field(default_factory=list)
    tail: list = field(default_factory=list)
    kpos: str = ""                 # elements before this tile; empty: not known
    tile_number: str = ""
    left: str = ""                 # elements from here to the end
    descending: bool = False
    variable: str = ""
    live_out: str = ""             # a number that is left after the loop
    symbols: dict = field(default_factory=dict)   # name -> type

    def inside(self, coordinate):
        """The condition that element `coordinate` of this tile exists."""
        if self.form == "remaining":
            return coordinate + " < " + self.left
        return plus(self.kpos, coordinate) + " < " + self.extent

    def header(self):
        if self.inc or self.init:
            return "for (%s; %s; %s) {" % (self.init, self.cond, self.inc)
        return "while (%s) {" % (self.cond or "true")


INDEX_TYPES = {"int": 8, "unsigned": 2, "size_t": 1, "long long": 1}


class LoopMaker:
    """Makes a loop of a kernel; `names` keeps its variables apart."""

    def __init__(self, dice, axis, names):
        self.dice, self.axis, self.names = dice, axis, names
        self.step = axis.text
        self.n = axis.extent

    def _count(self):
        """How many tiles there are."""
        if self.axis.guarded:
            return "(%s + %s - 1) / %s" % (self.n, self.step, self.step)
        return "%s / %s" % (self.n, self.step)

    def _type(self):
        return self.dice.feature("index-type", INDEX_TYPES)

    def _name(self, options):
        return self.names.fresh(options)

    def _tiles(self, kind):
        """Where the number of tiles is written: in a variable, mostly."""
        if self.dice.chance(0.7):
            name = self._name(["tiles", "nTiles", "num_tiles", "steps"])
            return name, ["const %s %s = %s;" % (kind, name, self._count())], \
                {name: "int"}
        return par(self._count()), [], {}

    def counted(self):
        kind, var = self._type(), self._name(["t", "tile", "step", "i_tile"])
        count, pre, symbols = self._tiles(kind)
        inc = self.dice.pick(["++" + var, var + "++", var + " += 1"])
        symbols[var] = kind
        return Loop("for-t", "%s %s = 0" % (kind, var), "%s < %s" % (var, count),
                    inc, pre, kpos=times(var, self.step), tile_number=var,
                    variable=var, symbols=symbols)

    def stepped(self):
        kind, var = self._type(), self._name(["k0", "kk0", "base", "off", "ko"])
        return Loop("for-k0", "%s %s = 0" % (kind, var),
                    "%s < %s" % (var, self.n), "%s += %s" % (var, self.step),
                    kpos=var, tile_number="%s / %s" % (var, self.step),
                    variable=var, symbols={var: kind})

    def block_step(self):
        loop = self.stepped()
        loop.form = "for-blockDim"
        loop.inc = loop.variable + " += blockDim.x"
        return loop

    def while_loop(self):
        kind, var = self._type(), self._name(["k0", "pos", "start", "offset"])
        return Loop("while", cond="%s < %s" % (var, self.n),
                    pre=["%s %s = 0;" % (kind, var)],
                    tail=["%s += %s;" % (var, self.step)], kpos=var,
                    tile_number="%s / %s" % (var, self.step), variable=var,
                    live_out=var, symbols={var: kind})

    def remaining(self):
        """Counts down what is left; the sources are walked by pointers."""
        var = self._name(["left", "remaining", "todo"])
        return Loop("remaining", cond=var + " > 0",
                    pre=["int %s = %s;" % (var, self.n)],
                    tail=["%s -= %s;" % (var, self.step)], left=var,
                    variable=var, live_out=var, symbols={var: "int"})

    def outside(self):
        """A variable that lives on after the loop."""
        var = self._name(["k0", "pos", "cursor"])
        init = self.dice.pick(["", var + " = 0"])
        start = "int %s%s;" % (var, " = 0" if not init else "")
        return Loop("for-live-out", init, "%s < %s" % (var, self.n),
                    "%s += %s" % (var, self.step), [start], kpos=var,
                    tile_number="%s / %s" % (var, self.step), variable=var,
                    live_out=var, symbols={var: "int"})

    def descending(self):
        if self.axis.guarded or self.dice.chance(0.5):
            return self._descending_tiles()
        kind, var = self.dice.pick(["int", "unsigned"]), self._name(["k1", "end"])
        loop = Loop("descending-k", "%s %s = %s" % (kind, var, self.n),
                    self.dice.pick(["%s > 0", "%s != 0"]) % var,
                    "%s -= %s" % (var, self.step),
                    kpos="(%s - %s)" % (var, self.step),
                    tile_number="(%s / %s - 1)" % (var, self.step),
                    descending=True, variable=var, symbols={var: kind})
        return loop

    def _descending_tiles(self):
        var = self._name(["t", "tile"])
        if self.dice.chance(0.5):
            return Loop("descending-t", "int %s = %s - 1" % (var, self._count()),
                        var + " >= 0", self.dice.pick(["--" + var, var + "--"]),
                        kpos=times(var, self.step), tile_number=var,
                        descending=True, variable=var, symbols={var: "int"})
        return Loop("descending-unsigned",
                    "unsigned %s = %s" % (var, self._count()), var + " > 0",
                    "--" + var, kpos="(%s - 1) * %s" % (var, self.step),
                    tile_number="(%s - 1)" % var, descending=True, variable=var,
                    symbols={var: "unsigned"})

    def begin_end(self):
        """A second variable beside the first, as in the classroom kernel."""
        var, end = self._name(["k", "pos"]), self._name(["kEnd", "stop"])
        tile = self._name(["t", "index"])
        return Loop("begin-end", "int %s = 0, %s = 0" % (var, tile),
                    "%s <= %s" % (var, end),
                    "%s += %s, ++%s" % (var, self.step, tile),
                    ["const int %s = %s - 1;" % (end, self.n)], kpos=var,
                    tile_number=tile, variable=var,
                    symbols={var: "int", tile: "int", end: "int"})

    def not_equal(self):
        kind, var = self.dice.pick(["int", "unsigned"]), self._name(["t", "tile"])
        count, pre, symbols = self._tiles(kind)
        symbols[var] = kind
        return Loop("not-equal", "%s %s = 0" % (kind, var),
                    "%s != %s" % (var, count), "++" + var, pre,
                    kpos=times(var, self.step), tile_number=var, variable=var,
                    symbols=symbols)

    def _ask_in_body(self, loop):
        """The end is asked for in the body; tiles are passed over."""
        how = self.dice.feature("asked", {"header": 8, "head": 2, "skip": 2,
                                          "both": 1})
        if how in ("head", "both"):
            loop.head[:0] = ["if (!(%s))" % loop.cond, "break;"]
            loop.cond = ""
        if how in ("skip", "both") and loop.inc and loop.tile_number:
            rest = self.dice.pick(["% 3 == 1", "% 2 == 0", "== 0", "> 2"])
            loop.head += ["if (%s %s)" % (par(loop.tile_number), rest),
                          "continue;"]

    def make(self, block_x, can_bump):
        forms = {"counted": 8, "stepped": 10, "while_loop": 3, "outside": 2,
                 "descending": 3, "begin_end": 2, "not_equal": 1,
                 "remaining": 2 if can_bump else 0,
                 "block_step": 6 if block_x == self.axis.size else 0}
        loop = getattr(self, self.dice.pick(forms))()
        loop.extent = self.n
        self._ask_in_body(loop)
        if not loop.left:
            loop.left = "%s - %s" % (self.n, par(loop.kpos))
        self.dice.note("loop", loop.form)
        return loop
