"""The emitted text with its sections told apart, as mutate.py looks for them.

    int t = 0, stage = 0;                   {
    if (t < n) {                                int t = 0;
        load; barrier                           if (t < n) {
        // Main loop: ...                           // Prologue:
        for (++t; t < n; ++t) {       ->            load; ++t; barrier
            ...                                     // Main loop: ...
        }                                           int stage = 0;
        compute                                     for (; t < n; ++t) {
    }                                                   ...
                                                    }
                                                    // Epilogue:
                                                    compute
                                                }
                                            }

What the text says in fewer lines, or leaves to its reader, can then go wrong by itself.
"""
import re

STAGE = re.compile(r"(\s*)(?:(int .*), |int )(stage\d*) = 0;$")
HEADER = re.compile(r"\s*(for|while) ?\(|\s*do( \{)?$")
OPENS = re.compile(r"(?:.*[\s)])?\{\s*(?://.*|/\*.*)?$")
AHEAD = re.compile(r"\s*for \(int (load_stage\d*) = 0; \1 < ")
UNIFIED = re.compile(r"\s*int \w+ = 0, begun\d* = 0;$")
COPIES = re.compile(r"\s*// pipelinify: (?:pipeline|barrier|bulk|cp\.async, \d+ stages)")
LAST = re.compile(r"\s*(__pipeline_wait_prior\(0\);|pipe\d*\.consumer_"
                  r"|for \((?:; begun\d* > 0|int load_stage\d* = 0)"
                  r"|// Back to the stage|stage\d* = stage\d* == 0 \?)")
DECLARED = re.compile(r"\s*(int|auto|bool|const \w+|unsigned|size_t|long long) \w+( = |, |;)")


def indent(line):
    return len(line) - len(line.lstrip(" \t"))


def blank(line):
    return line[:indent(line)]


def block_end(lines, i):
    return next(k for k in range(i + 1, len(lines))
                if indent(lines[k]) == indent(lines[i])
                and lines[k].strip().startswith("}"))


def in_block(lines, begin):
    """The lines from `begin` on that are no block yet, made one."""
    guard = next(i for i in range(begin, len(lines))
                 if indent(lines[i]) == indent(lines[begin])
                 and lines[i].strip().startswith("if ("))
    end, at = block_end(lines, guard), blank(lines[begin])
    step = "\t" if at.startswith("\t") else "    "
    inside = [line if not line.strip() or line.startswith("#") else step + line
              for line in lines[begin:end + 1]]
    lines[begin:end + 1] = [at + "{", *inside, at + "}"]


def in_block_to_epilogue(lines, begin, main):
    """The same where numbers say that there is a first tile, which nothing asks for: to
    the end of what stands in the main loop, too."""
    at = level(lines, begin)
    header = next(i for i in range(main + 1, len(lines))
                  if HEADER.match(lines[i]) and blank(lines[i]) == at)
    brace = next(i for i in range(header, len(lines)) if OPENS.match(lines[i]))
    end = block_end(lines, brace)
    body = {line.strip() for line in lines[brace:end]}
    while lines[end + 1].strip() in body and len(blank(lines[end + 1])) >= len(at):
        end += 1
    step = "\t" if at.startswith("\t") else "    "
    inside = [line if not line.strip() or line.startswith("#") else step + line
              for line in lines[begin:end + 1]]
    lines[begin:end + 1] = [at + "{", *inside, at + "}"]


def level(lines, begin):
    """The blanks ahead of a region's first line that is no directive."""
    return blank(next(line for line in lines[begin:] if not line.startswith("#")))


def main_of_copies(lines, begin):
    """The line above a main loop that stands where its region begins; None: it is in a
    block under a question."""
    for i in range(begin, len(lines)):
        if lines[i].startswith("}"):
            return None
        if blank(lines[i]) == level(lines, begin) and \
                (lines[i].strip().startswith("// Main loop:") or UNIFIED.match(lines[i])):
            return i
    return None


def in_block_of_copies(lines, begin, is_barrier):
    """The same of a loop with copies ahead, whose header declares its variable: that is
    declared in front."""
    at = level(lines, begin)
    header = next(i for i in range(main_of_copies(lines, begin) + 1, len(lines))
                  if HEADER.match(lines[i]) and blank(lines[i]) == at)
    brace = next(i for i in range(header, len(lines)) if OPENS.match(lines[i]))
    end = block_end(lines, brace)
    while LAST.match(lines[end + 1]) or is_barrier(lines[end + 1]) \
            and blank(lines[end + 1]) == at:
        end += 1
        if lines[end].rstrip().endswith("{") or lines[end + 1].strip() == "{":
            end = block_end(lines, end)
    found = re.match(r"(\s*for ?\()([^;]*[^;\s])(;.*)", lines[header])
    step = "\t" if at.startswith("\t") else "    "
    if found:
        lines[header] = found.group(1) + found.group(3)
        lines.insert(begin, at + found.group(2) + ";")
        end += 1
    inside = [line if not line.strip() or line.startswith("#") else step + line
              for line in lines[begin:end + 1]]
    lines[begin:end + 1] = [at + "{", *inside, at + "}"]


