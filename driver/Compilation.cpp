// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Compilation.h"
#include "driver/Reproducer.h"
#include "frontend/lex/Lexer.h"
#include "frontend/mirgen/MirGen.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/Dump.h"
#include "frontend/syntax/FileSet.h"
#include "frontend/syntax/Parser.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/CheckKinds.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "spl/abi/BundleMagic.h"
#include "spl/abi/Names.h"
#include "spl/abi/TypoCorrection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::driver {

//===-- State --===//

// The results of the steps, in the order in which the steps produce them.
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
  std::vector<abi::CheckReport> checks;
  std::string stats;
  std::string outputName;      ///< the name of the output that is being produced
  diag::SourceRange anyKernel; ///< the place of a kernel, for errors without a place
  bool reproducer = false;     ///< whether writeReproducer was called
};

Compilation::Compilation(CompileOptions options) : state(std::make_unique<State>()) {
  state->options = std::move(options);
}

Compilation::~Compilation() = default;

const CompileOptions &Compilation::options() const { return state->options; }

diag::Engine &Compilation::diagnostics() { return state->diagnostics; }

const std::vector<KernelInfo> &Compilation::kernels() const { return state->kernels; }

const std::vector<abi::CheckReport> &Compilation::checks() const { return state->checks; }

llvm::StringRef Compilation::stats() const { return state->stats; }

//===-- Source --===//

/// What the text is, if it is compiled code; empty for a source.
static llvm::StringRef formOfCode(llvm::StringRef text) {
  if (text.starts_with(abi::bundleMagic))
    return "a bundle";
  if (text.starts_with(llvm::ELF::ElfMagic))
    return "an ELF file, such as a cubin or an object file";
  const llvm::StringRef code = text.ltrim(" \t\r\n");
  if (code.starts_with(".version ") || (code.starts_with("//") && code.contains("\n.version ")))
    return "PTX";
  return "";
}

