// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation can write: the stages that all targets share (Stages.def), then the outputs of
// its target (codegen::Output). Each has a name, which --emit takes.
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

/// The stage or the target's output of that name; null where there is none.
const codegen::Output *findOutput(const codegen::Target &target, llvm::StringRef name);
/// The names of the stages and of every target's outputs, each once.
std::vector<std::string> allOutputNames();
/// The names of every target's outputs for that use, each once.
std::vector<std::string> outputNames(codegen::Output::Use use);

} // namespace spl::driver
