// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signature of a kernel, against which the runtime checks the arguments of launches.
#pragma once

#include "spl/abi/Signature.h"

namespace spl::sema {
struct Function;
}

namespace spl::mirgen {

/// The kernel's name, parameters and fixed group size, and the structs and enums of the parameters.
/// Types of two files may share a name; the second of them is called NAME_2 here.
abi::Signature signatureOf(const sema::Function &kernel);

} // namespace spl::mirgen
