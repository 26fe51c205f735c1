# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes rows that compare the runtime's declarations of the CUDA driver with a toolkit's headers.

driver_types.py DRIVER_TABLE DRIVER_TYPES RESULTS CUDA_INCLUDE OUTPUT

The rows are for the macros of test/fakecuda/DriverTypesTest.cpp:
  FUNCTION(MEMBER, TYPE)  a row of DriverTable.def, with the toolkit's type for that name and version
  ABSENT(NAME, VERSION)   a row that the toolkit lacks, although the toolkit is new enough
  RESULT(CODE, NAME)      a result: its number and the toolkit's enumerator
"""
import pathlib
import re
import sys

NUMBER_OF_ROW = re.compile(r'^SPL_DRIVER(?:_FEATURE)?\(', re.MULTILINE)
ROW = re.compile(
    r'^SPL_DRIVER(?:_FEATURE\("[^"]*",|\()\s*(\w+),\s*"(\w+)",\s*(\d+),', re.MULTILINE
)


def rows(table):
    """The member, name and version of each row."""
    found = ROW.findall(table)
    assert len(found) == len(NUMBER_OF_ROW.findall(table)), "a row is not understood"
    return found


def enumerator(name):
    """The toolkit's enumerator for a result, such as CUDA_ERROR_ILLEGAL_ADDRESS for IllegalAddress."""
    if name == "Success":
        return "CUDA_SUCCESS"
    return "CUDA_ERROR" + re.sub(r"([A-Z])", r"_\1", name).upper()


def write(table, types, results, include):
    typedefs = (include / "cudaTypedefs.h").read_text(encoding="utf-8")
    cuda = (include / "cuda.h").read_text(encoding="utf-8")
    release = int(re.search(r"#define CUDA_VERSION (\d+)", cuda)[1])
    for member, name, version in rows(table):
        typedef = f"PFN_{name}_v{version}"
        if f"*{typedef})" in typedefs:
            yield f"FUNCTION({member}, {typedef})"
        elif int(version) <= release:
            yield f'ABSENT("{name}", {version})'
    body = types[types.index("enum class CuResult") :]
    codes = re.findall(r"^  (\w+) = (\d+),$", body[: body.index("};")], re.MULTILINE)
    assert codes, "CuResult is not understood"
    named = [(enumerator(name), code) for name, code in codes]
    named += [(name, code) for code, name in re.findall(r'^RESULT\((\d+), "(\w+)"', results, re.M)]
    for name, code in named:
        if re.search(rf"\b{name}\b", cuda):
            yield f"RESULT({code}, {name})"
        else:
            yield f'ABSENT("{name}", {code})'


def main():
    *texts, include, output = map(pathlib.Path, sys.argv[1:])
    texts = [path.read_text(encoding="utf-8") for path in texts]
    output.write_text("\n".join(write(*texts, include)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
