#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/c.md to standard output: the headers of the C interface, with what their comments say. Fails for
a function that has no comment."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[1]
INCLUDE = ROOT / "runtime/include/spl"

# In the order in which one would read them, each with what it is about.
HEADERS = {
    "types": "Handles and statuses", "error": "Failures", "device": "Backends and devices",
    "config": "The config file", "context": "Contexts", "array": "Arrays", "launch": "Launches",
    "module": "Modules and kernels", "jit": "Kernels from source", "stream": "Streams and events",
    "pool": "Pools", "graph": "Graphs", "pipeline": "Pipelines", "loader": "Loaders",
    "trace": "Traces", "half": "16-bit floats", "gpu": "A small set for interpreters",
}

ITEM = re.compile(r"""^/\*\*(?P<text>(?:(?!\*/).)*)\*/\n
                      (?P<code>typedef\ struct\ \w+\ \{.*?^\}\ \w+;
                              |enum\ \w+\ \{.*?^\};
                              |[^;{}]*;)""", re.MULTILINE | re.DOTALL | re.VERBOSE)
FILE = re.compile(r"/\*\*\n \* \\file\n(.*?)\*/", re.DOTALL)
FUNCTION = re.compile(r"^\w[\w *]*?\b(spl_\w+)\(", re.MULTILINE)
HANDLE = re.compile(r"^typedef uint64_t (\w+); +/\*\*< (.*) \*/", re.MULTILINE)
ROW = re.compile(r"^SPL_ERROR_CODE\(\w+, (\d+), (\w+), \"([\w-]+)\", \"(.*)\"\)$", re.MULTILINE)


def prose(comment):
    """A comment as Markdown: names as code, empty lines kept, the stars gone."""
    text = "\n".join(re.sub(r"^ ?\* ?", "", line) for line in comment.strip().splitlines())
    names = r"`[^`]*`|\"[^\"]*\"|<[\w/.]+>|\b(?:spl|SPL)_\w+(?:\.\w+)?(?:\(\))?|\{\.(?:[^{}]|\{[^{}]*\})*\}"
    return re.sub(names, lambda name: name[0] if name[0][0] == "`" else f"`{name[0]}`",
                  text.strip())


def expanded(code):
    """An enum of the rows of a table, as the compiler sees it."""
    rows = ROW.findall((INCLUDE / "ErrorCodes.def").read_text(encoding="utf-8"))
    lines = "".join(f"  SPL_{name} = {number}, /**< {text}: {why} */\n"
                    for number, name, text, why in rows)
    return re.sub(r"#define SPL_ERROR_CODE.*\n#include.*\n", lambda _: lines, code)


def page(name, text):
    yield f"\n## {HEADERS[name]}\n\n`<spl/c/{name}.h>`\n\n{prose(FILE.search(text)[1])}\n"
    handles = HANDLE.findall(text)
    if handles:
        yield "\n| handle of | type |\n| --- | --- |\n"
        yield from (f"| {what} | `{handle}` |\n" for handle, what in handles)
    functions = set(FUNCTION.findall(text))
    for item in ITEM.finditer(text, FILE.search(text).end()):
        function = FUNCTION.match(item["code"])
        if function:
            functions.discard(function[1])
            yield f"\n### `{function[1]}`\n"
        yield f"\n{prose(item['text'])}\n\n```c\n{expanded(item['code'])}\n```\n"
    if functions:
        sys.exit(f"{name}.h: there is no comment before {', '.join(sorted(functions))}")


def main():
    found = {path.stem: path for part in ["runtime", "jit"]
             for path in sorted((ROOT / part / "include/spl/c").glob("*.h"))}
    if found.keys() != HEADERS.keys():
        sys.exit(f"{', '.join(sorted(found.keys() ^ HEADERS.keys()))}: name each header here")
    print("<!-- Made from the headers in spl/c/ by 'ninja docs'; do not edit. -->\n"
          "# The C interface\n\n"
          "Include `<spl/spl.h>` in C99 or later. In C++ the same header declares the C++ interface too.\n\n"
          "- `libspl-runtime.so` has all functions except those for [kernels from source](#kernels-from-source).\n"
          "- `libspl-jit.so` has those for kernels from source.\n"
          "- `examples/vector_add.c` and `examples/vector_add.py` are complete programs.")
    for name in HEADERS:
        print("".join(page(name, found[name].read_text(encoding="utf-8"))), end="")


main()
