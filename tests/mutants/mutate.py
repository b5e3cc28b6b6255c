"""What can go wrong in an emitted pipeline, as edits of its text.

The emitted text is known by its sections (sections.py): the marker line, `// Prologue:`,
`// Main loop:` and `// Epilogue:`, and by its indentation. A mutation takes one
emitted loop and gives the lines of the whole file with one thing wrong.

    staged       if (more) { prologue; barrier; for (...) { ... } epilogue }
                 ldg, ldg-single, and cp.async where the block votes
    multistage   prologue loop; for (...) { wait; barrier; issue; compute }; drain
                 cp.async; pipeline, whose waits name no number and which drains
                 nothing
    block        by a pipeline of the block: mutate_block.py
    roles        in which other threads load: mutate_roles.py
    met          prologue loop; for (...) { meet; issue; compute }: barrier, where one
                 object is the wait and the barrier
"""
import re

import braces
import functions
import literal
import mutate_block
import mutate_roles
import sections

MARKER = re.compile(r"\s*// pipelinify: (ldg|ldg-single|cp\.async|pipeline[\w-]*|barrier|bulk), "
                    r"(\d+) stages?, source \w+")
BARRIER = re.compile(r"(__syncthreads\s*\(\)|(\w+::)*sync\(\w+\)"
                     r"|[\w:]+(\(\))?\.sync\(\)"
                     r"|[A-Z_]*(BARRIER|SYNC)[A-Z_]*\(\))\s*;$")
# A barrier that answers for the block, as a statement that keeps its answer.
VOTE = re.compile(r"(?:[\w ]+ )?\w+ = .*\b__syncthreads_(?:and|or|count)\(")
# A lambda, a method or a macro that is a barrier and nothing else.
NAMED = re.compile(r"(?:\b(\w+) = \[[&=]?\]|\b(\w+)\(\)(?: const)?"
                   r"|#define (\w+)\(\) do) "
                   r"\{ (?:__syncthreads|[\w.:]+sync)\(\w*\); \}")
STEP = re.compile(r"((\+\+|--)\w+|\w+(\+\+|--)|\w+ [-+*/]?= [^=].*);$")
COMMIT = re.compile(r"__pipeline_commit\(\);|\w+\.producer_commit\(\);")
WAIT = re.compile(r"(?:(?:__pipeline_wait_prior\(|cuda::pipeline_consumer_wait_prior<)(\d+)[)>]"
                  r"(?:\(\w+\))?|\w+\.consumer_wait\(\));$")
MEET = re.compile(r"(\w+)\[(\w+)\]\.arrive_and_wait\(\);$")
BIND = re.compile(r"__pipeline_arrive_on\(")
COPY = re.compile(r"__pipeline_memcpy_async|cuda::memcpy_async")
DIGRAPHS = {r"<%": "{", r"%>": "}", r"<:(?!:[^:>])": "[", r":>": "]"}
COMMENT = re.compile(r"\s*(/\*.*\*/)?\s*(//.*|/\*.*\*/)\s*$")


class NotFound(Exception):
    """A section is not where the emitted text should have it."""


def code_of(line):
    """The line without blanks and the comment at its end."""
    return COMMENT.sub("", line).strip()


def is_directive(line):
    """Whether it stands where its owner put it, at any indentation."""
    return line.lstrip().startswith("#")


def continued(lines):
    """The lines that begin inside of a string literal."""
    inside, raw = set(), False
    for i, line in enumerate(lines):
        if raw or (i and lines[i - 1].endswith("\\")):
            inside.add(i)
        for mark in re.findall(r'R"\(|\)"', line):
            raw = mark == 'R"('
    return inside


