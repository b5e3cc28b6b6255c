"""The load phase: how a block's threads fill the tiles."""
from text import all_of, par, plus, times

GUARDS = {"none": 8, "ternary": 6, "if-else": 5, "nested": 3, "local": 4,
          "flag": 2, "fill": 2, "bare": 2}
ENCLOSED = {"stride", "block-stride", "offsets", "counted", "run", "nested"}
SCATTER = [".x", ".y", ".z", ".w"]


class Copy:
    """Writes the statements that fill the tile of one stream."""

    def __init__(self, kernel, stream, loop, guard):
        self.kernel, self.dice = kernel, kernel.dice
        self.stream, self.loop, self.guard = stream, loop, guard
        if stream.form == "scatter" and guard == "bare":
            self.guard = "ternary"
        self.scope = []            # names declared in the statements
        self.lanes = 1
        if stream.form in ("vector", "scatter"):
            self.lanes = stream.element.lanes

    # --- one cell -------------------------------------------------------

    def _name(self, options):
        name = self.kernel.names.fresh(options)
        self.scope.append(name)
        return name

    def _global_coordinate(self, axis, local):
        stream, loop = self.stream, self.loop
        if axis.kind == "K":
            if stream.gather:
                return "%s[%s]" % (stream.gather, plus(loop.kpos, local))
            return local if stream.advance != "index" else plus(loop.kpos, local)
        if stream.advance != "index":
            return local
        return plus(axis.base, local)

    def source_index(self, coords):
        """The element's place in global memory, row by row."""
        index = ""
        for number, axis in enumerate(self.stream.axes):
            here = self._global_coordinate(axis, coords[axis.kind])
            if number == 0:
                index = here
            else:
                width = self.kernel.extent_text(self.stream, number)
                index = plus(times(index, width), here)
        if self.stream.advance == "offset":
            index = plus(self.stream.offset, index)
        return index

    def tile_cell(self, coords):
        return self.kernel.tile_cell(self.stream, coords)

    def conditions(self, coords):
        """What has to hold for the element to exist."""
        found = []
        for axis in self.stream.axes:
            if not axis.guarded or self.guard == "none":
                continue
            if axis.kind == "K":
                found.append(self.loop.inside(coords["K"]))
            else:
                found.append("%s < %s" % (plus(axis.base, coords[axis.kind]),
                                          axis.extent))
        return found

    def _value(self, coords):
        stream, index = self.stream, self.source_index(coords)
        if self.lanes > 1:
            return self.kernel.vector_of(stream, "%s[%s]" % (stream.pointer, index),
                                         True)
        text = "%s[%s]" % (stream.pointer, index)
        if stream.ldg:
            text = "__ldg(&%s)" % text
        return stream.element.load.format(text)

    def _fill(self):
        if self.lanes > 1:
            return self.stream.element.vector_zero
        if self.guard == "fill":
            return self.stream.element.fill
        return self.stream.element.zero

    def _type(self):
        element = self.stream.element
        return element.vector if self.lanes > 1 else element.tile

    def _assign(self, target, coords):
        """`target` gets the element, or the fill where there is none."""
        value, conditions = self._value(coords), self.conditions(coords)
        fill = self._fill()
        if not conditions:
            return ["%s = %s;" % (target, value)]
        if self.guard == "bare":
            return ["if (%s)" % all_of(conditions), "%s = %s;" % (target, value)]
        if self.guard in ("ternary", "fill"):
            test = par(all_of(conditions)) if len(conditions) > 1 else conditions[0]
            return ["%s = %s ? %s : %s;" % (target, test, value, fill)]
        if self.guard == "flag":
            ok = self._name(["ok", "inside", "valid", "in_range"])
            return ["const bool %s = %s;" % (ok, all_of(conditions)),
                    "%s = %s ? %s : %s;" % (target, ok, value, fill)]
        if self.guard == "nested" and len(conditions) > 1:
            return self._nested_ifs(target, value, conditions, fill)
        if self.guard == "local":
            return self._through_local(target, value, conditions, fill)
        return self._if_else(target, value, conditions, fill)

    def _if_else(self, target, value, conditions, fill):
        if self.dice.chance(0.5):
            return ["if (%s) {" % all_of(conditions), "%s = %s;" % (target, value),
                    "} else {", "%s = %s;" % (target, fill), "}"]
        return ["if (%s)" % all_of(conditions), "%s = %s;" % (target, value),
                "else", "%s = %s;" % (target, fill)]

    def _nested_ifs(self, target, value, conditions, fill):
        return ["if (%s) {" % conditions[0],
                "if (%s)" % all_of(conditions[1:]), "%s = %s;" % (target, value),
                "else", "%s = %s;" % (target, fill),
                "} else {", "%s = %s;" % (target, fill), "}"]

    def _through_local(self, target, value, conditions, fill):
        local = self._name(["v", "val", "elem", "x_in"])
        lines = ["%s %s = %s;" % (self._type(), local, fill)]
        if len(conditions) > 1 and self.dice.chance(0.4):
            lines += ["if (%s) {" % conditions[0],
                      "if (%s)" % all_of(conditions[1:]),
                      "%s = %s;" % (local, value), "}"]
        else:
            lines += ["if (%s)" % all_of(conditions), "%s = %s;" % (local, value)]
        return lines + ["%s = %s;" % (target, local)]

    def _scatter(self, coords):
        """A wide load whose parts go to different rows of the tile."""
        local = self._name(["quad", "packed", "vec"])
        last = self.stream.axes[-1].kind
        lines = ["%s %s;" % (self._type(), local)]
        assigned = self._assign(local, coords)
        if len(assigned) == 1:
            lines = ["const %s %s" % (self._type(), assigned[0])]
        else:
            lines += assigned
        for lane in range(self.lanes):
            where = dict(coords)
            where[last] = plus(coords[last], str(lane))
            lines.append("%s = %s%s;" % (self.tile_cell(where), local,
                                         SCATTER[lane]))
        return lines

    def cell(self, coords):
        """Statements that fill one cell, or one vector of cells."""
        stream = self.stream
        if stream.form == "scatter":
            return self._scatter(coords)
        target = self.tile_cell(coords)
        if stream.form == "vector":
            target = self.kernel.vector_of(stream, target, False)
        if stream.through == "local" and self.guard != "bare":
            local = self._name(["v", "val", "tmp", "item"])
            lines = self._assign(local, coords)
            declared = "%s %s" % (self._type(), local)
            if len(lines) == 1:
                return [declared + lines[0][len(local):], "%s = %s;" % (target, local)]
            return [declared + ";"] + lines + ["%s = %s;" % (target, local)]
        return self._assign(target, coords)

    # --- all cells -------------------------------------------------------

    def _sizes(self):
        """Units along each axis; a vector is one unit of the last axis."""
        sizes = [a.size for a in self.stream.axes]
        texts = [a.text for a in self.stream.axes]
        if self.lanes > 1:
            sizes[-1] //= self.lanes
            texts[-1] = "%s / %d" % (texts[-1], self.lanes)
        return sizes, texts

    def _total(self):
        sizes, texts = self._sizes()
        total = 1
        for size in sizes:
            total *= size
        if len(texts) > 1 and self.lanes > 1:
            plain = [a.text for a in self.stream.axes]
            return total, " * ".join(plain) + " / %d" % self.lanes
        return total, " * ".join(texts)

    def _scaled(self, text):
        return times(text, str(self.lanes))

    def _from_flat(self, flat):
        """Coordinates from a number of the unit, and the lines that find them."""
        sizes, texts = self._sizes()
        kinds = [a.kind for a in self.stream.axes]
        if len(kinds) == 1:
            return [], {kinds[0]: self._scaled(flat)}
        parts, rest = {}, par(flat)
        divisor = [par(t) for t in texts]
        if len(kinds) == 2:
            parts[kinds[0]] = "%s / %s" % (rest, divisor[1])
            parts[kinds[1]] = "%s %% %s" % (rest, divisor[1])
        else:
            parts[kinds[0]] = "%s / (%s * %s)" % (rest, texts[1], divisor[2])
            parts[kinds[1]] = "%s / %s %% %s" % (rest, divisor[2], divisor[1])
            parts[kinds[2]] = "%s %% %s" % (rest, divisor[2])
        parts[kinds[-1]] = self._scaled(parts[kinds[-1]])
        if self.lanes == 1 and self.dice.chance(0.3):
            return [], {k: par(v) for k, v in parts.items()}
        lines, coords = [], {}
        options = [["r", "row_", "ri"], ["c", "col_", "ci"], ["p", "q", "pi"]]
        for kind, choice in zip(kinds, options):
            coords[kind] = self._name(choice)
            lines.append("%sint %s = %s;" % (
                self.dice.pick(["const ", ""]), coords[kind], parts[kind]))
        return lines, coords

    def _schemes(self):
        """The ways to divide this tile among the threads, with weights."""
        kernel, (sizes, _) = self.kernel, self._sizes()
        total, _ = self._total()
        threads, (bx, by) = kernel.threads, kernel.block
        schemes = {"stride": 2}
        if total % threads == 0:
            schemes["offsets"] = schemes["counted"] = 2
            if total // threads > 1:
                schemes["run"] = 1
                schemes["registers"] = 2
        if total == threads:
            schemes = {"one": 9, "stride": 1}
        if total < threads:
            schemes = {"subset": 5, "stride": 1}
        if by == 1 and total >= threads:
            schemes["block-stride"] = 2
        if len(sizes) == 2:
            self._two_axes(schemes, sizes, threads, bx, by)
        if len(sizes) == 3 and self.lanes == 1:
            schemes["nested"] = 3
        return schemes

    def _two_axes(self, schemes, sizes, threads, bx, by):
        if (sizes[0], sizes[1]) == (by, bx) and by > 1:
            schemes["grid"] = 30
        if threads % sizes[1] == 0 and threads // sizes[1] < sizes[0] and \
                sizes[0] % (threads // sizes[1]) == 0:
            schemes["rows"] = 3
        if self.lanes == 1 and self._nested_registers(sizes, bx, by) <= 24:
            schemes["nested"] = 2 if by == 1 else 6

    def _nested_registers(self, sizes, bx, by):
        """What a thread stages if the block is laid over rows and columns."""
        copies = -(-sizes[0] // by) * -(-sizes[1] // bx)
        return copies * self.stream.element.bytes / 4

    def lines(self):
        scheme = self.dice.pick(self._schemes())
        if self.stream.form == "scatter" and scheme == "registers":
            scheme = "counted"
        if self.guard == "bare" and scheme == "registers":
            scheme = "counted"
        self.dice.note("copy", scheme)
        lines = getattr(self, "_" + scheme.replace("-", "_"))()
        if scheme in ENCLOSED and self.dice.chance(0.7):
            self.kernel.names.used -= set(self.scope)
        return lines

    def _one(self):
        found, coords = self._from_flat(self.kernel.tid())
        return found + self.cell(coords)

    def _grid(self):
        first, second = (a.kind for a in self.stream.axes)
        return self.cell({first: self.kernel.ty(),
                          second: self._scaled(self.kernel.tx())})

    def _subset(self):
        total, text = self._total()
        found, coords = self._from_flat(self.kernel.tid())
        body = found + self.cell(coords)
        test = "if (%s < %s)" % (self.kernel.tid(), text)
        if len(body) == 1:
            return [test] + body
        return [test + " {"] + body + ["}"]

    def _unroll(self):
        return self.dice.pick([[], ["#pragma unroll"]])

    def _for(self, var, start, stop, step, body):
        inc = "++" + var if step == "1" else "%s += %s" % (var, step)
        head = "for (int %s = %s; %s < %s; %s)" % (var, start, var, stop, inc)
        if len(body) == 1 and self.dice.chance(0.6):
            return [head] + body
        return [head + " {"] + body + ["}"]

    def _stride(self, step=None):
        var = self._name(["i", "e", "idx"])
        found, coords = self._from_flat(var)
        return self._unroll() + self._for(
            var, self.kernel.tid(), self._total()[1],
            step or self.kernel.threads_text, found + self.cell(coords))

    def _block_stride(self):
        self.kernel.needs_bounds = True
        return self._stride("blockDim.x")

    def _offsets(self):
        var, flat = self._name(["o", "ofs", "first"]), self._name(["e", "lin"])
        found, coords = self._from_flat(flat)
        body = ["const int %s = %s + %s;" % (flat, var, self.kernel.tid())]
        return self._unroll() + self._for(
            var, "0", self._total()[1], self.kernel.threads_text,
            body + found + self.cell(coords))

    def _per_thread(self):
        """How many units a thread copies, as the source spells it."""
        total, text = self._total()
        if self.dice.chance(0.4):
            return str(total // self.kernel.threads)
        return "%s / %s" % (text, par(self.kernel.threads_text))

    def _counted(self):
        var, flat = self._name(["u", "it", "j"]), self._name(["e", "lin"])
        found, coords = self._from_flat(flat)
        body = ["const int %s = %s * %s + %s;" % (
            flat, var, par(self.kernel.threads_text), self.kernel.tid())]
        return self._unroll() + self._for(var, "0", self._per_thread(), "1",
                                          body + found + self.cell(coords))

    def _run(self):
        """Each thread copies neighbours."""
        count = str(self._total()[0] // self.kernel.threads)
        var, flat = self._name(["j", "s"]), self._name(["e", "lin"])
        found, coords = self._from_flat(flat)
        body = ["const int %s = %s * %s + %s;" % (flat, self.kernel.tid(), count,
                                                  var)]
        return self._unroll() + self._for(var, "0", count, "1",
                                          body + found + self.cell(coords))

    def _rows(self):
        """A thread stays in its column and steps down the rows."""
        sizes, texts = self._sizes()
        kinds = [a.kind for a in self.stream.axes]
        row, col = self._name(["lr", "load_row"]), self._name(["lc", "load_col"])
        down = self.kernel.threads // sizes[1]
        var = self._name(["o", "rr"])
        where = self.kernel.declare(row, "int", "%s / %s" % (
            self.kernel.tid(), par(texts[1])))
        beside = self.kernel.declare(col, "int", self._scaled("%s %% %s" % (
            self.kernel.tid(), par(texts[1]))))
        step = str(down) if self.dice.chance(0.5) else "%s / %s" % (
            self.kernel.threads_text, par(texts[1]))
        if "*" in self.kernel.threads_text or "/" in texts[1]:
            step = str(down)
        return self._unroll() + self._for(
            var, "0", texts[0], step,
            self.cell({kinds[0]: plus(where, var), kinds[1]: beside}))

    def _nested(self):
        kinds = [a.kind for a in self.stream.axes]
        sizes, texts = self._sizes()
        options = [["r", "rr"], ["c", "cc"], ["q", "qq"]]
        outer = [self._name(o) for o in options[:len(kinds)]]
        body = self.cell(dict(zip(kinds, outer)))
        starts, steps = self._nested_steps(len(kinds))
        for var, text, start, step in reversed(list(zip(outer, texts, starts, steps))):
            body = self._for(var, start, text, step, body)
        return body

    def _nested_steps(self, depth):
        kernel = self.kernel
        if kernel.block[1] > 1:
            return (["0"] * (depth - 2) + [kernel.ty(), kernel.tx()],
                    ["1"] * (depth - 2) + [kernel.block_text[1],
                                           kernel.block_text[0]])
        return (["0"] * (depth - 1) + [kernel.tid()],
                ["1"] * (depth - 1) + [kernel.threads_text])

    def _registers(self):
        """All loads into registers first, then all stores."""
        element, count = self.stream.element, self._per_thread()
        regs = self._name(["regs", "staged", "frag", "buf"])
        load = self._name(["u", "i"])
        flat = self._name(["e", "lin"])
        found, coords = self._from_flat(flat)
        line = "const int %s = %s + %s * %s;" % (
            flat, self.kernel.tid(), load, par(self.kernel.threads_text))
        target = self.tile_cell(coords)
        if self.lanes > 1:
            target = self.kernel.vector_of(self.stream, target, False)
        fetch = self._assign("%s[%s]" % (regs, load), coords)
        first = ["#pragma unroll"] + self._for(load, "0", count, "1",
                                              [line] + found + fetch)
        second = ["#pragma unroll"] + self._for(
            load, "0", count, "1",
            [line] + found + ["%s = %s[%s];" % (target, regs, load)])
        return ["%s %s[%s];" % (self._type(), regs, count)] + first + second
