// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Compilation.h"
#include "codegen/Stats.h"
#include "codegen/targets/nvptx/Cubin.h"
#include "codegen/targets/nvptx/Toolkit.h"
#include "driver/Reproducer.h"
#include "frontend/lex/Lexer.h"
#include "frontend/mirgen/MirGen.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/sema/TypoCorrection.h"
#include "frontend/syntax/Dump.h"
#include "frontend/syntax/FileSet.h"
#include "frontend/syntax/Parser.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/CheckKinds.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::driver {

//===-- Stages --===//

const StageInfo &info(Stage stage) {
  static constexpr StageInfo infos[] = {
#define STAGE(Id, Name, Extension, IsText) {Name, Extension, IsText},
#include "driver/Stages.def"
  };
  return infos[unsigned(stage)];
}

std::optional<Stage> stageNamed(llvm::StringRef name) {
#define STAGE(Id, Name, ...)                                                                       \
  if (name == Name)                                                                                \
    return Stage::Id;
#include "driver/Stages.def"
  return std::nullopt;
}

//===-- State --===//

// What each step leaves for the next, in the order they are made.
struct Compilation::State {
  CompileOptions options;
  diag::SourceManager sources;
  diag::Engine diagnostics{sources};
  Source source;
  std::unique_ptr<syntax::FileSet> files;
  std::unique_ptr<sema::Program> program;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelInfo> kernels;
  /// Each kernel's name and entry, those that launch contracts choose included.
  std::vector<std::pair<std::string, std::string>> entries;
  std::string stats;
  Stage asked = Stage::Ptx;    ///< what emit was called for
  diag::SourceRange anyKernel; ///< where to report a failure without a place
  bool reproducer = false;     ///< whether a folder for an error of the compiler was written
};

Compilation::Compilation(CompileOptions options) : state(std::make_unique<State>()) {
  state->options = std::move(options);
}

Compilation::~Compilation() = default;

const CompileOptions &Compilation::options() const { return state->options; }

diag::Engine &Compilation::diagnostics() { return state->diagnostics; }

const std::vector<KernelInfo> &Compilation::kernels() const { return state->kernels; }

llvm::StringRef Compilation::stats() const { return state->stats; }

//===-- Source --===//

bool Compilation::readFile(llvm::StringRef path) {
  llvm::Expected<llvm::StringRef> text = state->sources.addFile(path);
  if (!text) {
    state->diagnostics.emit({}, diag::CannotReadFile, path, llvm::toString(text.takeError()));
    return false;
  }
  state->source = {path, *text, /*isFile=*/true};
  return true;
}

bool Compilation::setText(llvm::StringRef name, llvm::StringRef text) {
  state->source = {name, state->sources.addBuffer(name, text)};
  return true;
}

const Source &Compilation::source() const { return state->source; }

const syntax::FileSet &Compilation::files() const { return *state->files; }

//===-- Steps, each from what the one before left --===//

void Compilation::parse() {
  state->files = std::make_unique<syntax::FileSet>(state->sources, state->diagnostics,
                                                   state->options.includes);
  const auto &[name, text, isFile] = state->source;
  state->files->load(name, text, isFile);
}

bool Compilation::check() {
  sema::CheckOptions options{.strictFp = state->options.strictFp,
                             .instances = state->options.instances};
  for (const std::string &kernel : state->options.kernels)
    if (llvm::StringRef(kernel).contains('['))
      options.instances.push_back(kernel);
  state->program = sema::check(*state->files, options, state->diagnostics);
  return state->program != nullptr;
}

bool Compilation::generateMir() {
  state->context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  const bool asserts = state->options.codegen.checks.has(mir::CheckKind::Assert);
  state->module = mirgen::generate(*state->program, state->sources, asserts, *state->context);
  return selectKernels();
}

