#!/usr/bin/env python3
"""Kills batches with SIGKILL at random times, and looks at what is left.

    kill.py --bin PIPELINIFY [--count 1000] [--seed S]

Each time, a batch rewrites the same files, in place, beside themselves or into
a directory of their own, with a cache and without. Half of the time the first
process alone is killed (its children are to follow), else all of them at once.
Then each file has to be the old or the new one, whole; nothing that is no
product may lie about, in the tree or in the cache; and the next batch finishes
the work. A hidden file that a kill left in the moment between its getting a name
and its taking the place of the old one is counted; the next write to that place
takes it away.
"""
import argparse
import ctypes
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCEPT = ROOT / "testdata" / "accept"
CASES = ["sgemm-tile16", "sgemm-8x8-bump", "attention-scores"]
FILES = 9
MODES = {"in place": ["-i"], "beside": ["--suffix=_pipe"],
         "elsewhere": ["--out-dir=out"]}
PR_SET_CHILD_SUBREAPER = 36


def originals():
    """Name to bytes; a few words in each make it another text."""
    files = {}
    for i in range(FILES):
        case = CASES[i % len(CASES)]
        text = next(ACCEPT.glob(f"*/{case}/kernel.cu")).read_bytes()
        files[f"k{i}.cu"] = text + b"// %d\n" % i
    return files


def write(directory, files):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    for name, data in files.items():
        (directory / name).write_bytes(data)


def read(directory):
    return {str(path.relative_to(directory)): path.read_bytes()
            for path in directory.rglob("*") if path.is_file()}


class Killer:
    def __init__(self, args, scratch):
        self.args, self.scratch = args, scratch
        self.tree = scratch / "tree"
        self.random = random.Random(args.seed)
        self.old = originals()
        self.new, self.usual = {}, {}
        self.problems = []
        self.left = self.between = self.untouched = 0

    def start(self, mode, cached):
        env = dict(os.environ,
                   PIPELINIFY_CACHE_DIR=str(self.scratch / "cache"),
                   PIPELINIFY_NO_CACHE="0" if cached else "1")
        return subprocess.Popen(
            [self.args.bin, "-q", "-j2", "--cuda-path=", *MODES[mode],
             *sorted(self.old)], cwd=self.tree, env=env,
            start_new_session=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def learn(self):
        """What each mode makes of the files, and how long it takes."""
        for mode in MODES:
            for cached in (False, True, True):
                write(self.tree, self.old)
                time.sleep(0.05)
                start = time.perf_counter()
                code = self.start(mode, cached).wait()
                self.usual[mode, cached] = time.perf_counter() - start
                if code:
                    sys.exit(f"{mode}: exit {code}")
                self.new[mode] = read(self.tree)
                if self.new[mode] == self.old:
                    sys.exit(f"{mode}: nothing is written")

    def kill(self, mode, cached):
        """Lets a batch run for a while; no process of it is left after."""
        process = self.start(mode, cached)
        longest = 1.1 * self.usual[mode, cached]
        time.sleep(self.random.uniform(0, longest))
        if self.random.random() < 0.5:
            process.send_signal(signal.SIGKILL)
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        try:
            while True:
                os.waitpid(-process.pid, 0)
        except ChildProcessError:
            return

    def look(self, what, mode):
        """Every file is the old or the new one."""
        new, got = self.new[mode], read(self.tree)
        for name, data in got.items():
            base = os.path.basename(name)
            if name in new or name in self.old:
                if data not in (self.old.get(name), new.get(name)):
                    self.problems.append(f"{what}: {name} is neither")
            elif base.startswith(".k"):
                self.left += 1
            else:
                self.problems.append(f"{what}: {name} is left")
        for name in self.old:
            if name not in got:
                self.problems.append(f"{what}: {name} is gone")
        done = sum(got.get(name) == data and self.old.get(name) != data
                   for name, data in new.items())
        self.between += 0 < done < FILES
        self.untouched += done == 0

    def finish(self, what, mode, cached):
        """The next batch is let through. What it writes takes away what was left
        there, once that is old enough to be nobody's work."""
        hidden = {name for name in read(self.tree)
                  if os.path.basename(name).startswith(".k")}
        if hidden:
            write(self.tree, {**self.old, **{
                name: b"left" for name in hidden if "/" not in name}})
            time.sleep(2.1)
        code = self.start(mode, cached).wait()
        got, new = read(self.tree), self.new[mode]
        if code or got != new:
            names = sorted(name for name in set(got) | set(new)
                           if got.get(name) != new.get(name))
            self.problems.append(f"{what}: the next batch: exit {code}, {names}")

    def run(self):
        self.learn()
        for i in range(self.args.count):
            mode = self.random.choice(sorted(MODES))
            cached = self.random.random() < 0.5
            what = f"{i}: {mode}, {'cache' if cached else 'no cache'}"
            before = self.left
            write(self.tree, self.old)
            self.kill(mode, cached)
            self.look(what, mode)
            if i % 10 == 0 or self.left > before:
                self.finish(what, mode, cached)
        in_cache = [path for path in (self.scratch / "cache").rglob("*")
                    if path.name.startswith("tmp.")]
        print(f"{self.args.count} kills: {self.untouched} before the first file"
              f" was written, {self.between} between two files; {self.left}"
              f" hidden files left, {len(in_cache)} in the cache;"
              f" {len(self.problems)} problems")
        for problem in self.problems:
            print(problem)
        return 1 if self.problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.bin = os.path.realpath(args.bin)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="pl_kill_"))
    try:
        return Killer(args, scratch).run()
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    sys.exit(main())
