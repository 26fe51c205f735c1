// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/Compilation.h"
#include "codegen/Cubin.h"
#include "frontend/lex/Lexer.h"
#include "frontend/mirgen/MirGen.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/Dump.h"
#include "frontend/syntax/Parser.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::jit {

//===-- Stages --===//

const StageInfo &info(Stage stage) {
  static constexpr StageInfo infos[] = {
#define STAGE(Id, Name, Extension, IsText) {Name, Extension, IsText},
#include "jit/Stages.def"
  };
  return infos[unsigned(stage)];
}

std::optional<Stage> stageNamed(llvm::StringRef name) {
#define STAGE(Id, Name, ...)                                                                       \
  if (name == Name)                                                                                \
    return Stage::Id;
#include "jit/Stages.def"
  return std::nullopt;
}

//===-- State --===//

// What each step leaves for the next, in the order they are made.
struct Compilation::State {
  CompileOptions options;
  diag::SourceManager sources;
  diag::Engine diagnostics{sources};
  llvm::StringRef name, text;
  std::unique_ptr<syntax::File> file;
  std::unique_ptr<sema::Program> program;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelInfo> kernels;
};

Compilation::Compilation(CompileOptions options) : state(std::make_unique<State>()) {
  state->options = std::move(options);
}

Compilation::~Compilation() = default;

diag::Engine &Compilation::diagnostics() { return state->diagnostics; }

const std::vector<KernelInfo> &Compilation::kernels() const { return state->kernels; }

//===-- Source --===//

bool Compilation::readFile(llvm::StringRef path) {
  llvm::Expected<llvm::StringRef> text = state->sources.addFile(path);
  if (!text) {
    state->diagnostics.emit({}, diag::CannotReadFile, path, llvm::toString(text.takeError()));
    return false;
  }
  state->name = path;
  state->text = *text;
  return true;
}

bool Compilation::setText(llvm::StringRef name, llvm::StringRef text) {
  state->name = name;
  state->text = state->sources.addBuffer(name, text);
  return true;
}

//===-- Steps, each from what the one before left --===//

bool Compilation::parse() {
  state->file = syntax::parse(state->name, state->text, state->diagnostics);
  return !state->diagnostics.hasErrors();
}

bool Compilation::check() {
  const sema::CheckOptions options{.strictFp = state->options.strictFp};
  state->program = sema::check(*state->file, options, state->diagnostics);
  return state->program != nullptr;
}

bool Compilation::generateMir() {
  state->context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  state->module = mirgen::generate(*state->program, state->sources, *state->context);
  return selectKernels();
}

// Drops the kernels that were not asked for; the passes drop the functions that only they reach.
bool Compilation::selectKernels() {
  llvm::SmallVector<mir::KernelOp> all(state->module->getOps<mir::KernelOp>());
  const std::vector<std::string> &asked = state->options.kernels;
  for (const std::string &name : asked)
    if (llvm::none_of(all, [&](mir::KernelOp kernel) { return kernel.getSymName() == name; })) {
      std::string known;
      for (mir::KernelOp kernel : all)
        known += (known.empty() ? "" : ", ") + kernel.getSymName().str();
      state->diagnostics.emit({}, diag::UnknownKernel, state->name, name,
                              known.empty() ? "none" : known);
      return false;
    }
  for (mir::KernelOp kernel : all) {
    if (!asked.empty() && !llvm::is_contained(asked, kernel.getSymName())) {
      kernel.erase();
      continue;
    }
    state->kernels.push_back(
        {kernel.getSignature().str(),
         codegen::entrySymbol(state->options.codegen.target, kernel.getSymName())});
  }
  return true;
}

bool Compilation::finishMir() {
  if (state->kernels.empty()) {
    state->diagnostics.emit({}, diag::NoKernel, state->name);
    return false;
  }
  return report(codegen::runMirPipeline(*state->module, state->options.codegen));
}

std::optional<codegen::LlvmModule> Compilation::lowerToLlvm() {
  llvm::Expected<codegen::LlvmModule> module =
      codegen::lowerToLlvm(*state->module, state->options.codegen);
  if (module)
    return std::move(*module);
  report(module.takeError());
  return std::nullopt;
}

// A failure behind the frontend: at its place in the source where that is known.
bool Compilation::report(llvm::Error error) {
  if (!error)
    return true;
  llvm::handleAllErrors(
      std::move(error),
      [&](const codegen::SourceError &at) {
        const auto range = [&](const codegen::SourceError &error) {
          return state->sources.range({error.file, error.line, error.column});
        };
        const auto kind = at.name == "divergent-barrier"     ? diag::DivergentBarrier
                          : at.name == "divergent-work-item" ? diag::DivergentWorkItem
                                                             : diag::CodegenFailed;
        diag::Builder message = state->diagnostics.emit(range(at), kind, at.text);
        for (const codegen::SourceError &note : at.notes)
          message.note(range(note), diag::Because, note.text);
      },
      [&](const llvm::ErrorInfoBase &other) {
        state->diagnostics.emit({}, diag::CodegenFailed, other.message());
      });
  return false;
}

//===-- Output --===//

bool Compilation::emit(Stage stage, llvm::SmallVectorImpl<char> &output) {
  if (state->diagnostics.hasErrors()) // the source could not be read
    return false;
  llvm::raw_svector_ostream os(output);
  if (stage == Stage::Tokens) {
    lex::dumpTokens(state->text, state->diagnostics, os);
    return !state->diagnostics.hasErrors();
  }
  const bool parsed = parse();
  if (stage == Stage::Ast) {
    syntax::dumpAst(*state->file, os);
    return parsed;
  }
  // Checked after syntax errors too, so that one run shows the mistakes of both phases.
  if (!check() || !generateMir())
    return false;
  if (stage == Stage::Mir) {
    state->module->print(os);
    return true;
  }
  if (!finishMir())
    return false;
  if (stage == Stage::MirFinal) {
    state->module->print(os);
    return true;
  }
  return emitFromLlvm(stage, output);
}

bool Compilation::emitFromLlvm(Stage stage, llvm::SmallVectorImpl<char> &output) {
  std::optional<codegen::LlvmModule> module = lowerToLlvm();
  if (!module)
    return false;
  const codegen::Options &options = state->options.codegen;
  const auto take = [&](auto result) {
    if (!result)
      return report(result.takeError());
    output.append(result->begin(), result->end());
    return true;
  };
  switch (stage) {
  case Stage::Tokens:
  case Stage::Ast:
  case Stage::Mir:
  case Stage::MirFinal:
    llvm_unreachable("stages before LLVM IR are written by emit");
  case Stage::Llvm: {
    llvm::raw_svector_ostream os(output);
    module->module->print(os, nullptr);
    return true;
  }
  case Stage::Ptx:
    return take(codegen::emitPtx(*module, options));
  case Stage::Cubin: {
    llvm::Expected<std::string> ptx = codegen::emitPtx(*module, options);
    if (!ptx)
      return report(ptx.takeError());
    return take(codegen::assembleCubin(*ptx, options));
  }
  case Stage::Asm:
    return take(codegen::emitAssembly(*module, options));
  case Stage::Obj:
    return take(codegen::emitObject(*module, options));
  }
  llvm_unreachable("no such stage");
}

} // namespace spl::jit