class Loop:
    """One emitted loop: where its sections stand among the file's lines."""

    def __init__(self, lines, begin):
        kind = MARKER.match(lines[begin])
        self.lines = lines
        self.inside = continued(lines)
        self.named = {name for line in lines
                      for found in NAMED.findall(line)
                      for name in found if name}
        self.variant = kind.group(1)
        self.stages = int(kind.group(2))
        self.begin = begin + 1
        self.end = self.block_end(begin + 1)
        self.has_roles = self.variant == mutate_roles.VARIANT
        if not self.has_roles:
            self.find_sections(lines, begin)

    def find_sections(self, lines, begin):
        self.is_async = self.variant.startswith(("cp.async", "pipeline", "barrier", "bulk"))
        self.of_block = self.variant in mutate_block.VARIANTS
        self.drains = self.variant not in ("pipeline", "barrier", "bulk")
        self.single = self.variant == "ldg-single"
        self.mixed = any("// Main loop: copy or fetch" in line
                         for line in lines[begin:self.block_end(begin + 1)])
        self.main = self.find_main()
        self.prologue = self.find("// Prologue:", self.begin) \
            if self.variant != "pipeline-unified" else self.main
        self.multistage = "start copying" in lines[self.prologue]
        self.epilogue = self.find("// Epilogue:", self.main) if self.drains \
            else self.end
        self.level = self.indent(self.prologue)
        self.header = self.find_header()
        self.header_end = self.block_end(self.header)
        self.epilogue = self.epilogue if self.drains \
            else min(self.epilogue, self.header_end + 1)
        self.inner = min(self.indent(i) for i in self.body()
                         if code_of(lines[i]) and not is_directive(lines[i]))
        self.stage = self.stage_name()

    def indent(self, i):
        while i in self.inside:
            i -= 1
        line = self.lines[i]
        return len(line) - len(line.lstrip(" \t"))

    def find(self, word, start):
        for i in range(start, self.end):
            if self.lines[i].strip().startswith(word):
                return i
        raise NotFound(word)

    def find_main(self):
        """The line above the main loop: the unified form begins with it."""
        if self.variant != "pipeline-unified":
            return self.find("// Main loop:", self.begin)
        return self.find("int load_stage = 0, begun = 0;", self.begin)

    def find_header(self):
        for i in range(self.main, self.epilogue):
            if (self.indent(i) == self.level and re.match(
                    r"(for|while) \(|do \{", self.lines[i].strip())):
                return i
        raise NotFound("the main loop")

    def block_end(self, i):
        """The line that closes the block that line `i` opens or heads."""
        for k in range(i + 1, len(self.lines)):
            if (self.indent(k) == self.indent(i)
                    and self.lines[k].strip().startswith("}")):
                return k
        raise NotFound("the end of a block")

    def body(self):
        """The lines of the main loop's body."""
        first = self.header + 1
        if (self.lines[first].strip() == "{"
                and self.indent(first) == self.level):
            first += 1
        return range(first, self.header_end)

    def stage_name(self):
        """Where the text behind the loop uses the stage, it is declared above the
        marker."""
        above = self.main - self.of_block
        for i in (*range(above, self.header), self.begin - 2):
            found = re.match(r"\s*int (stage\d*) = 0;$", self.lines[i])
            if found:
                return found.group(1)
        return None

    def is_barrier(self, i):
        code = code_of(self.lines[i])
        named = re.match(r"(?:\w+\.)*(\w+)\(\)\s*;$", code)
        return (BARRIER.match(code) is not None or VOTE.match(code) is not None
                or named is not None and named.group(1) in self.named)

    def barriers(self, first, last, level=None):
        return [i for i in range(first, last) if self.is_barrier(i)
                and (level is None or self.indent(i) == level)]

    def waits(self, first, last):
        return [i for i in range(first, last)
                if WAIT.match(code_of(self.lines[i]))]

    def commits(self, first, last):
        return [i for i in range(first, last)
                if COMMIT.match(code_of(self.lines[i]))]

    def guard_before(self, i, last=None):
        """The first `if (...)` line from `i` on, up to `last`."""
        for k in range(i, last or self.end):
            if self.lines[k].strip().startswith("if ("):
                return k
        raise NotFound("a guard")

    def guard_of_fill(self, i, last):
        """Behind a search for the next tile its question is asked again."""
        search = self.guard_before(i, last)
        again = self.block_end(search) + 1
        same = self.lines[again].strip() == self.lines[search].strip()
        return again if same else search

    def guard_around(self, i):
        """The `if (...)` whose block line `i` stands in; None: a `do` loop has
        a first tile in any case, and no guard."""
        for k in range(i - 1, self.begin, -1):
            if (self.indent(k) < self.indent(i)
                    and self.lines[k].strip().startswith("if (")
                    and self.block_end(k) > i):
                return k
        return None

    # ---- edits: each gives the lines of a whole file -----------------------

    def without(self, *dropped):
        return [line for i, line in enumerate(self.lines) if i not in dropped]

    def without_barrier(self, i):
        """Of a vote each thread's own answer is left."""
        line = self.lines[i]
        if not VOTE.match(code_of(line)):
            return self.without(i)
        return self.with_text({i: re.sub(r"\b__syncthreads_(and|or|count)\(", "bool(", line)})

    def with_text(self, changes):
        return [changes.get(i, line) for i, line in enumerate(self.lines)]

    def moved(self, first, last, behind):
        """Lines first..last-1 put behind the line `behind`."""
        lines = self.lines
        part = lines[first:last]
        if behind >= last:
            return lines[:first] + lines[last:behind + 1] + part + lines[behind + 1:]
        return lines[:behind + 1] + part + lines[behind + 1:first] + lines[last:]

    def with_pattern(self, first, last, pattern, text):
        """A pattern replaced in some lines; None: it is not there."""
        lines = list(self.lines)
        for i in range(first, last):
            lines[i] = re.sub(pattern, text, lines[i])
        return None if lines == self.lines else lines

    def unguarded(self, i):
        """The `if (...)` at line i taken away, its block kept."""
        if self.lines[i].rstrip().endswith("{"):
            return self.with_text({i: " " * self.indent(i) + "{"})
        return self.without(i)


