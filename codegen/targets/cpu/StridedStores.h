// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM scatters the lanes of a vector to every second or fourth element, as in a step of a tree in
// shared memory. CPUs execute a scatter as one store for each lane. A store of a vector under a
// mask stores all lanes that are in it at once.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Replaces scatters without a mask, whose elements are at small constant distances, by masked
/// stores. For machines with AVX-512. Runs after all optimisations.
void storeStridedScatters(llvm::Module &module);

} // namespace spl::codegen
