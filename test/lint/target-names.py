# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code outside codegen/targets names no target, be it in an include, a type, an enumerator or a comparison.
The values of --target in texts are allowed."""
import re

import lint

FOLDERS = ["bench", "cli", "codegen", "driver", "frontend", "intrinsics", "jit", "mir", "tools"]
ROW = re.compile(r"^(?:TEST_)?TARGET\((\w+)\)", re.MULTILINE)


def rules(targets):
    """Pairs of a pattern and the problem that a match is."""
    folders = "|".join(targets)
    names = "|".join(target.capitalize() for target in targets)
    return [
        (rf'#\s*include\s*"codegen/targets/(?:{folders})/', "includes a header of a target"),
        (rf"\bis(?:{names})\b", "asks whether it is one target"),
        (rf"\b(?:Kind|Target)::(?:{names})\b", "names a target by an enumerator"),
        (rf"\b(?:codegen::)?(?:{folders})::\w", "names a target's namespace"),
        (rf"\b(?:create)?(?:{names})(?:Target|Backend|Hooks|Arch|Way)\b", "names a type of a target"),
        (r"\bmir::Target\b|\bTargetSpec::Kind\b", "has a list of targets of its own"),
        (r"\b[tT]arget\w*(?:->|\.)(?:name|title|backend)\(\)\s*[!=]=\s*\"", "compares a target's name"),
        (r"\bcapability\s*[!=]=\s*0\b", "tells targets apart by the compute capability"),
    ]


def check(root):
    targets = ROW.findall(lint.read(root / "codegen/targets/Targets.def"))
    if not targets:
        yield "codegen/targets/Targets.def: no row found"
        return
    for path in lint.sources(root, folders=FOLDERS, suffixes=[".h", ".cpp", ".td", ".def"]):
        name = path.relative_to(root).as_posix()
        if name.startswith("codegen/targets/"):
            continue
        text = re.sub(r"//[^\n]*", "", lint.read(path))
        for pattern, what in rules(targets):
            for found in re.finditer(pattern, text):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{name}:{line}: {what}: {found.group()}"


SOUND = {
    "codegen/targets/Targets.def": "TARGET(nvptx)\nTARGET(cpu)\nTEST_TARGET(null)\n",
    "codegen/targets/cpu/Target.cpp": '#include "codegen/targets/cpu/Host.h"\nclass CpuTarget {};\n',
    "codegen/Pipeline.cpp": "// isCpu() is not here\noptions.target->addFinalPasses(passes, options);\n",
    "cli/RunCommand.cpp": 'if (context.backend() == Backend::Cpu)\n  parse("cpu");\n',
}
lint.main(
    check,
    sound=SOUND,
    broken=[
        ({"codegen/targets/Targets.def": ""}, "no row found"),
        *(
            ({"driver/Compilation.cpp": line + "\n"}, f"driver/Compilation.cpp:1: {problem}")
            for line, problem in [
                ('#include "codegen/targets/nvptx/Cubin.h"', "includes a header"),
                ("if (target.isCpu())", "asks whether"),
                ("if (options.isNvptx)", "asks whether"),
                ("case Kind::Nvptx:", "names a target by an enumerator"),
                ("mir::Target::Cpu", "names a target by an enumerator"),
                ("return codegen::cpu::target();", "names a target's namespace"),
                ("createNvptxBackend(options)", "names a type of a target"),
                ("TargetSpec::Kind kind;", "has a list of targets"),
                ('if (target->name() == "cpu")', "compares a target's name"),
                ("if (device.capability == 0)", "tells targets apart"),
            ]
        ),
    ],
)