def loops_of(lines):
    """The emitted loops of a file."""
    return [Loop(lines, i) for i, line in enumerate(lines)
            if MARKER.match(line)]


# ---- mutations that every form has ------------------------------------------


def loosened(loop, i, by):
    number = WAIT.match(code_of(loop.lines[i])).group(1)
    if number is None:
        return None
    count = int(number) + by
    if count < 0:
        return None
    return loop.with_text({i: re.sub(r"prior([(<])\d+", rf"prior\g<1>{count}",
                                     loop.lines[i])})


def declarations(loop):
    """One stage less than the loop uses, for each tile."""
    names = []
    for line in loop.lines[loop.begin:loop.end]:
        for name in re.findall(r"\b(\w+_stage\d*)\[", line):
            if name not in names:
                names.append(name)
    for name in names:
        pattern = rf"\b{name}\[{loop.stages}\]"
        rows = [i for i, line in enumerate(loop.lines[:loop.begin])
                if re.search(pattern, line) and "auto &" not in line]
        if rows:
            yield (f"declaration-{name}", loop.with_pattern(
                rows[-1], rows[-1] + 1, pattern, f"{name}[{loop.stages - 1}]"))


def entry_barrier(loop):
    for i in loop.barriers(loop.begin, loop.prologue):
        yield "entry-barrier-missing", loop.without(i)


def exit_barrier(loop):
    last = [i for i in range(loop.epilogue, loop.end)
            if code_of(loop.lines[i]) not in ("", "}")]
    if last and loop.is_barrier(last[-1]) and (
            loop.indent(last[-1]) == loop.level):
        yield "exit-barrier-missing", loop.without(last[-1])


def kept_barriers(loop, framing):
    """The user's own barriers inside compute. `framing`: those of ours."""
    compute = [i for i in loop.barriers(loop.header, loop.end)
               if i not in framing]
    for n, i in enumerate(compute):
        yield f"kept-barrier-missing-{n + 1}", loop.without_barrier(i)


def stage_start(loop):
    if loop.stage:
        yield "stage-starts-at-1", loop.with_pattern(
            loop.begin - 2, loop.header, rf"int {loop.stage} = 0;",
            f"int {loop.stage} = 1;")


# ---- copies that are made for neighbours -------------------------------------


