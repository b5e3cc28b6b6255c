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
"""
import argparse
import os

from dice import Dice
from hazards import plant
from orders import Orders
from program import Program


def make(seed, number, illegal_share, orders=0.0):
    """The text, the label and the features of one program."""
    dice = Dice("%s/%d" % (seed, number))
    if dice.random.random() >= illegal_share:
        program = Program(dice)
        if orders and dice.chance(orders):
            Orders(program).add()
        return program.text(), "legal", dice.features
    while True:
        program = Program(dice, no_stores=True)
        label = plant(program)
        if label:
            return program.text(), label, dice.features
        dice.features.clear()


def write(directory, text, label, features):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "kernel.cu"), "wb") as out:
        out.write(text)
    with open(os.path.join(directory, "label"), "w") as out:
        out.write(label + "\n")
        for name in sorted(features):
            out.write("%s: %s\n" % (name, " ".join(map(str, features[name]))))


def generate(seed, count, out, illegal_share, first=0, orders=0.0):
    """Writes programs first .. first + count - 1; gives back their directories."""
    directories = []
    for number in range(first, first + count):
        directory = os.path.join(out, "%04d" % number)
        write(directory, *make(seed, number, illegal_share, orders))
        directories.append(directory)
    return directories


def main():
    parser = argparse.ArgumentParser(description="random tile-loop kernels")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0,
                        help="number of the first program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--illegal-share", type=float, default=0.25)
    parser.add_argument("--orders", type=float, default=0.3,
                        help="share with statements between all barriers")
    options = parser.parse_args()
    generate(options.seed, options.count, options.out, options.illegal_share,
             options.first, options.orders)


if __name__ == "__main__":
    main()
