"""One tile loop: its header, load phase, barriers, compute phase and bumps."""
from dataclasses import dataclass, field

from computes import Compute
from copies import Copy
from loops import LoopMaker
from text import par, plus, times, words_of


@dataclass
class TileLoop:
    """A loop in parts, so that a hazard can change one of them."""
    loop: object
    pre: list                  # before the loop
    scalars: list              # what the load phase finds out beside the tiles
    load: list
    after_load: list
    compute: list
    tail: list
    before_compute: list       # the barrier between the phases
    after_compute: list        # the barrier before the next tile
    barrier_first: bool        # the latter stands first in the body
    pragma: list
    inside: list               # declarations at the top of the body
    ahead: list = field(default_factory=list)  # ahead of the loads, with a barrier

    def lines(self):
        body = list(self.inside)
        if self.barrier_first:
            body += self.after_compute
        body += self.ahead + self.loop.head + self.scalars + self.load + self.after_load
        body += self.before_compute + self.compute
        if not self.barrier_first:
            body += self.after_compute
        return self.pre + self.pragma + [self.loop.header()] + body + \
            self.tail + self.loop.tail + ["}"]


def outline(kernel, lines, name):
    """Moves statements to a function; gives back the call."""
    used = words_of(lines)
    free = [n for n in kernel.symbols if n in used]
    parameters = [_parameter(kernel, n, lines) for n in free]
    sizes = kernel.sizes if kernel.size_style == "template" else {}
    head = []
    if sizes:
        head = ["template <%s>" % ", ".join("int " + s for s in sizes)]
    kernel.helpers.append(head + ["__device__ %svoid %s(%s) {" % (
        kernel.dice.pick(["", "__forceinline__ "]), name,
        ", ".join(parameters))] + lines + ["}"])
    call = name + ("<%s>" % ", ".join(sizes) if sizes else "")
    return ["%s(%s);" % (call, ", ".join(free))]


def _parameter(kernel, name, lines):
    kind, suffix = kernel.symbols[name]
    if suffix:
        return "%s (&%s)%s" % (kind, name, suffix)
    if name == kernel.acc:
        return "%s &%s" % (kind, name)
    return "%s%s%s" % (kind, "" if kind.endswith("*") else " ", name)


