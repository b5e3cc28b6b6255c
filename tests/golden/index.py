#!/usr/bin/env python3
"""index.py [--update]: is testdata/README.md the list of the cases, and does each
stand where it belongs? A case of reject/REASON meets that reason, and one of
reject/none meets none. --update writes the page."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cases  # noqa: E402

PAGE = cases.ROOT / "testdata" / "README.md"
HEAD = """\
# The kernels

Made by `python3 tests/golden/index.py --update`. `accept/FEATURE` are rewritten,
`reject/REASON` are refused for that reason (`none`: as near to a refusal as a legal loop
comes). `lint/` are pipelined by hand, `unannotated/` and `programs/` have host code.
docs/HACKING.md says what a case consists of.
"""
FEATURES = {
    "aliasing": "what a store may change of what is loaded ahead",
    "arithmetic": "bounds and counters in their types",
    "asynchronous-in": "copies that are waited for at once, staging by hand",
    "attention": "attention and its relatives",
    "barriers": "barriers at other places, votes, groups",
    "builds": "macros, headers, configurations",
    "classes": "loaders, iterators, records, views",
    "copies": "widths and types of what is copied",
    "dynamic-memory": "tiles in dynamic shared memory, scratch over tiles",
    "exits": "loops that are left midway",
    "functions": "helpers, lambdas, callers",
    "guards": "ragged tiles, zeros, branches",
    "kernels": "plain kernels of many fields",
    "loops": "forms of loops",
    "recurrences": "what steps from tile to tile",
    "roles": "threads that load beside those that compute",
    "templates": "instantiations and what they agree on",
    "text": "comments, names, line ends",
    "tiles": "shapes and numbers of tiles",
}


def reasons():
    """{name: id}"""
    text = (cases.ROOT / "rewriter/support/reasons.def").read_text()
    return {name: "PL" + number for number, name
            in re.findall(r'^X\((\d+), "([\w-]+)"', text, re.M)}


def ids_of(case):
    path = case / "expect"
    text = path.read_text() if path.exists() else ""
    return sorted(set(re.findall(r"PL\d+", text)))


def line_of(case):
    """The first sentence of the kernel's first comment, or the kernels' names."""
    text = (case / "kernel.cu").read_text(errors="replace").lstrip("\ufeff")
    comment = re.match(r"(?://.*\n)+", text)
    if comment:
        words = " ".join(re.sub(r"^// ?", "", comment[0], flags=re.M).split())
        return re.match(r".*?(?:[.:;](?= |$)|$)", words)[0].rstrip(".:;")
    names = re.findall(r"__global__\s[^(]*?(\w+)\s*\(", text)
    return ", ".join(dict.fromkeys(f"`{name}`" for name in names))


def page():
    parts, titles = [HEAD], {name: f"{name} ({number})"
                             for name, number in reasons().items()}
    for kind, directory in (("accept", cases.ACCEPT), ("reject", cases.REJECT)):
        groups = {}
        for case in cases.chosen(directory):
            groups.setdefault(case.parent.name, []).append(case)
        for group in sorted(groups):
            about = FEATURES[group] if kind == "accept" else titles.get(group, group)
            parts.append(f"\n## {kind}/{group}: {about}\n\n" if kind == "accept"
                         else f"\n## {kind}/{about}\n\n")
            for case in groups[group]:
                others = [i for i in ids_of(case) if i != reasons().get(group)]
                also = f" ({', '.join(others)} too)" if others else ""
                parts.append(f"- {case.name}: {line_of(case)}{also}\n")
    return "".join(parts)


def misplaced():
    ids = reasons()
    for directory in (cases.ACCEPT, cases.REJECT):
        for path in sorted(directory.glob("*/kernel.cu")):
            yield f"{path.parent}: stands in no folder"
    for case in cases.chosen(cases.ACCEPT):
        if case.parent.name not in FEATURES:
            yield f"{case}: {case.parent.name} is no feature"
    for case in cases.chosen(cases.REJECT):
        group, met = case.parent.name, ids_of(case)
        if group == "none" and met or group != "none" and ids.get(group) not in met:
            yield f"{case}: meets {met}, stands in {group}"


def main():
    problems = list(misplaced())
    if not problems and "--update" in sys.argv[1:]:
        PAGE.write_text(page())
    elif not problems and (not PAGE.exists() or PAGE.read_text() != page()):
        problems.append(f"{PAGE} is not what --update would write")
    print(*problems, sep="\n", end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
