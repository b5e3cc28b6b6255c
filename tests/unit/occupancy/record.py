"""record.py RESULTS.json: the runtime's occupancy of every kernel in a bundle's
results, for test_occupancy.c. One line for each set of figures: threads of a
block, registers of a thread, shared bytes of a block, blocks a multiprocessor,
and one kernel that has them."""

import json
import sys


def kernels(results):
    for row in results["results"]:
        for form, end in ("original", "_original"), (row["variant"], ""):
            yield row["case"], form, row["threads"], [
                row[name + end] for name in ("registers", "smem", "blocks_per_sm")
            ], row["smem_dynamic"] or 0


def main(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    device = results["device"]
    print(f"# {device['name']}, {device['arch']}, CUDA {device['cuda']}")
    seen = {}
    for case, form, threads, figures, dynamic in kernels(results):
        if threads is None or None in figures:
            continue
        registers, smem, blocks = map(int, figures)
        key = (int(threads), registers, smem + int(dynamic), blocks)
        seen.setdefault(key, f"{case} {form}")
    for key, name in sorted(seen.items()):
        print(*key, name)


if __name__ == "__main__":
    main(sys.argv[1])