def joined(loop):
    """(variable, first and last line of its declaration)"""
    for first in range(loop.begin, loop.prologue):
        found = re.match(r"\s*const bool (joined\w*) = ", loop.lines[first])
        if not found:
            continue
        last = first
        while not loop.lines[last].rstrip().endswith(";"):
            last += 1
        yield found.group(1), first, last + 1


def wide(loop):
    """Copies that some iterations make at once."""
    for name, first, last in joined(loop):
        rest = (last, loop.end)
        asked = re.findall(r"(?<!\(size_t\))\b([a-z]\w*) % \d+ == 0",
                           " ".join(loop.lines[first:last]))
        for size in asked:
            yield f"{name}-whatever-{size}", loop.with_pattern(
                first, last, rf"\b{size} % \d+ == 0", "true")
        many = {int(n) for line in loop.lines[last:loop.end]
                for n in re.findall(r"for \([\w ]+ = (\d+) \* ", line)}
        for n in many:
            yield f"{name}-guard-one-short-{n}", loop.with_pattern(
                *rest, rf"(if \(.*) ([+>]) {n - 1}\b", rf"\1 \2 {n - 2}")
            yield f"{name}-start-of-one-{n}", loop.with_pattern(
                *rest, rf"(for \([\w ]+) = {n} \* ", r"\1 = ")
            yield f"{name}-element-missing-{n}", loop.with_pattern(
                *rest, rf"(= 0; \w+) < {n}; \+\+each", rf"\1 < {n - 1}; ++each")
        yield f"{name}-copy-short", loop.with_pattern(
            *rest, r"(__pipeline_memcpy_async\(.*), 16\);", r"\1, 8);")


def zeros(loop):
    """Bytes that a copy makes zeros itself."""
    rest = (loop.begin, loop.end)
    yield "zeros-for-bytes", loop.with_pattern(
        *rest, r"\? 0 : (sizeof\(.*?\)|\d+)\)", r"? \1 : 0)")
    yield "zeros-missing", loop.with_pattern(
        *rest, r"\? 0 : (sizeof\(.*?\)|\d+)\)", "? 0 : 0)")


# ---- searches ----------------------------------------------------------------


def searches(loop):
    """`for (...) { if (skips) continue; more = true; break; }`: the next tile is sought."""
    found = [i for i in range(loop.begin, loop.end - 1)
             if code_of(loop.lines[i]) == "more = true;"
             and code_of(loop.lines[i + 1]) == "break;"]
    for n, i in enumerate(found, 1):
        yield f"search-goes-on-{n}", loop.without(i + 1)
        yield f"search-finds-nothing-{n}", loop.without(i)
        skip = next(k for k in range(i - 1, loop.begin, -1)
                    if code_of(loop.lines[k]).endswith("continue;"))
        yield f"search-skips-none-{n}", loop.with_text(
            {skip: loop.lines[skip].replace("continue;", ";")})
    yield "search-of-another-start", loop.with_pattern(
        loop.begin, loop.end, r"bool more = true;", "bool more = false;")


def padded(loop):
    """Fragments whose rows are said to be as far apart as they were."""
    yield "fragment-rows", loop.with_pattern(
        loop.begin, loop.end, r"(load_matrix_sync\(.*) \+ \d+\);", r"\1);")


# ---- votes -------------------------------------------------------------------


def votes(loop):
    """`voted = __syncthreads_and(...); if (voted) break;`, and `if (!voted) { ... }` around
    what the vote has not ended."""
    asked = [i for i in range(loop.begin, loop.end) if VOTE.match(code_of(loop.lines[i]))]
    names = {found.group(1) for i in range(loop.begin, loop.end) if asked
             for found in [re.match(r"(?:bool )?(voted\w*) = (?!true)", code_of(loop.lines[i]))]
             if found}
    for n, i in enumerate(asked, 1):
        yield f"vote-alone-{n}", loop.without_barrier(i)
        yield f"vote-kept-from-before-{n}", loop.without(i)
        yield f"vote-turned-{n}", loop.with_text({i: re.sub(
            r"(__syncthreads_(?:and|or)\()(.*?)\)", r"\1!(\2))", loop.lines[i], count=1)})
    for name in names:
        guards = [i for i in range(loop.begin, loop.end)
                  if code_of(loop.lines[i]) == f"if (!{name}) {{"]
        for n, i in enumerate(guards, 1):
            yield f"vote-not-asked-{n}", loop.unguarded(i)
        for i in loop.body():
            if code_of(loop.lines[i]) == f"if ({name})":
                yield "vote-ends-nothing", loop.without(i, i + 1)


