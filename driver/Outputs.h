// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outputs of a compilation: the stages that all targets share (Stages.def), and the outputs of
// the target (codegen::Output). Each has a name, which is a value of --emit.
#pragma once

#include "codegen/Target.h"
#include <optional>
#include <string>
#include <vector>

namespace spl::driver {

/// The stages, in the order in which a compilation reaches them.
enum class Stage : uint8_t {
#define STAGE(Id, ...) Id,
#include "driver/Stages.def"
};
std::optional<Stage> stageNamed(llvm::StringRef name);

/// The stage or the target's output with that name, or null.
const codegen::Output *findOutput(const codegen::Target &target, llvm::StringRef name);
/// The names of the stages and of all targets' outputs except hidden ones, each once.
std::vector<std::string> allOutputNames();
/// The names of all targets' outputs that have this use, each once.
std::vector<std::string> outputNames(codegen::Output::Use use);

} // namespace spl::driver
