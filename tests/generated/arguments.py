"""What a template's parameters decide inside a tile loop.

Each function below makes one thing of a program depend on a template parameter: a type,
a number, a functor. It gives back a Parameter with the arguments that leave the program
legal and those that do not: a reference that ties two variables together, volatile, a
functor or an operator that stores where the loads read. None: it does not fit. What the
text says is the same for all arguments."""
import re
from dataclasses import dataclass, field

from hazards import same_type_source, shift_loads, sum_of
from text import words

FEATURES = []


@dataclass
class Parameter:
    name: str
    kind: str                  # class or int
    good: list
    bad: list = field(default_factory=list)       # (argument, label)
    word: str = ""             # the word of the text that becomes the parameter
    restrained: bool = False   # the tool may refuse what no instantiation does
    origin: str = ""           # which of the functions below made it
    exposed: bool = True       # a parameter of the kernel, not an argument in its text


def feature(function):
    FEATURES.append(function)
    return function


# --- what they share ---------------------------------------------------------


def vectors_in(kernel):
    """Memory is read or written as vectors: the element type is in the text twice."""
    return any(s.form != "elements" or s.element.name in (
        "half", "half-to-float", "bf16-to-float", "float2", "float4", "struct", "pair",
        "float-squared", "int8-scaled") for s in kernel.streams) or \
        "wide-read" in kernel.dice.features.get("compute", []) or \
        "shuffle" in kernel.dice.features.get("compute", [])


def support(kernel, names, lines):
    """A function or a class at file scope; `%s` is its name."""
    name = kernel.top_names.fresh(names)
    kernel.tops.append([line.replace("%s", name) for line in lines])
    return name


def free_source(templates, same_type=False):
    """A source that nothing else has made its own, to be reached in compute."""
    kernel = templates.kernel
    stream = same_type_source(kernel)
    if not stream and not same_type:
        stream = next((s for s in kernel.streams if s.element.source in (
            "float", "double", "int", "unsigned")), None)
    if not stream or stream.source in templates.taken or stream.ldg or \
            kernel.helper_load:
        return None
    return stream


def reach(templates, stream):
    """The source may be stored to, as far as its declaration goes."""
    kernel = templates.kernel
    templates.taken.add(stream.source)
    templates.program.stored_sources.add(stream.source)
    const = "const " + stream.element.source + " *"
    # pointers into it are declared by name, and were so before
    for lines in (templates.program.batch_lines, templates.loop.pre):
        for number, line in enumerate(lines):
            if line.startswith(const) and stream.source in words(line):
                lines[number] = line[6:]


MOVERS = [
    # by a function's parameter
    (["template <class R, class V>",
      "__device__ int %s(R place, V by) {", "place += by;", "return place & 1;", "}"],
     lambda name, kind, fresh, place, by, total: [
         "%s += %s<%s>(%s, %s);" % (total, name, kind, place, by)]),
    # by a member
    (["template <class R>", "struct %s {", "R place;",
      "__device__ void by(int v) { place += v; }", "};"],
     lambda name, kind, fresh, place, by, total: [
         "%s<%s> %s = {%s};" % (name, kind, fresh, place),
         "%s.by(%s);" % (fresh, by)]),
    # by a local
    (None, lambda name, kind, fresh, place, by, total: [
        "%s %s = %s;" % (kind, fresh, place), "%s += %s;" % (fresh, by),
        "%s += %s & 1;" % (total, fresh)]),
    # by a class that a trait hands on
    (["template <class R>", "struct %s {", "using type = R;", "type place;",
      "__device__ explicit %s(type p) : place(p) {}",
      "template <class V> __device__ %s &operator+=(V v) {", "place += v;",
      "return *this;", "}", "};"],
     lambda name, kind, fresh, place, by, total: [
         "%s<%s> %s(%s);" % (name, kind, fresh, place), "%s += %s;" % (fresh, by)]),
]


def move(templates, kind, place, by):
    """Statements that add to `place`, or to a copy of it, as type `kind` says."""
    kernel = templates.kernel
    lines, use = kernel.dice.pick(MOVERS)
    name = support(kernel, ["moved", "Mover", "advance", "Step"], lines) if lines else ""
    fresh = kernel.names.fresh(["walker", "held", "other_place"])
    return use(name, kind, fresh, place, by, sum_of(kernel))