# ---- staged ------------------------------------------------------------------


class Staged:
    """Where the parts of a staged loop stand."""

    def __init__(self, loop):
        self.guard = loop.guard_around(loop.prologue)
        self.prologue_barrier = loop.barriers(
            loop.prologue, loop.main, loop.level)[-1]
        body = loop.body()
        own = loop.barriers(body.start, body.stop, loop.inner)
        self.loop_barrier = own[-1]
        self.store_barrier = own[-2] if loop.single else None
        self.toggle = next((i for i in body if code_of(loop.lines[i])
                            == f"{loop.stage} ^= 1;"), None)
        self.store = self.find_store(loop)

    def find_store(self, loop):
        """The lines of the store, first and behind the last."""
        if loop.is_async and not loop.mixed:
            return None
        first = (self.store_barrier if loop.single else self.toggle) + 1
        if loop.lines[first].strip() == "{":
            return first, loop.block_end(first) + 1
        last = self.loop_barrier
        while STEP.match(code_of(loop.lines[last - 1])):
            last -= 1
        return first, last

    def framing(self, loop):
        last = [i for name, lines in exit_barrier(loop)
                for i in loop.barriers(loop.epilogue, loop.end)[-1:]]
        return [self.loop_barrier, self.store_barrier, *last]


def staged_barriers(loop, parts):
    yield "prologue-barrier-missing", loop.without_barrier(parts.prologue_barrier)
    yield "loop-barrier-missing", loop.without_barrier(parts.loop_barrier)
    if loop.single:
        yield "store-barrier-missing", loop.without(parts.store_barrier)
    yield from kept_barriers(loop, parts.framing(loop))


def staged_stages(loop, parts):
    """Wrong buffers."""
    if loop.single:
        return
    for n in (0, 1):
        yield f"epilogue-literal-stage-{n}", loop.with_pattern(
            loop.epilogue, loop.end, rf"\[{loop.stage}\]", f"[{n}]")
    yield "toggle-missing", loop.without(parts.toggle)
    if loop.is_async:
        yield "issue-into-the-same-stage", loop.with_pattern(
            loop.header, loop.header_end, rf"\[{loop.stage} \^ 1\]",
            f"[{loop.stage}]")
    else:
        yield "toggle-after-store", loop.moved(
            parts.toggle, parts.toggle + 1, parts.store[1] - 1)


def staged_flow(loop, parts):
    """Guards, cursors, the store."""
    if parts.guard is not None:
        yield "prologue-unguarded", loop.unguarded(parts.guard)
    steps = [i for i in range(loop.prologue, parts.prologue_barrier)
             if loop.indent(i) == loop.level
             and STEP.match(code_of(loop.lines[i]))]
    if steps:
        yield "prologue-advance-missing", loop.without(steps[-1])
    if parts.store:
        first, last = parts.store
        yield "store-missing", loop.without(*range(first, last))
        if loop.mixed:
            yield "store-behind-barrier", loop.moved(first, last,
                                                     parts.loop_barrier)
        trailing = [i for i in range(last, parts.loop_barrier)
                    if STEP.match(code_of(loop.lines[i]))]
        counted = loop.lines[loop.header].strip().startswith("for")
        if trailing and counted:  # a `while` would not end: nothing to see
            yield "loop-advance-missing", loop.without(*trailing)


