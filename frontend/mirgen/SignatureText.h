// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled code says of a kernel to the runtime, which checks arguments by it.
#pragma once

#include <string>

namespace spl::sema {
struct Function;
}

namespace spl::mirgen {

/// The kernel's signature as spl::Signature reads it: "scale(alpha: f32, x: &mut [f32])"; before it
/// the structs and enums that it needs, "struct Body(pos: f32x4, mass: f32) ", and what else the
/// runtime must know: "#[gpu(block: [256])] scale(#[alias] x: &mut [f32])".
std::string signatureText(const sema::Function &kernel);

} // namespace spl::mirgen
