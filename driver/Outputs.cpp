// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Outputs.h"
#include "llvm/ADT/STLExtras.h"

namespace spl::driver {

using codegen::Output;

static constexpr Output stages[] = {
#define STAGE(Id, Name, Extension) {Name, Extension, /*isText=*/true},
#include "driver/Stages.def"
};

std::optional<Stage> stageNamed(llvm::StringRef name) {
  const Output *found =
      llvm::find_if(stages, [&](const Output &stage) { return stage.name == name; });
  return found == std::end(stages) ? std::nullopt
                                   : std::optional(Stage(found - std::begin(stages)));
}

const Output *findOutput(const codegen::Target &target, llvm::StringRef name) {
  if (std::optional<Stage> stage = stageNamed(name))
    return &stages[unsigned(*stage)];
  return target.output(name);
}

static std::vector<std::string> names(llvm::ArrayRef<Output> first,
                                      llvm::function_ref<bool(const Output &)> holds) {
  std::vector<std::string> result;
  const auto add = [&](llvm::ArrayRef<Output> outputs) {
    for (const Output &output : outputs)
      if (holds(output) && !llvm::is_contained(result, output.name))
        result.push_back(output.name.str());
  };
  add(first);
  for (const codegen::Target *target : codegen::allTargets())
    add(target->outputs());
  return result;
}

std::vector<std::string> allOutputNames() {
  return names(stages, [](const Output &output) { return !output.is(Output::Hidden); });
}

std::vector<std::string> outputNames(Output::Use use) {
  return names({}, [&](const Output &output) { return output.is(use); });
}

} // namespace spl::driver
