"""How many lines has the emitted text, beside the source's?

    lines.py [VARIANT ...]

Of the accept cases' expectations, by variant: the geometric mean of the ratio of lines
of the whole file, its median, and how many are above 1.6.
"""
import collections
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "accept"


def lines(path):
    return len(path.read_bytes().splitlines())


def ratios():
    found = collections.defaultdict(list)
    for text in ROOT.glob("*/*/expected.*.cu"):
        variant = text.name.removeprefix("expected.").removesuffix(".cu")
        found[variant].append(lines(text) / lines(text.parent / "kernel.cu"))
    return found


def main():
    for variant, all_of in sorted(ratios().items()):
        if len(sys.argv) == 1 or variant in sys.argv[1:]:
            print(f"{variant:18} {len(all_of):4} texts, mean "
                  f"{statistics.geometric_mean(all_of):.2f}, median "
                  f"{statistics.median(all_of):.2f}, above 1.6: "
                  f"{sum(ratio > 1.6 for ratio in all_of)}")


main()
