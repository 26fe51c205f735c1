# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the bytes of the file INPUT to OUTPUT as the elements of a C++ array.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(................................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "${bytes}\n")
