# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in the documentation work.

A ```spl block compiles, for GPUs and for the CPU. In a ```console block each '$ simple ...' line succeeds
and prints exactly the lines below it, or fails and prints them if they contain an error. In such a block
kernel.spl is the last ```spl block above. The lines of a ```cpp block occur, in this order, in one of the
programs in examples/. On the pages for newcomers it is a whole program that compiles. The lines of a
```cuda block occur, in this order, in a .cu file of test/idioms. On the page for CUDA a ```spl block is a
part of a .spl file there, which is a test.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import lint

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEWCOMERS = ["README.md", "docs/tutorial.md"]
CUDA = "docs/cuda.md"
# A fake compiler for the self-test. It prints its argument, and compiles a file without the word
# "bad".
FAKE_SIMPLE = """#!/bin/sh
case $1 in
print) echo "$2" ;;
compile) ! grep -q bad "$2" ;;
esac
"""


def check(root):
    """Runs 'simple' from the tree's bin/, which only the self-test has, or else from PATH."""
    examples = [stripped(lint.read(path)) for path in sorted(root.glob("examples/**/*.cpp"))]
    cuda = [stripped(lint.read(path)) for path in sorted(root.glob("test/idioms/*.cu"))]
    idioms = [lint.read(path) for path in sorted(root.glob("test/idioms/*.spl"))]
    blocks = 0
    for page in sorted(root.glob("*.md")) + sorted(root.glob("docs/**/*.md")):
        name = str(page.relative_to(root))
        kernel = ""
        for kind, text in BLOCK.findall(lint.read(page)):
            blocks += 1
            problem = None
            if kind == "spl":
                kernel = text
                if name != CUDA:
                    problem = compile_kernel(root, text)
                elif not any("\n" + text in file for file in idioms):
                    problem = f"no .spl file in test/idioms holds these lines:\n{text}"
            elif kind == "cuda" and not any(stripped(text) in file for file in cuda):
                problem = f"no .cu file in test/idioms holds these lines:\n{text}"
            elif kind == "console":
                problem = run_session(root, text, kernel)
            elif kind == "cpp" and not any(stripped(text) in example for example in examples):
                problem = f"no program in examples/ holds these lines:\n{text}"
            elif kind == "cpp" and name in NEWCOMERS:
                problem = compile_program(root, text)
            if problem:
                yield f"{name}: {problem}"
    if not blocks:
        yield "no block found in any page"


def stripped(text):
    return "\n".join(line.strip() for line in text.strip().splitlines())


def shell(root, command, kernel=""):
    """Runs a command in a new folder that contains only examples/ and kernel.spl."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kernel.spl").write_text(kernel)
        (pathlib.Path(folder) / "examples").symlink_to(root / "examples")
        run = subprocess.run(["sh", "-c", f'PATH="{root}/bin:$PATH"; {command}'], cwd=folder,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return run.returncode, run.stdout.decode()


def compile_kernel(root, text):
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as source:
        source.write(text)
        source.flush()
        status, output = shell(root, f"simple compile {source.name} -o out.ptx && "
                                     f"simple compile {source.name} --target cpu -o out.s")
    return None if status == 0 else f"does not compile:\n{text}\n{output}"


def compile_program(root, text):
    if "int main(" not in text:
        return f"not a whole program:\n{text}"
    folders = [f"-I{root / folder / 'include'}" for folder in ("abi", "runtime", "jit")]
    run = subprocess.run(["clang++-22", "-std=c++20", "-fsyntax-only", "-x", "c++", *folders, "-"], input=text.encode(),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return None if run.returncode == 0 else f"does not compile:\n{text}\n{run.stdout.decode()}"


def run_session(root, text, kernel):
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        if not command.startswith("simple "):
            return f"not a command that can be tried: {command}"
        status, output = shell(root, command, kernel)
        if (status != 0) != (": error: " in expected) or output != expected:
            return f"$ {command}\nexit status {status}, prints\n{output}instead of\n{expected}"
    return None


def tree(page):
    return {"docs/page.md": page, "examples/a.cpp": "int a;\nint b;\n", "bin/simple": FAKE_SIMPLE,
            "test/idioms/a.cu": "// A.\n__global__ void k();\n", "test/idioms/a.spl": "# A test.\nfn bad_idiom\n"}


lint.main(
    check,
    sound=tree("```spl\nfn good\n```\n```console\n$ simple print x\nx\n$ simple compile kernel.spl\n```\n"
               "```cpp\n  int a;\n  int b;\n```\n```cuda\n__global__ void k();\n```\n```sh\nanything\n```\n")
    | {"docs/cuda.md": "```spl\nfn bad_idiom\n```\n"},
    broken=[
        (tree("```spl\nfn bad\n```\n"), "does not compile"),
        (tree("```spl\nfn bad\n```\n```console\n$ simple compile kernel.spl\n```\n"), "exit status"),
        (tree("```console\n$ simple print x\ny\n```\n"), "instead of"),
        (tree("```console\n$ simple print x\n```\n"), "instead of"),
        (tree("```console\n$ rm -rf x\n```\n"), "not a command that can be tried"),
        (tree("```console\n$ simple print ': error: '\n: error: \n```\n"), "exit status"),
        (tree("```cpp\nint c;\n```\n"), "no program in examples/"),
        (tree("```cuda\n__global__ void l();\n```\n"), "no .cu file in test/idioms"),
        ({"docs/cuda.md": "```spl\nfn good\n```\n"}, "no .spl file in test/idioms"),
        ({"README.md": "```cpp\nint a;\n```\n"}, "not a whole program"),
        ({"README.md": "```cpp\nint main() { b(); }\n```\n", "examples/b.cpp": "int main() { b(); }\n"},
         "undeclared identifier 'b'"),
        (tree("nothing\n") | {"docs/cuda.md": None}, "no block found"),
    ],
)
