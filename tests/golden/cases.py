"""What the runners of testdata/ share: cases, variants, running the program.

A case is a directory testdata/accept/FEATURE/NAME or testdata/reject/REASON/NAME
(REASON: the name, in reasons.def, of one that the case meets). It holds kernel.cu, what that includes, `args`, options for the program, where it needs some, and
`variants`, names of variants that are looked at in some cases alone.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCEPT = ROOT / "testdata" / "accept"
REJECT = ROOT / "testdata" / "reject"
SKIPPED = 77

VARIANTS = {
    "auto": [],
    "ldg": ["--variant=ldg"],
    "ldg-single": ["--variant=ldg-single"],
    "cp.async-2": ["--variant=cp.async", "--stages=2"],
    "cp.async-3": ["--variant=cp.async", "--stages=3"],
}

SELDOM = {
    "pipeline-2": ["--variant=pipeline", "--stages=2"],
    "pipeline-4": ["--variant=pipeline", "--stages=4"],
    "pipeline-block-2": ["--variant=pipeline-block", "--stages=2"],
    "pipeline-block-3": ["--variant=pipeline-block", "--stages=3"],
    "pipeline-unified-2": ["--variant=pipeline-unified", "--stages=2"],
    "pipeline-unified-4": ["--variant=pipeline-unified", "--stages=4"],
    "barrier-2": ["--variant=barrier", "--stages=2"],
    "barrier-3": ["--variant=barrier", "--stages=3"],
    "bulk-2": ["--gpu-architecture=sm_90", "--variant=bulk", "--stages=2"],
    "bulk-3": ["--gpu-architecture=sm_90", "--variant=bulk", "--stages=3"],
    "pipeline-partitioned-2": ["--variant=pipeline-partitioned", "--stages=2"],
}


def parse_command_line(doc, directory, options=()):
    """--bin, the options given, and names of cases (default: all of them)."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the program")
    for name, text in options:
        parser.add_argument(name, action="store_true", help=text)
    parser.add_argument("--part", default="1/1", metavar="I/N",
                        help="each Nth of the cases, from the Ith on")
    parser.add_argument("names", nargs="*", help="cases")
    args = parser.parse_args()
    args.bin = os.path.realpath(args.bin)
    first, step = map(int, args.part.split("/"))
    args.cases = chosen(directory, args.names)[first - 1::step]
    return args


def chosen(directory, names=()):
    """The cases of these names, in this order; of none: all, by name."""
    found = {path.parent.name: path.parent
             for path in directory.glob("*/*/kernel.cu")}
    return [found[name] for name in names or sorted(found)]


def accepted(name):
    return chosen(ACCEPT, [name])[0]


def case_options(case):
    path = case / "args"
    return path.read_text().split() if path.exists() else []


def seldom_variants(case):
    """Those that the case asks for by name."""
    path = case / "variants"
    names = path.read_text().split() if path.exists() else []
    return {name: SELDOM[name] for name in names}


def case_variants(case):
    """All variants; auto alone where the case's own options name one."""
    own = any(o.startswith("--variant") for o in case_options(case))
    return {"auto": []} if own else VARIANTS | seldom_variants(case)


def chosen_by_auto(case, remarks):
    """The variant that every loop was given, as the remarks of `auto` say; None:
    of several, or of one that is no case of its own."""
    chosen = set(re.findall(rb"pipelined: ([\w.-]+), (\d+) stage", remarks))
    if len(chosen) != 1:
        return None
    variant, stages = (word.decode() for word in chosen.pop())
    name = f"{variant}-{stages}" if variant == "cp.async" else variant
    return name if name in case_variants(case) else None


def chosen_for(case, several):
    """One of several for a case, another one for another."""
    return several[zlib.crc32(case.name.encode()) % len(several)]


def depth_of(case):
    """The number of stages for a case. With three and four the same faults show; with
    two, which is seldomer, some are none; with eight most descriptions have too few
    tiles for the main loop. Three or four of `auto` is proven anyway."""
    auto = (case / "expected.auto.remarks").read_text()
    chosen_by_auto = set(re.findall(r"pipelined: ([\w.-]+, \d+) stage", auto))
    for depth in (3, 4):
        if chosen_by_auto == {f"cp.async, {depth}"}:
            return depth
    if not (case / "expected.cp.async-3.cu").exists():
        return 2
    return chosen_for(case, (3, 4, 2, 3))