def staged_async(loop, parts):
    """Commits and waits of the form with two stages."""
    body = loop.body()
    ahead = loop.commits(loop.prologue, loop.main)[0]
    commit = loop.commits(body.start, body.stop)[0]
    yield "prologue-commit-missing", loop.without(ahead)
    yield "loop-commit-missing", loop.without(commit)
    yield "issue-missing", loop.without(*range(body.start, commit))
    for name, wait, barrier in (
            ("prologue", loop.waits(loop.prologue, loop.main)[0],
             parts.prologue_barrier),
            ("loop", loop.waits(body.start, body.stop)[-1],
             parts.loop_barrier)):
        yield f"{name}-wait-missing", loop.without(wait)
        yield f"{name}-wait-one-more", loosened(loop, wait, 1)
        yield f"{name}-barrier-before-wait", loop.moved(wait, wait + 1, barrier)
    yield from guarded_commit(loop, body.start, commit)


def guarded_commit(loop, first, commit):
    """The commit under the first guard of the copies alone, at the end of
    their block, where the guard's names are known."""
    for i in range(first, commit):
        guard = re.match(r"\s*(if \(.*\))( \{)?$", loop.lines[i])
        last = i if not guard else loop.block_end(i) if guard.group(2) else i + 2
        if any(COPY.search(line) for line in loop.lines[i + 1:last]):
            lines = loop.without(commit)
            lines.insert(commit - 1, f"{guard.group(1)} "
                                     f"{code_of(loop.lines[commit])}")
            yield "commit-by-copying-threads", lines
            return


def staged(loop):
    parts = Staged(loop)
    yield from staged_barriers(loop, parts)
    yield from stage_start(loop)
    yield from staged_stages(loop, parts)
    yield from staged_flow(loop, parts)
    if loop.is_async:
        yield from staged_async(loop, parts)


# ---- multistage ------------------------------------------------------------------


class Ahead:
    """Where the parts of a loop stand that several tiles are ahead of."""

    def __init__(self, loop):
        body = loop.body()
        self.ahead = next(i for i in range(loop.prologue, loop.main)
                          if loop.lines[i].strip().startswith("for (int "))
        self.ahead_guard = loop.guard_of_fill(self.ahead, loop.main)
        self.ahead_end = loop.block_end(self.ahead_guard)
        self.update = next(i for i in reversed(body) if code_of(
            loop.lines[i]).startswith((f"{loop.stage} = {loop.stage} == ",
                                       f"{loop.stage} ^= 1;")))


class Multistage(Ahead):
    """... of three stages and more."""

    def __init__(self, loop):
        super().__init__(loop)
        body = loop.body()
        self.ahead_commit = loop.commits(self.ahead_end, loop.main)[0]
        self.wait = loop.waits(body.start, body.stop)[0]
        self.barrier = loop.barriers(self.wait, body.stop,
                                     loop.indent(self.wait))[0]
        self.guard = loop.guard_of_fill(self.barrier, body.stop)
        self.guard_end = loop.block_end(self.guard)
        self.commit = loop.commits(self.guard_end, body.stop)[0]
        self.drain = next(iter(loop.waits(loop.epilogue, loop.end)), None)


def multistage_waits(loop, parts):
    yield "wait-missing", loop.without(parts.wait)
    yield "wait-one-more", loosened(loop, parts.wait, 1)
    yield "wait-one-less", loosened(loop, parts.wait, -1)
    if parts.drain:
        yield "drain-missing", loop.without(parts.drain)
    for name, commit, last in (
            ("prologue", parts.ahead_commit, parts.ahead_end),
            ("loop", parts.commit, parts.guard_end)):
        yield f"{name}-commit-missing", loop.without(commit)
        yield f"{name}-commit-conditional", loop.moved(commit, commit + 1,
                                                       last - 1)


def multistage_barriers(loop, parts):
    yield "loop-barrier-missing", loop.without(parts.barrier)
    yield "barrier-before-wait", loop.moved(parts.wait, parts.wait + 1,
                                            parts.barrier)
    yield "issue-before-barrier", loop.moved(
        parts.barrier, parts.barrier + 1, parts.commit)
    yield "issue-before-wait", loop.moved(
        parts.wait, parts.barrier + 1, parts.commit)
    last = [i for name, lines in exit_barrier(loop)
            for i in loop.barriers(loop.epilogue, loop.end)[-1:]]
    yield from kept_barriers(loop, [parts.barrier, *last])