# --- types -----------------------------------------------------------------------


def value_type(templates):
    """The element type itself; of everything in the kernel."""
    kernel = templates.kernel
    word = next((s.element.tile for s in kernel.streams
                 if s.element.tile in ("float", "double")), None)
    if not word or any(helper[0].startswith("#") for helper in kernel.helpers):
        return None
    name = kernel.names.fresh(["T", "Real", "value_t"])
    good, bad = [word], []
    if not vectors_in(kernel):
        other = {"float": "double", "double": "float"}[word]
        small = sum(s.shared_bytes() for s in kernel.streams) <= 9000
        # all instantiations have the one dynamic array, of one type
        if kernel.tile_place != "dynamic" and (small or word == "double"):
            good.append(other)
        if kernel.tile_place != "dynamic":
            bad.append(("volatile " + word, "illegal:PL2009"))
    return Parameter(name, "class", good, bad, word=word)


@feature
def source_type(templates):
    """What a source holds: const, as no register may be."""
    kernel, loop = templates.kernel, templates.loop
    stream = kernel.dice.pick(kernel.streams)
    word = stream.element.source
    if stream.form != "elements" or stream.ldg or kernel.helper_load or \
            stream.source in templates.taken or " " in word or \
            not stream.element.plain or word not in ("float", "double", "int"):
        return None
    templates.taken.add(stream.source)
    name = kernel.names.fresh(["In", "Src", "source_t"])
    for parameter in kernel.parameters:
        if parameter.name == stream.source:
            parameter.type = name + " *"
    for lines in (templates.program.batch_lines, loop.pre):
        for number, line in enumerate(lines):
            if line.startswith(kernel.pointer_type(stream)) and \
                    stream.source in words(line):
                lines[number] = re.sub(r"\b%s\b" % word, name, line, count=1)
    for number, line in enumerate(loop.load):
        found = re.match(r"(?:const )?%s (\w+) = (.*)$" % re.escape(word), line)
        if found and not any(re.match(r"%s [-+]?= " % found.group(1), other)
                             for other in loop.load) and stream.pointer in line:
            loop.load[number] = "%s %s = %s" % (name, found.group(1), found.group(2))
    return Parameter(name, "class", ["const " + word, "const " + word, word],
                     [("volatile " + word, "illegal:PL2009"),
                      ("const volatile " + word, "illegal:PL2009")])


@feature
def moved_load(templates):
    """A variable of the loads' address, or a copy of it, is changed by compute."""
    kernel, loop = templates.kernel, templates.loop
    if kernel.helper_load:
        return None
    shift = kernel.names.fresh(["shift", "skip", "jump"])
    if not shift_loads(kernel, loop, shift):
        return None
    name = kernel.names.fresh(["Ref", "Place", "I"])
    loop.pre.append("int %s = 0;" % shift)
    loop.compute += move(templates, name, shift, "(int)(%s > 1000)" % sum_of(kernel))
    return Parameter(name, "class", ["int", "int", "long long"],
                     [("int &", "illegal:PL4001|PL3009|PL4004")])


@feature
def moved_limit(templates):
    """So is the end of the loop."""
    kernel, loop = templates.kernel, templates.loop
    found = re.match(r"(\w+) (<|<=) (\w+)$", loop.loop.cond)
    if not found or loop.loop.symbols.get(found.group(1)) != "int":
        return None
    limit = kernel.names.fresh(["limit", "last", "my_end"])
    loop.pre.append("int %s = %s;" % (limit, found.group(3)))
    loop.loop.cond = "%s %s %s" % (found.group(1), found.group(2), limit)
    name = kernel.names.fresh(["Ref", "Place", "I"])
    loop.compute += move(templates, name, limit, "-(int)(%s > 100000)" % sum_of(kernel))
    return Parameter(name, "class", ["int"],
                     [("int &", "illegal:PL2001|PL2002|PL2005|PL4001|PL3009|PL4004")])


