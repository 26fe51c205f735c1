# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes follow the arrows of docs/architecture.md. Some headers may be included by few parts only."""
import re

import lint

# What each part may include besides itself: parts of the project, "llvm", "mlir", or "spl" for the
# public headers of the runtime. Part names are path prefixes. The longest matching prefix applies.
ABI = ["spl/abi", "spl/cpu_abi.h", "spl/ScalarTypes.def", "spl/FaultKinds.def", "spl/CpuImports.def", "spl/CpuLevels.def",
       "spl/fault_record.h", "spl/FaultRecord.def", "spl/FaultSite.def", "spl/grid_counter.h"]
ALLOWED = {
    "abi": ABI,
    "intrinsics": ["llvm"],
    "diagnostics": [],
    "frontend/diag": ["diagnostics", "llvm"],
    "frontend/lex": ["frontend/diag", "llvm"],
    "frontend/syntax": [*ABI, "frontend/diag", "frontend/lex", "llvm"],
    "frontend/sema": [*ABI, "frontend/diag", "frontend/lex", "frontend/syntax", "intrinsics", "llvm"],
    "frontend/mirgen": [*ABI, "frontend", "intrinsics", "mir", "llvm", "mlir"],
    "mir": [*ABI, "diagnostics", "intrinsics", "llvm", "mlir"],
    "codegen": [*ABI, "intrinsics", "mir", "llvm", "mlir"],
    "runtime": ["spl"],
    "test/ptxsim": [],
    "driver": [*ABI, "diagnostics", "intrinsics", "frontend", "mir", "codegen", "llvm", "mlir"],
    "jit": ["intrinsics", "frontend", "mir", "codegen", "driver", "runtime", "spl", "llvm", "mlir"],
    "cli": ["intrinsics", "frontend", "mir", "codegen", "driver", "jit", "runtime", "spl", "llvm", "mlir"],
}

# Headers that only the named parts may include.
FORBIDDEN = [
    (r"mlir/Conversion/Passes\.h", [], "an umbrella: name the one conversion"),
    (r"mlir/InitAll", [], "register what is used"),
    (r"mlir/Dialect/LLVMIR/NVVMDialect\.h", [], "costs 10 s a file: use llvm.call_intrinsic"),
    (r"mlir/(Dialect/LLVMIR|Target)/", ["codegen", "driver", "jit", "cli", "tools"], "LLVM IR is codegen's"),
    (r"llvm/(IR|Target|MC|CodeGen|ExecutionEngine|Bitcode|Passes)/", ["codegen", "driver", "jit", "cli", "tools"],
     "LLVM IR is codegen's"),
    (r"(cuda|cuda_runtime|nvrtc|nvml)\.h", [], "no CUDA toolkit is needed to build"),
]

# Only a backend includes its own headers. All other code uses it through the registry.
BACKEND = re.compile(r"(runtime/backends/\w+)/")

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
KNOWN = ["llvm", "llvm-c", "mlir", "spl", "bench", "tools", "examples", "test", *ALLOWED]


def under(name, parts):
    return any(name == part or name.startswith(part + "/") for part in parts)


def check(root):
    for path in lint.sources(root, suffixes=[".h", ".cpp", ".c", ".td", ".def"]):
        name = path.relative_to(root).as_posix()
        text = lint.read(path)
        part = max((part for part in ALLOWED if under(name, [part])), key=len, default=None)
        for header in INCLUDE.findall(text):
            for pattern, owners, why in FORBIDDEN:
                if re.match(pattern, header) and not under(name, [*owners, "bench", "test"]):
                    yield f"{name}: includes {header}: {why}"
            backend = BACKEND.match(header)
            if backend and not under(name, [backend.group(1), "bench", "test"]):
                yield f"{name}: includes {header}: only {backend.group(1)} may"
            if part and under(header, KNOWN) and not under(header, [part, *ALLOWED[part]]):
                yield f"{name}: includes {header}, which is not downstream of {part}"


lint.main(
    check,
    sound={
        "frontend/lex/Lexer.cpp": '#include "frontend/diag/Engine.h"\n#include <vector>\n',
        "codegen/Pipeline.cpp": '#include "mir/dialect/Spl.h"\n#include "llvm/IR/Module.h"\n',
        "runtime/launch/Context.cpp": "#include <spl/Context.h>\n",
        "tools/simple/Main.cpp": '#include "jit/Jit.h"\n#include "mlir/Target/LLVMIR/Export.h"\n',
    },
    broken=[
        ({"frontend/diag/Engine.cpp": '#include "frontend/lex/Lexer.h"\n'}, "frontend/lex/Lexer.h"),
        ({"frontend/sema/Check.cpp": "#include <mlir/IR/Value.h>\n"}, "mlir/IR/Value.h"),
        ({"mir/Pass.cpp": '  # include "codegen/Target.h"\n'}, "codegen/Target.h"),
        ({"mir/Pass.cpp": '#include "frontend/sema/Type.h"\n'}, "frontend/sema/Type.h"),
        ({"mir/Pass.cpp": '#include "llvm/IR/Module.h"\n'}, "LLVM IR is codegen's"),
        ({"runtime/backends/cuda/A.cpp": '#include "runtime/backends/cpu/B.h"\n'}, "only runtime/backends/cpu may"),
        ({"runtime/launch/A.cpp": '#include "runtime/backends/cuda/B.h"\n'}, "only runtime/backends/cuda may"),
        ({"jit/A.cpp": '#include "runtime/backends/cpu/B.h"\n'}, "only runtime/backends/cpu may"),
        ({"mir/Ops.td": 'include "x"\n#include "codegen/T.td"\n'}, "codegen/T.td"),
        ({"codegen/Cpu.cpp": "#include <spl/Context.h>\n"}, "spl/Context.h"),
        ({"runtime/launch/A.cpp": '#include "llvm/ADT/StringRef.h"\n'}, "llvm/ADT/StringRef.h"),
        ({"runtime/backends/cuda/A.cpp": "#include <cuda.h>\n"}, "cuda.h"),
        ({"test/ptxsim/A.cpp": '#include "codegen/Target.h"\n'}, "codegen/Target.h"),
        ({"jit/Jit.cpp": '#include "tools/simple/Run.h"\n'}, "tools/simple/Run.h"),
        ({"tools/a.cpp": '#include "mlir/InitAllDialects.h"\n'}, "mlir/InitAllDialects.h"),
        ({"codegen/a.cpp": '#include "mlir/Dialect/LLVMIR/NVVMDialect.h"\n'}, "10 s a file"),
        ({"codegen/a.cpp": '#include "mlir/Conversion/Passes.h"\n'}, "an umbrella"),
    ],
)
