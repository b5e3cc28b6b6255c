"""run.py IGNORED [--cases N] [--seed S]: random .pipelinify-ignore files, each
judged by the program and, under the name .gitignore, by `git check-ignore`."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

PARTS = ["a", "b", "ab", "k.cu", "x.cuh", ".h", "a b", "!x", "#y", "[z]"]
GLOBS = PARTS + ["*", "?", "*.cu", "a*", "[ab]", "[!a]*", "[a-c]?", "**",
                 "\\!x", "\\#y", "\\[z\\]", "*.*", "[^k]*", "a\\ b"]

# In a pattern with slashes git does not treat these as gitignore(5) says, "other
# consecutive asterisks are regular asterisks": what it does hangs on addresses.
ALONE = GLOBS + ["a**", "**b"]


def pattern(dice):
    count = dice.choice([1, 1, 1, 2, 2, 3, 4])
    if count == 1:
        return dice.choice(["", "", "!"]) + dice.choice(ALONE) + dice.choice(["", "/", " "])
    text = "/".join(dice.choice(GLOBS) for _ in range(count))
    return (dice.choice(["", "", "", "!", "#"]) + dice.choice(["", "", "/"]) + text
            + dice.choice(["", "", "", "/"]) + dice.choice(["", "", "", "  ", "\\ ", "\r"]))


def write_ignores(dice, root, directories):
    for directory in [""] + dice.sample(directories, min(2, len(directories))):
        lines = [pattern(dice) for _ in range(dice.randint(1, 6))]
        text = "\n".join(lines) + dice.choice(["", "\n"])
        for name in (".gitignore", ".pipelinify-ignore"):
            with open(os.path.join(root, directory, name), "w", newline="") as out:
                out.write(text)


def tree(dice, root):
    directories, files = set(), set()
    for _ in range(25):
        parts = [dice.choice(PARTS) for _ in range(dice.randint(1, 4))]
        taken = any("/".join(parts[:i]) in files for i in range(1, len(parts)))
        path = "/".join(parts)
        if taken or path in directories:
            continue
        for i in range(1, len(parts)):
            directories.add("/".join(parts[:i]))
        files.add(path)
    for directory in sorted(directories):
        os.makedirs(os.path.join(root, directory), exist_ok=True)
    for file in files:
        open(os.path.join(root, file), "w").close()
    return sorted(directories), sorted(files)


def git_ignored(root, files):
    run = subprocess.run(["git", "check-ignore", "-z", "--no-index", "--stdin"],
                         cwd=root, input="\0".join(files), text=True,
                         capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    return sorted(filter(None, run.stdout.split("\0")))


def ignored(program, root, files):
    run = subprocess.run([program] + files, cwd=root, text=True, capture_output=True,
                         check=True)
    return sorted(filter(None, run.stdout.split("\n")))


def one_case(program, seed, box):
    dice = random.Random(seed)
    root = os.path.join(box, str(seed))
    os.makedirs(root)
    directories, files = tree(dice, root)
    write_ignores(dice, root, directories)
    theirs, ours = git_ignored(root, files), ignored(program, root, files)
    for path in sorted(set(theirs) ^ set(ours)):
        print(f"seed {seed}: {path!r} is ignored by {'git' if path in theirs else 'us'} alone")
        for at in [""] + directories:
            name = os.path.join(root, at, ".gitignore")
            if os.path.exists(name):
                print(f"  {at or '.'}: {open(name, newline='').read()!r}")
    return theirs == ours, len(theirs)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program")
    arguments.add_argument("--cases", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as box:
        subprocess.run(["git", "init", "-q", box], check=True)
        seeds = range(options.seed, options.seed + options.cases)
        results = [one_case(program, seed, box) for seed in seeds]
    wrong = sum(not same for same, _ in results)
    total = sum(count for _, count in results)
    print(f"{len(results)} trees, {total} ignored files, {wrong} trees differ")
    sys.exit(1 if wrong or not total else 0)


if __name__ == "__main__":
    main()