@feature
def put_source(templates):
    """A cell of a source, or a copy of it, is set in compute."""
    kernel, stream = templates.kernel, free_source(templates, True)
    if not stream or stream.pointer != stream.source or stream.advance == "bump":
        return None
    reach(templates, stream)
    word = stream.element.source
    name = kernel.names.fresh(["Cell", "Ref2", "R"])
    total, cell = sum_of(kernel), stream.source + "[0]"
    how = kernel.dice.pick(["function", "local", "member"])
    if how == "function":
        put = support(kernel, ["put", "assign"], [
            "template <class R, class V>",
            "__device__ void %s(R place, V v) { place = v; }"])
        lines = ["%s<%s>(%s, %s);" % (put, name, cell, total)]
    elif how == "local":
        place = kernel.names.fresh(["cell_", "spot"])
        lines = ["%s %s = %s;" % (name, place, cell), "%s = %s;" % (place, total)]
    else:
        holder = support(kernel, ["Holder", "Slot"], [
            "template <class R>", "struct %s {", "R place;",
            "template <class V> __device__ void operator()(V v) { place = v; }", "};"])
        lines = ["%s<%s>{%s}(%s);" % (holder, name, cell, total)]
    templates.loop.compute += lines
    return Parameter(name, "class", [word], [(word + " &", "illegal:PL4002|PL4003")])


# --- flags -------------------------------------------------------------------------


def add_typed_pointer(kernel, names, kind, argument, stores):
    name = kernel.names.fresh(names)
    kernel.add_parameter(name, "int *", argument, stores)
    kernel.parameters[-1].type = kind + " *"
    return name


@feature
def flag(templates):
    """A number in memory that compute, or the load phase, looks at."""
    kernel, loop = templates.kernel, templates.loop
    name = kernel.names.fresh(["Flag", "State", "flag_t"])
    where = add_typed_pointer(kernel, ["ready", "flag", "status"], name, "in [1]", False)
    if kernel.dice.chance(0.7) or kernel.helper_compute:
        loop.compute.append("%s += *%s;" % (sum_of(kernel), where))
    else:
        seen = kernel.names.fresh(["seen", "now"])
        loop.load.insert(0, "const int %s = *%s;" % (seen, where))
        loop.compute.append("%s += %s;" % (sum_of(kernel), seen))
    return Parameter(name, "class", ["int", "const int", "short"],
                     [("volatile int", "illegal:PL2009"),
                      ("const volatile int", "illegal:PL2009")])


@feature
def progress(templates):
    """A counter in memory that says how far the block has come."""
    kernel, loop = templates.kernel, templates.loop
    if not loop.loop.tile_number or templates.program.never_restrict:
        return None
    name = kernel.names.fresh(["Counter", "Count", "progress_t"])
    blocks = " * ".join("(%s)" % g for g in templates.program._grid())
    where = add_typed_pointer(kernel, ["progress", "reached"], name,
                              "inout [%s]" % blocks, True)
    kernel.style_restrict = True
    loop.compute += ["if (%s == 0)" % kernel.tid(),
                     "%s[blockIdx.y * gridDim.x + blockIdx.x] = (int)(%s);" % (
                         where, loop.loop.tile_number)]
    return Parameter(name, "class", ["int", "unsigned", "float"],
                     [("volatile int", "illegal:PL2009")])


# --- functors -----------------------------------------------------------------------


SUMS = {
    "Add": ["sum += v;"],
    "AddTwice": ["sum += v;", "sum += v;"],
    "Keep": ["const S before = sum;", "sum = before + v;"],
}
BAD_SUMS = {
    "Logging": (["sum += v;", "*at = sum;"], "illegal:PL4002|PL4003"),
    "Fencing": (["sum += v;", "__threadfence();"], "illegal:PL2009"),
    "Racing": (["sum += v;", "*(volatile P *)at;"], "illegal:PL2009"),
    "Counting": (["sum += v;", "atomicAdd(at, 1);"], "illegal:PL4002|PL4003|PL2009"),
}
CALLS = {
    "static": ("template <class S, class V, class P> __device__ static void add("
               "S &sum, V v, P *at) {%s}", "%(op)s::add(%(sum)s, %(term)s, %(at)s);"),
    "object": ("template <class S, class V, class P> __device__ void operator()("
               "S &sum, V v, P *at) const {%s}", "%(op)s()(%(sum)s, %(term)s, %(at)s);"),
    "braces": ("template <class S, class V, class P> __device__ void operator()("
               "S &sum, V v, P *at) const {%s}", "%(op)s{}(%(sum)s, %(term)s, %(at)s);"),
}


