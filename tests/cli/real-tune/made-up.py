"""made-up.py BUNDLE VARIANT=MS[:VERDICT]...: results of a run that never was,
the original at 10 ms."""
import json
import sys

bundle, rows = sys.argv[1], []
for word in sys.argv[2:]:
    variant, _, said = word.partition("=")
    ms, _, verdict = said.partition(":")
    rows.append({
        "case": "k", "kernel": "gemm", "launch": 0, "variant": variant,
        "verdict": verdict or "equal", "detail": None,
        "auto": variant == "ldg", "time_ms_original": 10.0,
        "time_ms": float(ms) if ms else None,
        "time_ms_min": float(ms) * 0.999 if ms else None})
device = {"name": "NVIDIA H200", "arch": "sm_90", "cuda": "13.0"}
with open(bundle + "/results.json", "w") as out:
    json.dump({"version": 2, "device": device, "results": rows}, out)