bool Compilation::readFile(llvm::StringRef path) {
  llvm::Expected<llvm::StringRef> text = state->sources.addFile(path);
  if (!text) {
    state->diagnostics.emit({}, diag::CannotReadFile, path, llvm::toString(text.takeError()));
    return false;
  }
  if (const llvm::StringRef form = formOfCode(*text); !form.empty()) {
    state->diagnostics.emit({}, diag::CannotReadFile, path,
                            ("it is " + form +
                             "; give the source that it was made from. A program "
                             "loads " +
                             (form.starts_with("a ") ? "a bundle" : "PTX and cubins") +
                             " with Module::load")
                                .str());
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

std::vector<std::string> Compilation::findFiles() const {
  const auto &[name, text, isFile] = state->source;
  if (!isFile) // there is no file, or it could not be read
    return {};
  diag::SourceManager sources;
  diag::Engine ignored(sources);
  syntax::FileSet files(sources, ignored, state->options.includes);
  files.load(name, sources.addBuffer(name, text), isFile);
  std::vector<std::string> paths{name.str()};
  for (const syntax::FileSet::Search &search : files.searches())
    paths.push_back(search.found.path);
  return paths;
}

const syntax::FileSet &Compilation::files() const { return *state->files; }

//===-- Steps, each of which uses the result of the step before --===//

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
  const codegen::Options &options = state->options.codegen;
  const mirgen::Checks checks{.asserts = options.checks.has(mir::CheckKind::Assert),
                              .ofUncheckedFunctions = options.instrument};
  state->module = mirgen::generate(*state->program, state->sources, checks, *state->context);
  return selectKernels();
}

// Removes the kernels that were not asked for. A later pass removes the functions that only these
// kernels call.
bool Compilation::selectKernels() {
  llvm::SmallVector<mir::KernelOp> all(state->module->getOps<mir::KernelOp>());
  std::vector<std::string> requested;
  for (const std::string &name : state->options.kernels)
    requested.push_back(abi::entryName(name));
  const auto &generics = state->program->genericKernels;
  for (const std::string &name : requested)
    if (llvm::none_of(all, [&](mir::KernelOp kernel) { return kernel.getSymName() == name; })) {
      // The name may also be the symbol of an instance, as in scale__f32.
      const llvm::StringRef plain = llvm::StringRef(name).split("__").first;
      if (auto generic = llvm::find_if(
              generics, [&](const auto &one) { return one.name == name || one.name == plain; });
          generic != generics.end()) {
        state->diagnostics.emit({}, diag::KernelIsGeneric, generic->name, generic->example);
        return false;
      }
      abi::TypoCorrection correction(name);
      std::string known;
      for (mir::KernelOp kernel : all) {
        correction.consider(mir::writtenName(kernel));
        known += (known.empty() ? "" : ", ") + mir::writtenName(kernel).str();
      }
      for (const auto &generic : generics)
        known += (known.empty() ? "" : ", ") + generic.example;
      state->diagnostics.emit({}, diag::UnknownKernel, state->source.name, name,
                              known.empty() ? "none" : known + abi::didYouMean(correction.best()));
      return false;
    }
  for (mir::KernelOp kernel : all) {
    if (!requested.empty() && !llvm::is_contained(requested, kernel.getSymName())) {
      kernel.erase();
      continue;
    }
    if (auto place = kernel.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
        place && !state->anyKernel.isValid())
      state->anyKernel =
          state->sources.range({place.getFilename().strref(), place.getLine(), place.getColumn()});
    state->kernels.push_back({kernel.getSignature(), kernel.getSymName().str(),
                              state->options.codegen.target->entrySymbol(kernel.getSymName())});
  }
  return true;
}

bool Compilation::finishMir(const codegen::Output &kind) {
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
  llvm::Error failure =
      codegen::runMirPipeline(*state->module, state->options.codegen, kind, warnings,
                              state->options.stats ? &state->checks : nullptr);
  for (const abi::CheckReport &report : state->checks)
    state->stats += report.kernel + ": " + report.str();
  for (const codegen::SourceError &warning : warnings)
    report(llvm::make_error<codegen::SourceError>(warning));
  if (!report(std::move(failure)))
    return false;
  auto info = state->kernels.begin();
  for (mir::KernelOp kernel : state->module->getOps<mir::KernelOp>())
    if (!kernel->hasAttr(mir::SplDialect::versionAttr))
      info++->signature = kernel.getSignature(); // with its launch contract
  return true;
}

static diag::Diagnostic<std::string> rowOf(mir::PassDiagnostic diagnostic) {
  switch (diagnostic) {
#define PASS_DIAG(Id, Name)                                                                        \
  case mir::PassDiagnostic::Id:                                                                    \
    return diag::Id;
#define PASS_WARNING(Id, Name) PASS_DIAG(Id, Name)
#include "diagnostics/PassDiagnostics.def"
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
  if (state->reproducer) // one per compilation is enough
    return;
  llvm::Expected<std::string> folder =
      writeReproducer(state->source, state->files.get(), state->options, state->outputName);
  state->reproducer = true;
  if (folder)
    message.note({}, diag::Reproducer, *folder);
  else
    message.note({}, diag::NoReproducer, llvm::toString(folder.takeError()));
}

//===-- Output --===//

bool Compilation::emit(llvm::StringRef name, llvm::SmallVectorImpl<char> &output) {
  if (state->diagnostics.hasErrors()) // the source could not be read
    return false;
  const codegen::TargetSpec &target = state->options.codegen.target;
  state->outputName = name.str();
  if (std::optional<Stage> stage = stageNamed(name))
    return emitStage(*stage, output);
  if (const codegen::Output *found = target->output(name))
    return emitOutput(*found, output);
  return report(llvm::createStringError("target " + target.str() + " has no output " + name));
}

bool Compilation::emitFor(codegen::Output::Use use, llvm::SmallVectorImpl<char> &output) {
  if (state->diagnostics.hasErrors()) // the source could not be read
    return false;
  const codegen::TargetSpec &target = state->options.codegen.target;
  const codegen::Output *found = target->outputFor(use);
  if (!found)
    return report(llvm::createStringError("target " + target.str() + " has no code that can be " +
                                          (use == codegen::Output::Bundled
                                               ? "part of a bundle"
                                               : "loaded by the compiling process")));
  // The command of a reproducer needs an output that --emit accepts.
  const codegen::Output &visible =
      found->is(codegen::Output::Hidden) ? *target->outputFor(codegen::Output::Default) : *found;
  state->outputName = visible.name.str();
  return emitOutput(*found, output);
}

bool Compilation::emitStage(Stage stage, llvm::SmallVectorImpl<char> &output) {
  llvm::raw_svector_ostream os(output);
  switch (stage) {
  case Stage::Tokens:
    lex::dumpTokens(state->source.text, state->diagnostics, os);
    return !state->diagnostics.hasErrors();
  case Stage::Ast:
    syntax::dumpAst(*syntax::parse(state->source.name, state->source.text, state->diagnostics), os);
    return !state->diagnostics.hasErrors();
  case Stage::Mir:
  case Stage::MirFinal:
    parse();
    // Checked after syntax errors too, so that one run shows the errors of both phases.
    if (!check() || !generateMir() ||
        (stage == Stage::MirFinal &&
         !finishMir(*state->options.codegen.target->outputFor(codegen::Output::Default))))
      return false;
    state->module->print(os);
    return true;
  }
  llvm_unreachable("every stage is above");
}

bool Compilation::emitOutput(const codegen::Output &kind, llvm::SmallVectorImpl<char> &output) {
  parse();
  if (!check() || !generateMir() || !finishMir(kind))
    return false;
  const codegen::Options &options = state->options.codegen;
  llvm::Expected<llvm::SmallVector<char, 0>> code = options.target->emit(
      *state->module, kind, options, state->options.stats ? &state->stats : nullptr);
  if (!code)
    return report(code.takeError());
  output.append(code->begin(), code->end());
  return true;
}

} // namespace spl::driver