def functor_class(kernel, name, head, body):
    first, last = head.split("%s")
    return support(kernel, [name], ["struct %s {", first] + body + [last, "};"])


@feature
def accumulate(templates):
    """How a term is added to the sum; the functor knows where the terms are from."""
    kernel, loop = templates.kernel, templates.loop
    stream = free_source(templates)
    pattern = r"(%s(?:\[\w+\])*) \+= ([^?=<>]*);$" % re.escape(kernel.acc)
    found = [n for n, line in enumerate(loop.compute) if re.match(pattern, line)]
    if not found or not stream:
        return None
    reach(templates, stream)
    head, call = CALLS[kernel.dice.pick(list(CALLS))]
    name = kernel.names.fresh(["Op", "Reduce", "Acc"])
    for number in found[:2]:
        total, term = re.match(pattern, loop.compute[number]).groups()
        loop.compute[number] = call % dict(op=name, sum=total, term=term,
                                           at=stream.source)
    good = [functor_class(kernel, n, head, SUMS[n])
            for n in kernel.dice.random.sample(sorted(SUMS), 2)]
    which = sorted(BAD_SUMS)
    if stream.element.source == "double":
        which.remove("Counting")
    chosen = kernel.dice.pick(which)
    body, label = BAD_SUMS[chosen]
    return Parameter(name, "class", good,
                     [(functor_class(kernel, chosen, head, body), label)])


LOADS = {"Plain": ["return p[i];"], "Cast": ["const V v = p[i];", "return v;"],
         "Offset": ["return *(p + i);"]}
BAD_LOADS = {"Fresh": ["return *(const volatile V *)(p + i);"],
             "Fenced": ["__threadfence();", "return p[i];"]}


def after_bracket(text, begin):
    """The place behind the bracket that closes the one at `begin`."""
    depth = 0
    for place in range(begin, len(text)):
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return -1


@feature
def loader(templates):
    """How an element is read."""
    kernel, loop = templates.kernel, templates.loop
    stream = kernel.dice.pick(kernel.streams)
    if stream.form != "elements" or stream.ldg or kernel.helper_load:
        return None
    name, done = kernel.names.fresh(["Load", "Loader", "Fetch"]), False
    static = kernel.dice.chance(0.5)
    for number, line in enumerate(loop.load):
        spot = re.search(r"(?<![\w&])%s\[" % re.escape(stream.pointer), line)
        end = after_bracket(line, spot.end() - 1) if spot else -1
        if end > 0:
            call = "%s%s(%s, %s)" % (name, "::get" if static else "()", stream.pointer,
                                     line[spot.end():end - 1])
            loop.load[number], done = line[:spot.start()] + call + line[end:], True
    if not done:
        return None
    templates.taken.add(stream.source)
    if static:
        head = "template <class V, class I> __device__ static V get(const V *p, I i) {%s}"
    else:
        head = "template <class V, class I> __device__ V operator()(const V *p, I i) " \
               "const {%s}"
    good = [functor_class(kernel, n, head, LOADS[n])
            for n in kernel.dice.random.sample(sorted(LOADS), 2)]
    chosen = kernel.dice.pick(sorted(BAD_LOADS))
    return Parameter(name, "class", good, [(functor_class(
        kernel, chosen, head, BAD_LOADS[chosen]), "illegal:PL2009")])


def number_class(kernel, name, operator, body):
    return support(kernel, [name], [
        "template <class P>", "struct %s {", "P *at;", "float v;",
        "__device__ explicit %s(P *p) : at(p), v(0) {}",
        "template <class V> __device__ %s &operator" + operator + "(V x) {"] + body + [
            "return *this;", "}", "__device__ float value() const { return v; }", "};"])