def multistage_stages(loop, parts):
    """Wrong buffers."""
    stage, stages = loop.stage, loop.stages
    compute = range(parts.commit, loop.header_end)
    for n in (0, stages - 1):
        yield f"literal-stage-{n}", loop.with_pattern(
            compute.start, compute.stop, rf"\[{stage}\]", f"[{n}]")
    yield "stage-update-missing", loop.without(parts.update)
    yield "stage-wraps-late", loop.with_pattern(
        parts.update, parts.update + 1, rf"== {stages - 1} ", f"== {stages} ")
    yield "stage-wraps-early", loop.with_pattern(
        parts.update, parts.update + 1, rf"== {stages - 1} ",
        f"== {stages - 2} ")
    place = (parts.guard, parts.guard_end,
             r"(= )(?:\w+ == 0 \? \d+ : \w+ - 1|\w+ \^ 1);")
    yield "issue-into-the-same-stage", loop.with_pattern(
        *place, rf"\g<1>{stage};")
    if stages > 2:  # of two, the next one is the right one
        yield "issue-into-the-next-stage", loop.with_pattern(
            *place, rf"\g<1>{stage} == {stages - 1} ? 0 : {stage} + 1;")
    yield "issue-into-a-literal-stage", loop.with_pattern(
        *place, rf"\g<1>{stages - 1};")


def multistage_flow(loop, parts):
    """Guards, cursors, the issue."""
    count = (parts.ahead, parts.ahead + 1, rf"< {loop.stages - 1};")
    yield "prologue-one-less", loop.with_pattern(*count,
                                                 f"< {loop.stages - 2};")
    yield "prologue-one-more", loop.with_pattern(*count, f"< {loop.stages};")
    yield "prologue-unguarded", loop.unguarded(parts.ahead_guard)
    yield "issue-unguarded", loop.unguarded(parts.guard)
    yield "issue-missing", loop.without(
        *range(parts.guard, parts.guard_end + 1))
    for name, last in (("prologue", parts.ahead_end),
                       ("loop", parts.guard_end)):
        if STEP.match(code_of(loop.lines[last - 1])):
            yield f"{name}-advance-missing", loop.without(last - 1)


def multistage(loop):
    parts = Multistage(loop)
    yield from multistage_waits(loop, parts)
    yield from multistage_barriers(loop, parts)
    yield from stage_start(loop)
    yield from multistage_stages(loop, parts)
    yield from multistage_flow(loop, parts)
    yield from guarded_commit(loop, parts.guard + 1, parts.commit)


# ---- met -------------------------------------------------------------------------


class Met(Ahead):
    """... whose barriers count."""

    def __init__(self, loop):
        super().__init__(loop)
        body = loop.body()
        self.meet = next(i for i in body if MEET.match(code_of(loop.lines[i])))
        self.guard = loop.guard_of_fill(self.meet, body.stop)
        self.guard_end = self.commit = loop.block_end(self.guard)


def met_waits(loop, parts):
    meet, blank = loop.lines[parts.meet], " " * loop.indent(parts.meet)
    name, stage = MEET.match(code_of(meet)).groups()
    yield "meet-missing", loop.without(parts.meet)
    yield "meet-waits-for-no-copies", loop.with_text(
        {parts.meet: f"{blank}__syncthreads();"})
    yield "meet-of-another-stage", loop.with_text({parts.meet: (
        f"{blank}{name}[{stage} == 0 ? {loop.stages - 1} : {stage} - 1]"
        ".arrive_and_wait();")})
    yield "issue-before-meet", loop.moved(parts.meet, parts.meet + 1,
                                          parts.guard_end)
    for part, first, last in (("prologue", parts.ahead_guard, parts.ahead_end),
                              ("loop", parts.guard, parts.guard_end)):
        binds = [i for i in range(first, last) if BIND.search(loop.lines[i])]
        yield f"{part}-bind-missing", loop.without(*binds)
    yield "counts-one-less", loop.with_pattern(
        0, loop.prologue, r"(init\(&.*blockDim\.z)\);", r"\1 - 1);")
    for text, wrong in (("one-present-less", "present - 1"), (
            "those-that-left", "blockDim.x * blockDim.y * blockDim.z")):
        yield f"counts-{text}", loop.with_pattern(
            0, loop.prologue, r"(init\(&.*, )present\);", rf"\1{wrong});")
    ends = [i for i in range(loop.header_end, loop.end) if "~barrier()" in loop.lines[i]]
    yield "barriers-never-end", loop.without(*(i - k for i in ends for k in (0, 1, 2)))
    yield "counts-one-dimension", loop.with_pattern(
        0, loop.prologue, r"blockDim\.x \* blockDim\.y \* blockDim\.z\);",
        "blockDim.y);")


