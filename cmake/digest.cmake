# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the digest of all files in the list FILES to OUTPUT, as a C++ string literal.
set(digests "")
foreach(file ${FILES})
  file(SHA256 "${file}" digest)
  string(APPEND digests "${digest}")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE "${OUTPUT}" "\"${digest}\"\n")
