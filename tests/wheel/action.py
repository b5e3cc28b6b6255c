"""action.py ACTION: runs the shell steps of a composite action as a runner does, in
a scratch checkout: inputs and outputs of steps by name, `bash -eo pipefail`, files
for GITHUB_OUTPUT; a step with `uses` is noted. Needs ruamel.yaml."""
import json
import os
import re
import subprocess
import sys
import tempfile

from ruamel.yaml import YAML

KERNEL = """
__global__ void k(const float *a, float *out, int tiles) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = a[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < SIZE; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
"""


class Runner:
    def __init__(self, action, inputs, scratch):
        with open(os.path.join(action, "action.yml")) as file:
            self.action = YAML(typ="safe").load(file)
        self.path, self.scratch = action, scratch
        unknown = set(inputs) - set(self.action["inputs"])
        assert not unknown, unknown
        self.inputs = {name: inputs.get(name, about["default"])
                       for name, about in self.action["inputs"].items()}
        self.steps, self.used, self.said = {}, [], ""

    def value(self, name):
        where, *rest = name.split(".")
        if where == "inputs":
            return self.inputs[rest[0]]
        step, outputs, output = rest
        assert (where, outputs) == ("steps", "outputs"), name
        return self.steps[step].get(output, "")

    def fill(self, text):
        def found(match):
            name, _, compared = match[1].strip().partition(" ")
            if not compared:
                return self.value(name)
            operator, literal = re.fullmatch(r"(==|!=) '(.*)'", compared).groups()
            same = self.value(name) == literal
            return "true" if same == (operator == "==") else ""

        return re.sub(r"\$\{\{(.*?)\}\}", found, str(text))

    def shell(self, step):
        out = os.path.join(self.scratch, "output")
        open(out, "w").close()
        env = dict(os.environ, GITHUB_ACTION_PATH=self.path, GITHUB_OUTPUT=out,
                   RUNNER_TEMP=os.path.join(self.scratch, "temp"))
        env.update({n: self.fill(v) for n, v in step.get("env", {}).items()})
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
             self.fill(step["run"])], env=env, check=False, encoding="utf-8",
            cwd=os.path.join(self.scratch, "checkout"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.said += done.stdout
        with open(out) as file:
            self.steps[step.get("id")] = dict(
                line.rstrip("\n").split("=", 1) for line in file)
        return done.returncode

    def run(self):
        """The exit code of the step that failed, or 0."""
        for step in self.action["runs"]["steps"]:
            if not self.fill(step.get("if", "always")):
                continue
            if "uses" in step:
                self.used.append({n: self.fill(v) for n, v in step["with"].items()})
                continue
            code = self.shell(step)
            if code:
                return code
        return 0

    def outputs(self):
        return {name: self.fill(about["value"])
                for name, about in self.action["outputs"].items()}


def expect(what, got, wanted, said):
    if got != wanted:
        print("FAILED: %s: %r, not %r\n%s" % (what, got, wanted, said))
        sys.exit(1)


def check(what, inputs, scratch, code, changes):
    runner = Runner(os.path.abspath(sys.argv[1]), inputs, scratch)
    expect(what, runner.run(), code, runner.said)
    expect(what + ": changes", runner.outputs()["changes"], changes, runner.said)
    for step in runner.used:
        with open(step["sarif_file"]) as file:
            report = json.load(file)
        expect(what + ": version", report["version"], "2.1.0", "")
    expect(what + ": uploads", len(runner.used),
           int(runner.inputs["upload"] == "true"), runner.said)
    return runner


def main():
    flags = {"flags": "-DSIZE=256"}
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("temp", "checkout/src"):
            os.makedirs(os.path.join(scratch, name))
        for name, text in (("a b.cu", KERNEL), ("plain.cu", "int x;\n")):
            with open(os.path.join(scratch, "checkout/src", name), "w") as file:
                file.write(text)
        runner = check("a kernel", flags, scratch, 1, "1")
        assert "::warning file=src/a b.cu::" in runner.said, runner.said
        # One virtual environment does for the others.
        flags["package"] = "pipelinify"
        check("no failure", dict(flags, fail="false", upload="false"), scratch, 0, "1")
        check("left out", dict(flags, args="--exclude=a*"), scratch, 0, "0")
        check("one path", dict(flags, paths="src/plain.cu"), scratch, 0, "0")
        check("no such path", {"package": "pipelinify", "paths": "none.cu",
                               "fail": "false"}, scratch, 2, "0")
    print("steps: fine")


if __name__ == "__main__":
    main()