class TileLoopMaker:
    """Makes a tile loop of a kernel; a kernel may have two."""

    def __init__(self, kernel, sources_change):
        self.kernel, self.dice = kernel, kernel.dice
        self.names = kernel.names
        self.own_pointers = sources_change   # the parameters have to stay
        self.pre, self.after_load, self.tail = [], [], []

    def make(self):
        kernel = self.kernel
        gathers = any(s.gather for s in kernel.streams)
        x = kernel.threads if kernel.block[1] == 1 else 0
        self.loop = LoopMaker(self.dice, kernel.geometry.axes["K"],
                              self.names).make(x, not gathers)
        for name, kind in self.loop.symbols.items():
            kernel.symbols[name] = (kind, "")
        self._advance_streams()
        load = self._load()
        compute = Compute(kernel, self.loop, kernel.guard)
        body = compute.lines()
        if kernel.helper_compute and compute.form != "store":
            self.dice.note("compute-in", "helper")
            body = outline(kernel, body, kernel.top_names.fresh(
                ["compute_tile", "multiply_tile", "consume"]))
        return self._assemble(compute.load_lines, load, body)

    def _assemble(self, scalars, load, compute):
        kernel, barrier = self.kernel, self.kernel.barrier()
        times_ = 2 if kernel.doubled else 1
        inside = kernel.tile_lines() if kernel.tile_place == "inside-loop" else []
        pragma = self.dice.pick([[], [], [], ["#pragma unroll 1"]])
        return TileLoop(self.loop, self.loop.pre + self.pre, scalars, load,
                        self.after_load, compute, self.tail,
                        [barrier] * times_, [barrier] * times_,
                        kernel.barrier_first, pragma, inside)

    # --- where each stream is ------------------------------------------------

    def _advance_streams(self):
        forms = {"index": 10, "bump": 4, "offset": 1}
        loop = self.loop
        if not (loop.init.startswith("int ") and loop.inc) or loop.descending:
            forms.pop("offset")
        if loop.descending:
            # behind a `continue` the pointers would stay while the index goes on
            forms["bump"] = 0 if "continue;" in loop.head else 1
        chosen = self.dice.pick(forms)
        if loop.form == "remaining":
            chosen = "bump"
        where = self._bump_place()
        for stream in self.kernel.streams:
            stream.pointer = self._pointer(stream)
            stream.advance = "index" if stream.gather else chosen
            getattr(self, "_" + stream.advance)(stream, where)
            self.dice.note("advance", stream.advance)

    def _bump_place(self):
        if self.loop.descending:
            return self.loop.head
        places = ["load", "tail"] + (["header"] if self.loop.inc else [])
        chosen = self.dice.pick(places)
        return {"load": self.after_load, "tail": self.tail}.get(chosen)

    def _pointer(self, stream):
        """The array itself, or its part for this round of an outer loop."""
        return self.kernel.batch_pointers.get(stream.source, stream.source)

    def _index(self, stream, where):
        return

    def _base_index(self, stream):
        """Where the block's first tile begins."""
        index = ""
        for number, axis in enumerate(stream.axes):
            here = axis.base or "0"
            if number == 0:
                index = here
            elif index == "0":
                index = here
            else:
                index = plus(times(index, self.kernel.extent_text(stream, number)),
                             here)
        return index

    def _stride(self, stream):
        """Elements from one tile to the next."""
        kinds = [a.kind for a in stream.axes]
        text = self.kernel.geometry.axes["K"].text
        for number in range(kinds.index("K") + 1, len(kinds)):
            text = times(text, self.kernel.extent_text(stream, number))
        return text

    def _start(self, stream):
        """The base, at the end of the array where the loop comes down."""
        base = self._base_index(stream)
        if not self.loop.descending:
            return base
        axis = self.kernel.geometry.axes["K"]
        count = par(self.kernel.tile_count_text() if axis.guarded
                    else "%s / %s" % (axis.extent, axis.text))
        return plus(base, times(count, par(self._stride(stream))))

    def _bump(self, stream, where):
        start, sign = self._start(stream), "-" if self.loop.descending else "+"
        if self.own_pointers or self.dice.chance(0.5):
            name = self.names.fresh(["p" + stream.source, stream.source + "_ptr",
                                     "src_" + stream.source])
            kind = self.kernel.pointer_type(stream)
            self.pre.append("%s%s = %s;" % (kind, name,
                                           plus(stream.pointer, start)))
            self.kernel.symbols[name] = (kind, "")
            stream.pointer = name
        elif start != "0":
            self.pre.append("%s += %s;" % (stream.pointer, start))
        step = "%s %s= %s" % (stream.pointer, sign, self._stride(stream))
        if where is None:
            self.loop.inc += ", " + step
        else:
            where.append(step + ";")

    def _offset(self, stream, where):
        """An index in the header that walks along: `a += aStep`."""
        stem = stream.source.strip("_")
        stream.offset = self.names.fresh(["a", "b", "o" + stem.lower()[:1] + "0",
                                          "at_" + stem])
        self.kernel.symbols[stream.offset] = ("int", "")
        begin, step = self._base_index(stream), self._stride(stream)
        if self.dice.chance(0.5):
            name = self.names.fresh([stream.offset + "Begin"])
            self.pre.append("const int %s = %s;" % (name, begin))
            begin = name
            name = self.names.fresh([stream.offset + "Step"])
            self.pre.append("const int %s = %s;" % (name, step))
            step = name
        self.loop.init += ", %s = %s" % (stream.offset, begin)
        self.loop.inc += ", %s += %s" % (stream.offset, step)

    # --- load phase ------------------------------------------------------------

    def _load(self):
        kernel, lines = self.kernel, []
        for stream in kernel.streams:
            copy = Copy(kernel, stream, self.loop, kernel.guard).lines()
            if kernel.helper_load:
                self.dice.note("load-in", "helper")
                copy = outline(kernel, copy, kernel.top_names.fresh(
                    ["load_tile", "fetch_tile", "stage_" + stream.tile]))
            lines += copy
        return lines