def first_load(lines, begin, main, is_barrier):
    """Where the first tile's load begins: in the block that the main loop is in."""
    at = next(i for i in range(main - 1, begin - 1, -1)
              if lines[i].strip() and indent(lines[i]) < indent(lines[main])
              and not lines[i].startswith("#"))
    guarded = lines[at].strip().startswith("if (")
    at += 1
    while at < main and (
            lines[at].strip() in ("", "{") and indent(lines[at]) < indent(lines[main])
            or is_barrier(lines[at]) or STAGE.match(lines[at])
            or not guarded and DECLARED.match(lines[at])):
        at += 1
    return at


def take_stage(lines, begin, main):
    """Takes the stage's declaration away; what to declare, where there was one."""
    for i in range(begin, main):
        found = STAGE.match(lines[i])
        if found:
            at, others, name = found.groups()
            lines[i] = f"{at}{others};" if others else None
            return f"int {name} = 0;"
    return None


def step_first(lines, header, prologue, is_barrier):
    """`for (++t; ...` as a statement of its own, ahead of the prologue's barrier."""
    found = re.match(r"(\s*for \()([^;]+)(;.*)", lines[header])
    if not found or found.group(2).startswith("int "):
        return
    barrier = [i for i in range(prologue, header) if lines[i] is not None
               and is_barrier(lines[i]) and indent(lines[i]) == indent(lines[header])]
    if barrier:
        lines[header] = found.group(1) + found.group(3)
        lines[barrier[-1]] = [blank(lines[barrier[-1]]) + found.group(2) + ";",
                              lines[barrier[-1]]]


def flat(lines):
    for line in lines:
        if isinstance(line, list):
            yield from line
        elif line is not None:
            yield line


def with_sections(lines, marker, is_barrier):
    """The file's lines with those of the loop below a marker told apart."""
    begin = marker + 1
    bare = lines[begin].strip() != "{"
    if "pipeline-partitioned" in lines[marker]:
        if bare:
            in_block_of_copies(lines, begin, is_barrier)
        return lines
    main = main_of_copies(lines, begin)
    if bare and main is not None:
        if COPIES.match(lines[marker]):
            in_block_of_copies(lines, begin, is_barrier)
        else:
            in_block_to_epilogue(lines, begin, main)
    elif bare:
        in_block(lines, begin)
    end = block_end(lines, begin)
    main = next((i for i in range(begin, end)
                 if lines[i].strip().startswith("// Main loop:")), None)
    unified = next((i for i in range(begin, end) if UNIFIED.match(lines[i])), None)
    if unified is not None:
        stage = take_stage(lines, begin, unified)
        if stage:
            lines[unified] = [blank(lines[unified]) + stage, lines[unified]]
        header = next(i for i in range(unified + 1, end) if HEADER.match(lines[i]))
        last = block_end(lines[:unified] + [""] + lines[unified + 1:], header)
        lines[last] = [lines[last], blank(lines[last]) + "// Epilogue:"]
        return list(flat(lines))
    if main is None:
        return lines
    header = next(i for i in range(main, end) if HEADER.match(lines[i])
                  and indent(lines[i]) == indent(lines[main]))
    last, at = block_end(lines, header), blank(lines[main])
    ahead = next((i for i in range(begin, main) if AHEAD.match(lines[i])
                  and indent(lines[i]) == indent(lines[main])), None)
    said = "// Prologue: start copying the first tiles."
    prologue = ahead
    if ahead is None:
        said = "// Prologue: load the first tile."
        prologue = first_load(lines, begin, main, is_barrier)
    stage = take_stage(lines, begin, main)
    if ahead is None:
        step_first(lines, header, prologue, is_barrier)
    lines[last] = [lines[last], at + "// Epilogue:"]
    if stage:
        lines[header] = [at + stage, lines[header]]
    kept = lines[prologue]
    lines[prologue] = [at + said, *(kept if isinstance(kept, list) else [kept])]
    return list(flat(line for line in lines if line is not None))


def sectioned(lines, marks, is_barrier):
    """`marks` and `is_barrier`: whether a line is a marker, or a barrier."""
    lines = list(lines)
    for i in reversed(range(len(lines))):
        if marks(lines[i]):
            try:
                lines = with_sections(list(lines), i, is_barrier)
            except StopIteration:  # mutate.py says what is not found
                continue
    return lines