// Drops the kernels that were not asked for; the passes drop the functions that only they reach.
bool Compilation::selectKernels() {
  llvm::SmallVector<mir::KernelOp> all(state->module->getOps<mir::KernelOp>());
  std::vector<std::string> asked;
  for (const std::string &name : state->options.kernels)
    asked.push_back(abi::entryName(name));
  const auto &generics = state->program->genericKernels;
  for (const std::string &name : asked)
    if (llvm::none_of(all, [&](mir::KernelOp kernel) { return kernel.getSymName() == name; })) {
      // Also asked for by the symbol of an instance, scale__f32.
      const llvm::StringRef plain = llvm::StringRef(name).split("__").first;
      if (auto generic = llvm::find_if(
              generics, [&](const auto &one) { return one.name == name || one.name == plain; });
          generic != generics.end()) {
        state->diagnostics.emit({}, diag::KernelIsGeneric, generic->name, generic->example);
        return false;
      }
      sema::TypoCorrection correction(name);
      std::string known;
      for (mir::KernelOp kernel : all) {
        correction.consider(kernel.getSymName());
        known += (known.empty() ? "" : ", ") + kernel.getSymName().str();
      }
      state->diagnostics.emit({}, diag::UnknownKernel, state->source.name, name,
                              known.empty() ? "none" : known + sema::didYouMean(correction.best()));
      return false;
    }
  for (mir::KernelOp kernel : all) {
    if (!asked.empty() && !llvm::is_contained(asked, kernel.getSymName())) {
      kernel.erase();
      continue;
    }
    if (auto place = kernel.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
        place && !state->anyKernel.isValid())
      state->anyKernel =
          state->sources.range({place.getFilename().strref(), place.getLine(), place.getColumn()});
    state->kernels.push_back(
        {kernel.getSignature().str(), kernel.getSymName().str(),
         codegen::entrySymbol(state->options.codegen.target, kernel.getSymName())});
  }
  return true;
}

bool Compilation::finishMir() {
  if (state->kernels.empty() && !state->program->genericKernels.empty()) {
    const auto &generic = state->program->genericKernels.front();
    state->diagnostics.emit({}, diag::KernelIsGeneric, generic.name, generic.example);
    return false;
  }
  if (state->kernels.empty()) {
    state->diagnostics.emit({}, diag::NoKernel, state->source.name);
    return false;
  }
  std::vector<codegen::SourceError> warnings;
  llvm::Error failure = codegen::runMirPipeline(*state->module, state->options.codegen, warnings);
  for (const codegen::SourceError &warning : warnings)
    report(llvm::make_error<codegen::SourceError>(warning));
  if (!report(std::move(failure)))
    return false;
  auto info = state->kernels.begin();
  for (mir::KernelOp kernel : state->module->getOps<mir::KernelOp>()) {
    llvm::StringRef name = kernel.getSymName();
    state->entries.push_back(
        {name.str(), codegen::entrySymbol(state->options.codegen.target, name)});
    if (!kernel->hasAttr(mir::SplDialect::uncheckedAttr))
      info++->signature = kernel.getSignature().str(); // with its launch contract
  }
  return true;
}

std::optional<codegen::LlvmModule> Compilation::lowerToLlvm() {
  llvm::Expected<codegen::LlvmModule> module =
      codegen::lowerToLlvm(*state->module, state->options.codegen);
  if (module)
    return std::move(*module);
  report(module.takeError());
  return std::nullopt;
}

static diag::Diagnostic<std::string> rowOf(mir::PassDiagnostic diagnostic) {
  switch (diagnostic) {
#define PASS_DIAG(Id, Name)                                                                        \
  case mir::PassDiagnostic::Id:                                                                    \
    return diag::Id;
#define PASS_WARNING(Id, Name) PASS_DIAG(Id, Name)
#include "frontend/diag/PassDiagnostics.def"
  }
  llvm_unreachable("every row is above");
}

bool Compilation::report(llvm::Error error) {
  if (!error)
    return true;
  llvm::handleAllErrors(
      std::move(error),
      [&](const codegen::SourceError &at) {
        const auto range = [&](const codegen::SourceError &error) {
          return state->sources.range({error.file, error.line, error.column});
        };
        if (!at.diagnostic)
          return reportInternal(range(at), at.text);
        diag::Builder message = state->diagnostics.emit(range(at), rowOf(*at.diagnostic), at.text);
        for (const codegen::SourceError &note : at.notes)
          message.note(range(note), diag::Because, note.text);
      },
      [&](const llvm::ErrorInfoBase &other) { reportInternal({}, other.message()); });
  return false;
}

void Compilation::reportInternal(diag::SourceRange range, const std::string &text) {
  diag::Builder message = state->diagnostics.emit(range.isValid() ? range : state->anyKernel,
                                                  diag::CodegenFailed, text);
  if (state->reproducer) // one for a compilation is enough
    return;
  llvm::Expected<std::string> folder =
      writeReproducer(state->source, state->files.get(), state->options, state->asked);
  state->reproducer = true;
  if (folder)
    message.note({}, diag::Reproducer, *folder);
  else
    message.note({}, diag::NoReproducer, llvm::toString(folder.takeError()));
}

//===-- Statistics --===//

