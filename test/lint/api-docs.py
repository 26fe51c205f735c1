# REQUIRES: doxygen
# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the documentation of the public headers. Doxygen must understand every comment, every public
class needs a comment and a page, and docs/api.md must list every header."""
import pathlib
import re
import subprocess
import tempfile

import lint

ROOTS = ["abi/include", "runtime/include", "jit/include"]
CLASS = re.compile(r"^(?:template <.*> )?(?:class|struct) (\w+)[^;]*\{", re.MULTILINE)


def classes(root):
    for path in lint.sources(root, suffixes=[".h"]):
        if any(root / folder in path.parents for folder in ROOTS):
            text = re.sub(r"namespace detail \{.*?\n\}", "", lint.read(path), flags=re.DOTALL)
            yield from CLASS.findall(text)


def headers(root):
    for folder in ROOTS:
        yield from (f"spl/{path.name}" for path in (root / folder / "spl").glob("*.h"))


def check(root):
    table = (root / "docs/api.md").read_text(encoding="utf-8")
    yield from (f"docs/api.md does not list {name}" for name in sorted(headers(root)) if f"`{name}`" not in table)
    settings = (pathlib.Path(__file__).parents[2] / "docs/Doxyfile.in").read_text(encoding="utf-8")
    roots = [str(root / folder) for folder in ROOTS if (root / folder).exists()]
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "api.md"
        page.write_text("# The headers\n", encoding="utf-8")
        values = {"SPL_API_INPUT": " ".join([str(page), *roots]), "SPL_API_ROOTS": " ".join(roots),
                  "SPL_API_FOLDER": folder, "PROJECT_VERSION": "0", "PROJECT_SOURCE_DIR": str(root)}
        settings = re.sub(r"@(\w+)@", lambda name: values[name.group(1)], settings)
        done = subprocess.run(["doxygen", "-"], input=settings + "\nWARN_IF_UNDOCUMENTED = YES\n",
                              text=True, capture_output=True, check=True)
        for line in done.stderr.splitlines():
            if not re.search(r"Member .* is not documented", line):
                yield line
        listed = (pathlib.Path(folder) / "annotated.html").read_text(encoding="utf-8") + "".join(
            path.read_text(encoding="utf-8") for path in pathlib.Path(folder).glob("namespace*.html"))
        for name in classes(root):
            if not re.search(rf">{name}<", listed):
                yield f"{name} has no page"


HEADER = "runtime/include/spl/Thing.h"
PAGE = {"docs/api.md": "# The headers\n\n`spl/Thing.h` has things.\n"}
SOUND = "/// \\file\n/// Things.\nnamespace spl {\n/// A thing.\nclass Thing {\npublic:\n  /// Goes.\n  void go();\n};\n}\n"
lint.main(
    check,
    sound={HEADER: SOUND, **PAGE},
    broken=[
        ({HEADER: SOUND.replace("/// A thing.\n", ""), **PAGE}, "Compound spl::Thing is not documented"),
        ({HEADER: SOUND.replace("Goes.", "Goes; see \\ref nowhere."), **PAGE}, "reference to 'nowhere'"),
        ({HEADER: SOUND, "docs/api.md": "# The headers\n"}, "docs/api.md does not list spl/Thing.h"),
    ],
)
