# RUN: /usr/bin/python3 %s %src_root %t
# REQUIRES: libclang
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/mutate on one small file: it plants every kind of rewrite, the result compiles, each mutant does what its
row says, and the numbers that a process reaches are recorded."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

ROOT, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from mutation import instrument, rewrites, sampling  # noqa: E402

SOURCE = """#include <algorithm>
#include <array>
#include <cstdio>
#define TWICE(x) ((x) + (x))
enum class Way { Up, Down, Flat };
static const int table[] = {1, 2, 3};
constexpr int limit() { return 4 + 5; }
static int step(Way way, int by) {
  switch (way) {
  case Way::Up:
    return by;
  case Way::Down:
    by = by - 10;
    break;
  case Way::Flat:
    break;
  }
  return by - 1;
}
static bool fits(int a, int b) { return a < b && b <= limit(); }
static int neverCalled() { return 7; }
int main() {
  std::array<int, 3> values{};
  int sum = 0;
  for (int value : table)
    if (fits(value, 3))
      sum += std::min(value, 2);
    else {
      sum += 100;
    }
  values.fill(sum);
  bool all = std::all_of(values.begin(), values.end(), [](int v) { return v > 90; });
  std::printf("%d %d %d %d\\n", sum, all, TWICE(sum), step(Way::Down, values[1]) + step(Way::Up, 1));
  return sizeof(&neverCalled) == 1;
}
"""


def prepare():
    """A tree of one file, with the compilation database that a build would have."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    root, tree, build = FOLDER / "root", FOLDER / "tree", FOLDER / "tree/build/release"
    for folder in (root / "mir", tree / "mir", build):
        folder.mkdir(parents=True)
    (root / "mir/Small.cpp").write_text(SOURCE, encoding="utf-8")
    (tree / "mutants.h").write_bytes(instrument.HEADER.read_bytes())
    path = tree / "mir/Small.cpp"
    command = f"clang++-22 -std=c++20 -I{tree} -o Small.o -c {path}"
    database = [{"directory": str(build), "command": command, "file": str(path)}]
    (build / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    return instrument.Sources(root, tree, build, FOLDER / "mutants.json"), path


def run(program, **environment):
    result = subprocess.run([program], env={**os.environ, **environment}, stdout=subprocess.PIPE, timeout=20,
                            check=False)
    return result.stdout.decode().strip() if result.returncode == 0 else "crash"


sources, path = prepare()
sources.update(["mir/Small.cpp"], 1, lambda text: None)
program = FOLDER / "small"
subprocess.run(["clang++-22", "-std=c++20", f"-I{sources.tree}", path, "-o", program], check=True)
mutants = list(sampling.all_mutants(sources.files, ["mir"]))

planted = {mutant["rewrite"] for mutant in mutants}
assert planted == set(rewrites.NAMES), set(rewrites.NAMES) - planted
lines = SOURCE.splitlines()
for mutant in mutants:
    line = lines[mutant["line"] - 1]
    assert mutant["source"] == line.strip(), mutant
    # Neither constants, nor macros, nor labels.
    assert "constexpr" not in line and "table[]" not in line and not line.startswith("#"), mutant
    assert "case" not in mutant["from"], mutant

reached = FOLDER / "reached"
expected = run(program, MUTANTS_REACHED=str(reached))
assert expected == "103 1 206 93", expected
numbers = {number for (number,) in struct.iter_unpack("=I", reached.read_bytes())}
unreached = [mutant for mutant in mutants if mutant["number"] not in numbers]
assert unreached and all("neverCalled" in mutant["source"] or "Flat" in mutant["source"] or mutant["line"] < 20
                         for mutant in unreached), unreached
changed = 0
for mutant in mutants:
    output = run(program, MUTANT=str(mutant["number"]))
    changed += output != expected
    assert mutant["number"] in numbers or output == expected, (mutant, output)
assert changed > len(mutants) / 2, (changed, len(mutants))

# What has not changed is not rewritten again; what has keeps its numbers.
before = path.stat().st_mtime_ns
again = instrument.Sources(sources.root, sources.tree, sources.build, sources.table)
assert not again.stale(["mir/Small.cpp"])
again.update(["mir/Small.cpp"], 1, lambda text: None)
assert path.stat().st_mtime_ns == before
assert sampling.draw(mutants, 5, 1) == sampling.draw(list(mutants), 5, 1)

helped = subprocess.run([ROOT / "scripts/mutate", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
assert "usage: scripts/mutate" in helped
for wrong, text in ((["nowhere"], "'nowhere' is neither"), (["cli"], "is in none of"), (["--count", "0"], "--count")):
    result = subprocess.run([ROOT / "scripts/mutate", *wrong], stderr=subprocess.PIPE, check=False)
    assert result.returncode and text in result.stderr.decode(), (wrong, result.stderr)
