#!/usr/bin/env python3
"""Writes random CUDA kernels with tile loops.

    generate.py --seed S --count N --out DIR [--illegal-share 0.25]

Each program is DIR/NNNN/kernel.cu; DIR/NNNN/label says what it is, on its first
line `legal` or `illegal:PLxxxx|PLyyyy`, and on the lines below what it is made of.
A legal program is legal by construction: cells of a tile are
shared out among the threads, guards are those that the sizes in its launch
description need, and every thread reaches every barrier. An illegal one is
a legal one with a single hazard planted. The same seed gives the same
programs, whatever the count.

DIR/NNNN/launch has the launch description where it is not in the text, and
DIR/NNNN/others, line by line, illegal instantiations that the file does not show.
"""
import argparse
import os
from dataclasses import dataclass

from dice import Dice
from hazards import plant
from orders import Orders
from program import Program
from templates import Templates


@dataclass(frozen=True)
class Shares:
    """How many of the programs have what."""
    illegal: float
    orders: float              # statements between all barriers
    templates: float           # a template whose arguments decide what its loop does

    @classmethod
    def of(cls, options):
        return cls(options.illegal_share, options.orders, options.templates)


def add_shares(parser):
    parser.add_argument("--illegal-share", type=float, default=0.25)
    parser.add_argument("--orders", type=float, default=0.3,
                        help="share with statements between all barriers")
    parser.add_argument("--templates", type=float, default=0.3,
                        help="share of kernels that depend on template arguments")


def make(seed, number, shares):
    """One program, its label and its features."""
    dice = Dice("%s/%d" % (seed, number))
    if dice.random.random() >= shares.illegal:
        program = Program(dice)
        if shares.orders and dice.chance(shares.orders):
            Orders(program).add()
        label = None
        if shares.templates and dice.chance(shares.templates):
            label = Templates(program).add()
        return program, label or "legal", dice.features
    template = shares.templates and dice.chance(shares.templates)
    while True:
        program = Program(dice, no_stores=True)
        if template and dice.chance(0.8):
            label = Templates(program).add(illegal=True)
        else:
            label = plant(program)
            if template and label:
                Templates(program).add()
        if label:
            return program, label, dice.features
        dice.features.clear()


def write_or_remove(path, text):
    if text:
        with open(path, "w") as out:
            out.write(text)
    elif os.path.exists(path):
        os.remove(path)


def write(directory, program, label, features):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "kernel.cu"), "wb") as out:
        out.write(program.text())
    others = program.templates.others() if program.templates else []
    write_or_remove(os.path.join(directory, "launch"), program.launch_file())
    write_or_remove(os.path.join(directory, "others"),
                    "".join(line + "\n" for line in others))
    with open(os.path.join(directory, "label"), "w") as out:
        out.write(label + "\n")
        for name in sorted(features):
            out.write("%s: %s\n" % (name, " ".join(map(str, features[name]))))


def generate(seed, count, out, shares, first=0):
    """Writes programs first .. first + count - 1; gives back their directories."""
    directories = []
    for number in range(first, first + count):
        directory = os.path.join(out, "%04d" % number)
        write(directory, *make(seed, number, shares))
        directories.append(directory)
    return directories


def main():
    parser = argparse.ArgumentParser(description="random tile-loop kernels")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0,
                        help="number of the first program")
    parser.add_argument("--out", required=True)
    add_shares(parser)
    options = parser.parse_args()
    generate(options.seed, options.count, options.out, Shares.of(options),
             options.first)


if __name__ == "__main__":
    main()