def turn_of(case):
    """The variant that is looked at beside what `auto` gives, where not all are: of
    those that give a text, and are not all that `auto` gives, another one from case to
    case, and cp.async twice as often; None: there is no other."""
    auto = (case / "expected.auto.remarks").read_text()
    given = set(re.findall(r"pipelined: ([\w.-]+), (\d+) stage", auto))
    texts = {"cp.async": ("cp.async-2", "cp.async-3"), "ldg": ("ldg",),
             "ldg-single": ("ldg-single",)}
    stages = {"cp.async": str(depth_of(case)), "ldg": "2", "ldg-single": "1"}
    left = [variant for variant in ("cp.async", "ldg", "cp.async", "ldg-single")
            if any((case / f"expected.{text}.cu").exists() for text in texts[variant])
            and given != {(variant, stages[variant])}]
    return chosen_for(case, left) if left else None


class Sandbox:
    """A copy of a case; runs the program there, without a CUDA toolkit, so
    that messages and results are the same on every machine. What it keeps for
    the next run is the sandbox's own: no result is of an earlier test."""

    def __init__(self, program, case):
        self.program = program
        self.case = case
        self.options = case_options(case)

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="pl_case_"))
        self.kept = tempfile.mkdtemp(prefix="pl_kept_")
        for path in self.case.iterdir():
            if not path.name.startswith("expect") and path.is_file():
                shutil.copy(path, self.directory)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.directory)
        shutil.rmtree(self.kept)

    def write(self, name, data):
        (self.directory / name).write_bytes(data)

    def run(self, *words, **environment):
        return subprocess.run([self.program, *words], cwd=self.directory,
                              capture_output=True,
                              env=dict(os.environ, LC_ALL="C", **environment))

    def rewrite(self, *options, names=("kernel.cu",)):
        return self.run("--cuda-path=", *self.options, *options, *names,
                        PIPELINIFY_NO_CACHE="0", PIPELINIFY_CACHE_DIR=self.kept)


def as_configuration(options):
    """Options of a command line as a .pipelinify has them."""
    lines = (option.removeprefix("--").partition("=") for option in options)
    return "[pipelinify]\n" + "".join(
        f"{key} = {value or 'yes'}\n" for key, _, value in lines)


class Copies:
    """Copies of cases, each in a directory CASE/NAME with options of its own, which
    are in a .pipelinify there: one run of the program rewrites them all, since to
    start it takes longer than most kernels do."""

    def __init__(self, program):
        self.program = program

    def __enter__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="pl_cases_"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root)

    def add(self, case, name, options=()):
        """The directory of a copy, seen from `root`."""
        place = self.root / case.name / name
        place.mkdir(parents=True)
        for path in case.iterdir():
            if not path.name.startswith("expect") and path.is_file():
                shutil.copy(path, place)
        (place / ".pipelinify").write_text(
            as_configuration([*case_options(case), *options]))
        return f"{case.name}/{name}"

    def run(self, *words, **environment):
        return subprocess.run([self.program, *words], cwd=self.root,
                              capture_output=True,
                              env=dict(os.environ, LC_ALL="C", **environment))

    def rewrite(self, paths, *options):
        return self.run("--cuda-path=", "--jobs=1", *options, *paths,
                        PIPELINIFY_NO_CACHE="0",
                        PIPELINIFY_CACHE_DIR=self.root / ".kept")


def remarks_by_copy(stderr):
    """What is said of each copy, as it is where that is the working directory."""
    said, copy = {}, ""
    for line in stderr.splitlines(keepends=True):
        begin = re.match(rb"([\w.-]+/[\w.-]+)/", line)
        copy = begin.group(1).decode() if begin else copy
        said[copy] = said.get(copy, b"") + line.replace(copy.encode() + b"/", b"")
    return said


class Tally:
    """Counts what passed and says what did not."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, name, problems):
        if not problems:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED: {name}")
        for problem in problems:
            print("  " + problem.rstrip().replace("\n", "\n  "))

    def skip(self, name, why):
        self.skipped += 1
        print(f"skipped: {name}: {why}")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed, "
              f"{self.skipped} skipped")
        if self.failed:
            return 1
        return SKIPPED if self.skipped and not self.passed else 0


def text_of(data):
    return data.decode("utf-8", "replace")


def end(tally):
    sys.exit(tally.end())
