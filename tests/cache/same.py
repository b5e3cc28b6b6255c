#!/usr/bin/env python3
"""Runs the kernels of testdata without a cache, with an empty one and with a
filled one, and compares everything that comes out: standard output, standard
error, the exit code, and every file that was written or changed.

One run asks for remarks, diff and all reports, of every fifth kernel. The other modes
take every 40th kernel; --all has them take all. (tests/golden/accept.py and reject.py
take what they have seen once more from the cache: texts and remarks of every kernel.)
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORTS = ["--save-opt-record=opt.yaml", "--export-fixes=fixes.yaml",
           "--statistics"]
MODES = [
    ["--diff"],
    ["--check"],
    ["--check", "--suffix=_pipe"],
    ["-n"],
    ["-n", "-q"],
    ["-n", "-v", "--color=always"],
    ["--list-kernels"],
    ["-i", "--exit-non-zero-on-change"],
    ["--out-dir=out", "-MD"],
    ["-n", "-k", "regex:gemm", "--report=r.sarif", "--report-format=sarif"],
    ["-n", "--report=r.html", "--report-format=html"],
    ["-n", "--report=r.txt", "--report-format=text"],
    [],
]


def sources(every):
    """The kernels, each with the files beside it, as (directory, name)."""
    found = sorted((ROOT / "testdata").glob("*/*/*/kernel.cu"))
    return [path.parent for path in found[::every]]


def copy_tree(directories, target):
    for directory in directories:
        to = target / directory.relative_to(ROOT / "testdata")
        shutil.copytree(directory, to, ignore=shutil.ignore_patterns(
            "expected.*", "*.pipelinify.json"))


def files_of(directory):
    return {str(path.relative_to(directory)): path.read_bytes()
            for path in sorted(directory.rglob("*")) if path.is_file()}


def counted(stderr):
    """What the run says of its cache, and the rest of the text."""
    hits = re.search(rb"(\d+) (?:cache )?hits?\b", stderr)
    rest = re.sub(rb"^.*(cache: \d+ hit|\d+ cache (hits|misses)).*\n", b"",
                  stderr, flags=re.M)
    return (int(hits.group(1)) if hits else None), rest


def run(args, directories, mode, cache):
    """Everything that comes out of a run over a fresh copy; the copy has the
    same path each time, for the answers hang on it."""
    work = args.scratch / "work"
    shutil.rmtree(work, ignore_errors=True)
    copy_tree(directories, work)
    env = dict(os.environ, PIPELINIFY_CACHE_DIR=str(args.scratch / "cache"))
    env.pop("PIPELINIFY_NO_CACHE", None)
    if not cache:
        env["PIPELINIFY_NO_CACHE"] = "1"
    done = subprocess.run([args.bin, *mode, "--cuda-path=", "-j2", "."],
                          cwd=work, env=env, capture_output=True)
    hits, stderr = counted(done.stderr)
    return hits, {"exit": done.returncode, "stdout": done.stdout,
                  "stderr": stderr, "files": files_of(work)}


def difference(right, got):
    for part in ("exit", "stdout", "stderr"):
        if right[part] != got[part]:
            return part
    for name in sorted(set(right["files"]) | set(got["files"])):
        if right["files"].get(name) != got["files"].get(name):
            return name
    return None


def compare(args, directories, mode, ways):
    """Whether all ways of running give the same; hits of the last one."""
    failed = 0
    _, right = run(args, directories, mode, False)
    for way in ways:
        hits, got = run(args, directories, mode, True)
        where = difference(right, got)
        name = " ".join(mode) or "directory"
        if where:
            failed += 1
            print(f"FAILED: {name}, {way} cache: {where} is another")
        if way == "filled" and hits == 0:
            failed += 1
            print(f"FAILED: {name}: nothing came from the cache")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    args.bin = str(pathlib.Path(args.bin).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        args.scratch = pathlib.Path(scratch)
        everything = ["--diff", "-v", "--report=r.json", *REPORTS]
        failed += compare(args, sources(1 if args.all else 5), everything,
                          ["empty", "filled"])
        for mode in MODES:
            failed += compare(args, sources(1 if args.all else 40), mode,
                              ["filled"])
    print(f"{len(MODES) + 1} modes, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
