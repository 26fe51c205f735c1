# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/architecture.md lists the files that a new backend touches. No other file may name a backend."""
import re

import lint

PAGE = "docs/architecture.md"
HEADING = "### A new backend\n"
TABLE = "runtime/include/spl/Backends.def"
ROW = re.compile(r"^SPL_BACKEND\((\w+), ", re.MULTILINE)
# Tests may name the backends that they test. Examples and benchmarks may name those that they run
# on.
FREE = ("test/", "bench/", "examples/")
DEFAULT = "Backend backend = Backend::"  # the value of a new DeviceInfo


def listed(root):
    """The paths of the page's table for a backend of the product, and those for the null backend."""
    page = lint.read(root / PAGE)
    section = page.partition(HEADING)[2].partition("\n#")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return [[path for row in rows for path in re.findall(r"`([^`]+)`", row[column])] for column in (1, 3)]


def under(name, paths):
    return any(name == path or (path.endswith("/") and name.startswith(path)) for path in paths)


def check(root):
    product, null = listed(root)
    if not product or not null:
        yield f"{PAGE}: no table behind '{HEADING.strip()}'"
    names = ROW.findall(lint.read(root / TABLE))
    if not names:
        yield f"{TABLE}: no row found"
    for path in null + [path.replace("NAME", name.lower()) for name in names for path in product]:
        if not (root / path).exists():
            yield f"{PAGE}: {path} is not there"
    for path in lint.sources(root, suffixes=[".h", ".cpp", ".def", ".txt"]):
        name, text = path.relative_to(root).as_posix(), lint.read(path).replace(DEFAULT, "")
        for backend in names:
            places = [place.replace("NAME", backend.lower()) for place in product]
            if re.search(rf"\b(Backend::|entryOf){backend}\b", text) and not under(name, places) \
                    and not name.startswith(FREE):
                yield f"{name}: names the backend {backend}, and is not in the table of {PAGE}"
        if re.search(r"\b(entryOfNull|NullBackend)\b", text) and not under(name, null):
            yield f"{name}: names the null backend, and is not in the table of {PAGE}"


SOUND = {
    PAGE: "# A\n\n### A new backend\n\n| file | what | null |\n| --- | --- | --- |\n"
          "| `runtime/backends/NAME/` | it | `test/backends/null/` |\n| `jit/A.cpp` | x | |\n## B\n",
    TABLE: 'SPL_BACKEND(Cuda, "cuda")\n',
    "runtime/backends/cuda/A.cpp": "const BackendEntry entryOfCuda;\n",
    "jit/A.cpp": "case Backend::Cuda:\n",
    "test/backends/null/A.cpp": "const BackendEntry entryOfNull;\n",
    "test/unit/A.cpp": "Backend::Cuda\n",
    "runtime/include/spl/Device.h": "  Backend backend = Backend::Cuda;\n",
}
lint.main(check, sound=SOUND, broken=[
    ({"runtime/launch/A.cpp": "if (backend == Backend::Cuda)\n"}, "names the backend Cuda"),
    ({"test/unit/A.cpp": "entryOfNull\n"}, "names the null backend"),
    ({"jit/A.cpp": None}, "jit/A.cpp is not there"),
    ({PAGE: "# A\n"}, "no table"),
    ({TABLE: "// none\n"}, "no row"),
])