@feature
def number(templates):
    """A class of numbers with operators."""
    kernel, loop, program = templates.kernel, templates.loop, templates.program
    stream = free_source(templates)
    if not stream:
        return None
    reach(templates, stream)
    word, operator = stream.element.source, kernel.dice.pick(["+=", "=", "<<"])
    name = kernel.names.fresh(["Num", "Tally", "Number_"])
    tally = kernel.names.fresh(["tally", "side_sum"])
    loop.pre.append("%s %s(%s);" % (name, tally, stream.source))
    loop.compute.append("%s %s %s;" % (tally, operator, sum_of(kernel)))
    program.after.insert(0, "%s += (int)%s.value() & 7;" % (sum_of(kernel), tally))
    update = "v = x;" if operator == "=" else "v += x;"
    good = number_class(kernel, "Sum", operator, [update])
    how = kernel.dice.pick(["mirror", "fence", "lazy"])
    extra, label = {"mirror": (["*at = v;"], "illegal:PL4002|PL4003"),
                    "lazy": (["if (v > 1000)", "at[1] = 0;"], "illegal:PL4002|PL4003"),
                    "fence": (["__threadfence_block();"], "illegal:PL2009")}[how]
    bad = number_class(kernel, "Mirror", operator, [update] + extra)
    return Parameter(name, "class", ["%s<%s>" % (good, word)],
                     [("%s<%s>" % (bad, word), label)])


# --- numbers ------------------------------------------------------------------------


@feature
def mode(templates):
    """`if constexpr`: one of the arms is a hazard. Where no instantiation in sight takes
    it, one elsewhere may: the text is the same."""
    kernel, loop = templates.kernel, templates.loop
    name, total = kernel.names.fresh(["MODE", "Mode", "kMode"]), sum_of(kernel)
    how = kernel.dice.pick(["fence", "store", "shift", "break", "load-fence"])
    where = loop.load if how == "load-fence" else loop.compute
    stream = free_source(templates)
    bad, label = ["__threadfence();"], "illegal:PL2009"
    if how == "store" and stream:
        reach(templates, stream)
        bad, label = ["%s[0] = %s;" % (stream.source, total)], "illegal:PL4002|PL4003"
    elif how == "shift" and not kernel.helper_load:
        shift = kernel.names.fresh(["shift", "skip", "jump"])
        if shift_loads(kernel, loop, shift):
            loop.pre.append("int %s = 0;" % shift)
            bad, label = ["%s = %s > 1000;" % (shift, total)], "illegal:PL4001"
    elif how == "break":
        bad, label = ["if (%s > 1000)" % total, "break;"], "illegal:PL2003|PL2006"
    other = ["%s += 1;" % total] if where is loop.compute else []
    where += ["if constexpr (%s == 2) {" % name] + bad + [
        "} else if constexpr (%s == 1) {" % name] + other + ["}"]
    return Parameter(name, "int", ["0", "1", "3"], [("2", label)],
                     restrained=True)


@feature
def spare(templates):
    """Shared memory beside the tiles; of one size two stages do not fit."""
    kernel, loop = templates.kernel, templates.loop
    tiles = sum(s.shared_bytes() for s in kernel.streams)
    if kernel.tile_place == "dynamic":
        return None
    name = kernel.names.fresh(["SPARE", "kSpare", "EXTRA"])
    array, tid = kernel.names.fresh(["spare", "side"]), kernel.tid()
    kernel.shared.append("__shared__ int %s[%s];" % (array, name))
    loop.compute += ["if (%s < 8) {" % tid, "%s[%s] = (int)%s & 7;" % (
        array, tid, sum_of(kernel)), "%s += %s[%s];" % (sum_of(kernel), array, tid), "}"]
    beside = 4 * kernel.threads * 8 + 256      # what other arrays may take
    full = (49152 - tiles - beside) // 4
    bad = [(str(full), "either:PL5001:one-stage")] if tiles > beside else []
    return Parameter(name, "int", ["8", "32", "33"], bad)