static llvm::SmallVector<std::string>
symbolsOf(llvm::ArrayRef<std::pair<std::string, std::string>> entries) {
  return llvm::map_to_vector(entries, [](const auto &entry) { return entry.second; });
}

// A cubin that there is none of is no failure: what PTX shows by itself is told.
void Compilation::countPtx(llvm::StringRef ptx, llvm::Expected<codegen::Cubin> cubin) {
  std::string unknown, assembled;
  if (cubin)
    assembled = std::move(cubin->report);
  else
    unknown = llvm::toString(cubin.takeError());
  if (codegen::findPtxas().empty())
    unknown = "ptxas was not found";
  llvm::raw_string_ostream os(state->stats);
  const auto all = codegen::ptxStats(ptx, symbolsOf(state->entries), assembled);
  for (const auto &[entry, stats] : llvm::zip_equal(state->entries, all)) {
    os << entry.first << ": ";
    if (stats.assembled)
      os << stats.assembled->registers << " registers, " << stats.assembled->spillStores
         << " bytes of spills stored, " << stats.assembled->spillLoads << " loaded, ";
    os << stats.sharedBytes << " bytes of shared memory, " << stats.instructions
       << " instructions of PTX\n";
  }
  if (!unknown.empty())
    os << "registers and spills are not known: " << unknown << '\n';
}

void Compilation::countAssembly(llvm::StringRef text) {
  llvm::raw_string_ostream os(state->stats);
  const auto all = codegen::assemblyStats(text, symbolsOf(state->entries));
  for (const auto &[entry, stats] : llvm::zip_equal(state->entries, all))
    os << entry.first << ": " << stats.instructions << " instructions\n";
}

//===-- Output --===//

bool Compilation::emit(Stage stage, llvm::SmallVectorImpl<char> &output) {
  if (state->diagnostics.hasErrors()) // the source could not be read
    return false;
  state->asked = stage;
  llvm::raw_svector_ostream os(output);
  if (stage == Stage::Tokens) {
    lex::dumpTokens(state->source.text, state->diagnostics, os);
    return !state->diagnostics.hasErrors();
  }
  if (stage == Stage::Ast) {
    syntax::dumpAst(*syntax::parse(state->source.name, state->source.text, state->diagnostics), os);
    return !state->diagnostics.hasErrors();
  }
  parse();
  // Checked after syntax errors too, so that one run shows the errors of both phases.
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

bool Compilation::emitImage(llvm::SmallVectorImpl<char> &output) {
  if (!state->options.codegen.target.isCpu())
    return emit(Stage::Ptx, output);
  if (state->diagnostics.hasErrors()) // the source could not be read
    return false;
  state->asked = Stage::Obj;
  parse();
  if (!check() || !generateMir() || !finishMir())
    return false;
  std::optional<codegen::LlvmModule> module = lowerToLlvm();
  if (!module)
    return false;
  llvm::Expected<llvm::SmallVector<char, 0>> object =
      codegen::emitSharedObject(*module, state->options.codegen);
  if (!object)
    return report(object.takeError());
  output.append(object->begin(), object->end());
  return true;
}

bool Compilation::emitFromLlvm(Stage stage, llvm::SmallVectorImpl<char> &output) {
  std::optional<codegen::LlvmModule> module = lowerToLlvm();
  if (!module)
    return false;
  const codegen::Options &options = state->options.codegen;
  const auto append = [&](const auto &bytes) { output.append(bytes.begin(), bytes.end()); };
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
  case Stage::Cubin: {
    llvm::Expected<std::string> ptx = codegen::emitPtx(*module, options);
    if (!ptx)
      return report(ptx.takeError());
    if (stage == Stage::Ptx) {
      append(*ptx);
      if (state->options.stats)
        countPtx(*ptx, codegen::assembleCubin(*ptx, options));
      return true;
    }
    llvm::Expected<codegen::Cubin> cubin = codegen::assembleCubin(*ptx, options);
    if (!cubin)
      return report(cubin.takeError());
    append(cubin->image);
    if (state->options.stats)
      countPtx(*ptx, std::move(cubin));
    return true;
  }
  case Stage::Asm: {
    llvm::Expected<std::string> text = codegen::emitAssembly(*module, options);
    if (!text)
      return report(text.takeError());
    append(*text);
    if (state->options.stats)
      countAssembly(*text);
    return true;
  }
  case Stage::Obj: {
    llvm::Expected<llvm::SmallVector<char, 0>> object = codegen::emitObject(*module, options);
    if (!object)
      return report(object.takeError());
    append(*object);
    return true;
  }
  }
  llvm_unreachable("no such stage");
}

} // namespace spl::driver
