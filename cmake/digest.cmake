# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes to OUTPUT, as a string literal of C++, the digest of all files in the list FILES.
set(digests "")
foreach(file ${FILES})
  file(SHA256 "${file}" digest)
  string(APPEND digests "${digest}")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE "${OUTPUT}" "\"${digest}\"\n")
