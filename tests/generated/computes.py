"""The compute phase: what is done with a tile, and the result after the loop."""
from text import par, plus, times

SINGLE = {"fma": 6, "loop-variable": 3, "causal": 2, "scalar-helper": 2,
          "shuffle": 2, "scratch": 2, "store": 2, "load-scalar": 2,
          "global": 2, "branches": 2, "inner-continue": 2, "maximum": 2,
          "inner-break": 1, "by-fours": 1}
BLOCKED = {"fma": 4, "fragments": 6, "loop-variable": 2, "load-scalar": 1}


class Compute:
    """Writes what one loop does with its tiles."""

    def __init__(self, kernel, loop, guard, form=None):
        self.kernel, self.loop, self.guard = kernel, loop, guard
        self.dice, self.names = kernel.dice, kernel.names
        self.load_lines = []       # what the form needs in the load phase
        self.form = form or self._pick_form()
        self.dice.note("compute", self.form)
        self.kk = self.names.fresh(["kk", "k", "j", "p"])
        self.inner = []

    def _pick_form(self):
        forms = dict(SINGLE if self.kernel.single else BLOCKED)
        if not self.loop.kpos:
            for form in ("loop-variable", "causal", "load-scalar", "global",
                         "store", "inner-break"):
                forms.pop(form, None)
        if self.kernel.threads % 32:
            forms.pop("shuffle", None)
        if len(self.kernel.geometry.outputs) > 1:
            forms.pop("store", None)
        else:
            forms.pop("fragments", None)
        if self.guard == "bare" or self.kernel.geometry.axes["K"].size % 4:
            forms.pop("by-fours", None)
        if self.kernel.no_stores:
            forms.pop("store", None)
        return self.dice.pick(forms)

    # --- expressions ------------------------------------------------------

    def _coords(self, kk):
        coords = {"K": kk, "F": "f", "G": "g"}
        for axis in self.kernel.geometry.outputs:
            coords[axis.kind] = self.kernel.local_output(axis)
        return coords

    def _values(self, kk):
        coords = self._coords(kk)
        return [s.element.value.format(self.kernel.tile_cell(s, coords))
                for s in self.kernel.streams]

    def term(self, kk):
        """What one element of the tiles adds to the sum."""
        values = self._values(kk)
        if len(values) == 1:
            return self._term_of_one(values[0])
        term = times(values[0], values[1])
        if len(values) == 3:
            term = plus(term, values[2])
        return term

    def _term_of_one(self, value):
        own = self.kernel.own
        if not own:
            return value
        if self.kernel.own_minus:
            return "(%s - %s) * (%s - %s)" % (value, own, value, own)
        return times(own, value)

    def _sum(self):
        outputs = self.kernel.geometry.outputs
        blocked = [self.kernel.output_index(a) for a in outputs
                   if a.per_thread > 1]
        return self.kernel.acc + "".join("[%s]" % b for b in blocked)

    # --- loops ------------------------------------------------------------

    def _bound(self):
        axis = self.kernel.geometry.axes["K"]
        if self.guard != "bare":
            return axis.text
        left = self.loop.left
        if self.loop.symbols.get(self.loop.variable) != "int":
            left = "(int)(%s)" % left
        name = self.names.fresh(["kmax", "depth_here", "count", "len"])
        line = "const int %s = min(%s, %s);" % (name, axis.text, left)
        if self.dice.chance(0.5):
            self.load_lines.append(line)
            self.kernel.symbols[name] = ("int", "")
        else:
            self.inner.append(line)
        return name

    def _unroll(self):
        return self.dice.pick([[], ["#pragma unroll"], ["#pragma unroll 4"]])

    def _over(self, var, bound, body, unroll=True):
        head = "for (int %s = 0; %s < %s; %s) {" % (
            var, var, bound, self.dice.pick(["++" + var, var + "++"]))
        return (self._unroll() if unroll else []) + [head] + body + ["}"]

    def _around_features(self, body):
        for kind, var in (("G", "g"), ("F", "f")):
            if kind in self.kernel.geometry.axes:
                body = self._over(var, self.kernel.geometry.axes[kind].text, body)
        return body

    def _around_outputs(self, body):
        for axis in reversed(self.kernel.geometry.outputs):
            if axis.per_thread > 1:
                body = self._over(self.kernel.output_index(axis),
                                  str(axis.per_thread), body)
        return body

    def _accumulate(self, statement):
        """`statement` for each element of the tile and each output."""
        body = self._around_outputs(self._around_features(
            statement if isinstance(statement, list) else [statement]))
        bound = self._bound()
        return self.inner + self._over(self.kk, bound, body)

    # --- forms ------------------------------------------------------------

    def lines(self):
        return getattr(self, "_" + self.form.replace("-", "_"))()

    def _fma(self):
        return self._accumulate("%s += %s;" % (self._sum(), self.term(self.kk)))

    def _place(self):
        """The number of the element along K, signed."""
        place = plus(self.loop.kpos, self.kk)
        return place if self.dice.chance(0.3) else "(int)" + par(place)

    def _loop_variable(self):
        weight = "(%s %% 5)" % par(self._place())
        return self._accumulate("%s += %s * %s;" % (
            self._sum(), par(self.term(self.kk)), weight))

    def _causal(self):
        row = self.kernel.global_output(self.kernel.geometry.outputs[0])
        return self._accumulate([
            "if ((int)(%s) <= %s)" % (plus(self.loop.kpos, self.kk), row),
            "%s += %s;" % (self._sum(), self.term(self.kk))])

    def _scalar_helper(self):
        kind = self.kernel.sum_type
        name = self.kernel.top_names.fresh(["mad", "accumulate", "step"])
        self.kernel.helpers.append([
            "__device__ __forceinline__ %s %s(%s sum, %s term)" % (
                kind, name, kind, kind) + " {",
            "return sum + term;", "}"])
        return self._accumulate("%s = %s(%s, %s);" % (
            self._sum(), name, self._sum(), self.term(self.kk)))

    def _partial(self):
        part = self.names.fresh(["part", "partial", "local_sum"])
        body = self._around_features(["%s += %s;" % (part, self.term(self.kk))])
        bound = self._bound()
        return part, self.inner + ["%s %s = 0;" % (self.kernel.sum_type, part)] \
            + self._over(self.kk, bound, body)

    def _shuffle(self):
        part, lines = self._partial()
        lane = self.dice.pick(["1", "2", "16"])
        return lines + ["%s += __shfl_xor_sync(0xffffffffu, %s, %s);" % (
            part, part, lane), "%s += %s;" % (self._sum(), part)]

    def _scratch(self):
        """A shared array of its own, with its own barrier."""
        part, lines = self._partial()
        red = self.kernel.shared_scratch()
        tid, barrier = self.kernel.tid(), self.kernel.barrier()
        after = [barrier] if self.dice.chance(0.4) else []
        return lines + ["%s[%s] = %s;" % (red, tid, part), barrier,
                        "%s += %s[%s ^ 1];" % (self._sum(), red, tid)] + after

    def _store(self):
        """Every tile's sum goes out as well; nothing may alias."""
        trace = self.kernel.trace()
        row = self.kernel.global_output(self.kernel.geometry.outputs[0])
        axis = self.kernel.geometry.outputs[0]
        count = self.kernel.tile_count_text()
        store = "%s[%s * %s + %s] = %s;" % (trace, par(row), par(count),
                                           self.loop.tile_number, self._sum())
        guard = ["if (%s < %s)" % (row, axis.extent)] if axis.guarded else []
        return self._fma() + guard + [store]

    def _load_scalar(self):
        """A number that is loaded beside the tile."""
        name = self.names.fresh(["weight", "w_t", "gain"])
        table = self.kernel.per_tile_table()
        self.kernel.symbols[name] = ("float", "")
        self.load_lines.append("const float %s = %s[%s];" % (
            name, table, self.loop.tile_number))
        return self._accumulate("%s += %s * %s;" % (
            self._sum(), par(self.term(self.kk)), name))

    def _global(self):
        """A global load that stays in the compute phase."""
        table = self.kernel.per_element_table()
        place = plus(self.loop.kpos, self.kk)
        line = "%s += %s * %s[%s];" % (self._sum(), par(self.term(self.kk)),
                                      table, place)
        if not self.kernel.geometry.axes["K"].guarded:
            return self._accumulate(line)
        return self._accumulate(["if (%s < %s)" % (place, self.loop.extent), line])

    def _branches(self):
        value = self.names.fresh(["v", "x_k", "cur"])
        return self._accumulate([
            "const %s %s = %s;" % (self.kernel.sum_type, value, self.term(self.kk)),
            "if (%s > 0)" % value, "%s += %s;" % (self._sum(), value),
            "else", "%s -= %s / 2;" % (self._sum(), value)])

    def _inner_continue(self):
        value = self.names.fresh(["v", "x_k", "cur"])
        return self._accumulate([
            "const %s %s = %s;" % (self.kernel.sum_type, value, self.term(self.kk)),
            "if (%s < 1)" % value, "continue;",
            "%s += %s;" % (self._sum(), value)])

    def _inner_break(self):
        bound = ["if (%s >= %s)" % (plus(self.loop.kpos, self.kk),
                                    self.loop.extent), "break;"]
        body = self._around_features(["%s += %s;" % (self._sum(),
                                                     self.term(self.kk))])
        return self._over(self.kk, self.kernel.geometry.axes["K"].text,
                          bound + body, False)

    def _maximum(self):
        value = self.names.fresh(["v", "x_k", "cur"])
        return self._accumulate([
            "const %s %s = %s;" % (self.kernel.sum_type, value, self.term(self.kk)),
            "%s = %s > %s ? %s : %s;" % (self._sum(), value, self._sum(), value,
                                        self._sum())])

    def _by_fours(self):
        lines = []
        for lane in range(4):
            lines += self._around_features(["%s += %s;" % (
                self._sum(), self.term(plus(self.kk, str(lane))))])
        text = self.kernel.geometry.axes["K"].text
        return ["for (int %s = 0; %s < %s; %s += 4) {" % (
            self.kk, self.kk, text, self.kk)] + lines + ["}"]

    def _fragments(self):
        """Rows and columns into registers, then the outer product."""
        bound, lines, parts = self._bound(), [], []
        kind = self.kernel.sum_type
        for stream in self.kernel.streams:
            axis = next(a for a in stream.axes if a.kind in "MN")
            index = self.kernel.output_index(axis)
            frag = self.names.fresh(["ra" if axis.kind == "M" else "rb",
                                     "frag" + axis.kind.lower()])
            value = stream.element.value.format(
                self.kernel.tile_cell(stream, self._coords(self.kk)))
            if axis.per_thread == 1:
                parts.append(value)
                continue
            parts.append("%s[%s]" % (frag, index))
            if self._wide_read(stream, axis):
                lines += self._read_four(stream, axis, frag)
                continue
            lines += ["%s %s[%d];" % (kind, frag, axis.per_thread)]
            lines += self._over(index, str(axis.per_thread),
                                ["%s[%s] = %s;" % (frag, index, value)])
        body = lines + self._around_outputs(
            ["%s += %s * %s;" % (self._sum(), parts[0], parts[1])])
        return self.inner + self._over(self.kk, bound, body)

    def _wide_read(self, stream, axis):
        """Four neighbours of an aligned row can be read as a float4."""
        row = stream.tile_axes[-1].size + stream.pad
        return stream.aligned and stream.tile_axes[-1] is axis and \
            stream.element.tile == "float" and self.kernel.sum_type == "float" \
            and axis.per_thread % 4 == 0 and row % 4 == 0 and \
            self.dice.chance(0.7)

    def _read_four(self, stream, axis, frag):
        self.dice.note("compute", "wide-read")
        first, lines = self.kernel.first_output(axis), []
        for four in range(0, axis.per_thread, 4):
            coords = dict(self._coords(self.kk))
            coords[axis.kind] = plus(first, str(four))
            name = self.names.fresh(["q0", "q1", "q2", "q3"])
            lines.append("const float4 %s = *reinterpret_cast<const float4 *>(&%s);"
                         % (name, self.kernel.tile_cell(stream, coords)))
            lines.append(name)
        parts = ["%s.%s" % (q, c) for q in lines[1::2] for c in "xyzw"]
        return lines[::2] + ["const float %s[%d] = {%s};" % (
            frag, axis.per_thread, ", ".join(parts))]