def met(loop):
    parts = Met(loop)
    yield from met_waits(loop, parts)
    yield from kept_barriers(loop, loop.barriers(loop.epilogue, loop.end)[-1:])
    yield from stage_start(loop)
    yield from multistage_stages(loop, parts)
    yield from multistage_flow(loop, parts)


# ---- bulk copies ----------------------------------------------------------------


def bulk(loop):
    rows = range(loop.prologue, loop.end)
    span = (rows.start, rows.stop)
    yield "fence-missing", loop.without(
        *(i for i in rows if "fence_proxy_async" in loop.lines[i]))
    yield "expect-missing", loop.without(
        *(i for i in rows if "barrier_expect_tx" in loop.lines[i]))
    yield "expect-short", loop.with_pattern(
        *span, r"(barrier_expect_tx\(.*)\);", r"\1 - 16);")
    yield "row-short", loop.with_pattern(
        *span, r"(aligned_size_t<16>\(.*)\), ", r"\1 - 16), ")
    yield "copied-by-all", loop.with_pattern(
        *span, r"if \(threadIdx\.x == 0 && .*\) \{$|if \(threadIdx\.x == 0 && .*\)$",
        lambda found: "{" if found.group().endswith("{") else "")
    yield "edge-not-asked", loop.with_pattern(
        *span, r"full(\d*) = (full\d*|whole\d*) && .*;", r"full\1 = \2;")


# ---- all ----------------------------------------------------------------------------


def mutants_of_loop(loop):
    if loop.has_roles:
        yield from mutate_roles.roles(loop)
        return
    yield from entry_barrier(loop)
    yield from exit_barrier(loop)
    yield from (mutate_block.block(loop) if loop.of_block else
                met(loop) if loop.variant in ("barrier", "bulk") else
                multistage(loop) if loop.multistage else staged(loop))
    yield from wide(loop)
    if loop.variant == "bulk":
        yield from bulk(loop)
    yield from zeros(loop)
    yield from searches(loop)
    yield from padded(loop)
    yield from votes(loop)
    yield from declarations(loop)


def parts_known(loop):
    """The mutants of a loop; NotFound where a part of it, a barrier by another
    name say, is not where the others have it."""
    try:
        return list(mutants_of_loop(loop))
    except (IndexError, TypeError, RuntimeError, StopIteration) as missing:
        raise NotFound(f"a part of the loop ({missing})") from missing


def mutants(text):
    """(label, text) of each mutant, each text once; the label begins with the
    number of the loop in the file."""
    text = text.replace("\r\n", "\n")
    for digraph, bracket in DIGRAPHS.items():
        text = re.sub(digraph, bracket, text)
    lines = functions.expanded(braces.under_heads(literal.literal(text.split("\n"))))
    lines = sections.sectioned(lines, MARKER.match,
                               lambda line: BARRIER.match(code_of(line)))
    seen = {tuple(lines)}
    for number, loop in enumerate(loops_of(lines), 1):
        for name, mutant in parts_known(loop):
            if mutant is not None and tuple(mutant) not in seen:
                seen.add(tuple(mutant))
                yield f"{number}.{name}", "\n".join(mutant)
