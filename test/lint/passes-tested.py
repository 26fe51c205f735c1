# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass in the tables mir/transforms/*Passes.td is run by its name in a test of test/mir or test/contracts."""
# END.
import re

import lint

PASS = re.compile(r':\s*(?:Interface)?Pass<\s*"([^"]+)"')


def check(root):
    passes = []
    for table in sorted((root / "mir/transforms").glob("*Passes.td")):
        found = PASS.findall(lint.read(table))
        if not found:
            yield f"{table.relative_to(root)}: no pass found"
        passes += found
    run_lines = "\n".join(
        line
        for path in lint.sources(root, folders=["test/mir", "test/contracts"], suffixes=[".mlir", ".spl", ".test"])
        for line in lint.read(path).splitlines()
        if "RUN:" in line
    )
    for name in passes:
        if not re.search(r"[-(=, ]" + re.escape(name) + r"(?![\w-])", run_lines):
            yield f"{name}: no RUN line in test/mir or test/contracts names it"


lint.main(
    check,
    sound={
        "mir/transforms/Passes.td": 'def A : Pass<"spl-inline", "::mlir::ModuleOp"> {\n}\n'
                                    'def B : InterfacePass<"spl-inline-more", "X">;\n',
        "mir/transforms/GpuPasses.td": 'def C : Pass<"spl-join", "::mlir::ModuleOp">;\n',
        "test/mir/inline.mlir": "// RUN: simple-opt %s --spl-inline --spl-join | FileCheck %s\n"
                                "// RUN: simple-opt %s -pass-pipeline='a(spl-inline-more)'\n",
    },
    broken=[
        ({"test/mir/inline.mlir": "// RUN: simple-opt --spl-inline-more\n"}, "spl-inline: no RUN"),
        ({"test/mir/inline.mlir": "// --spl-inline\n"}, "spl-inline: no RUN"),
        ({"test/mir/inline.mlir": "// RUN: simple-opt --spl-inline --spl-inline-more\n"}, "spl-join: no RUN"),
        ({"mir/transforms/Passes.td": ""}, "no pass found"),
    ],
)
