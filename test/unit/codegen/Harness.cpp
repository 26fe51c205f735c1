// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/codegen/Harness.h"
#include "codegen/targets/cpu/Emit.h"
#include "codegen/targets/nvptx/Ptx.h"
#include "mir/dialect/Register.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "spl/abi/Names.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace spl::test {

using llvm::cantFail;

const char *const vectorAdd = R"mlir(
spl.kernel @vector_add(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"},
                       %out: !spl.slice<f32, mut> {spl.name = "out"})
    attributes {signature = #spl.signature<"vector_add(a: &[f32], b: &[f32], out: &mut [f32])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %n = spl.extent %out, 0 : !spl.slice<f32, mut>
  %c = arith.cmpi slt, %i, %n : i64
  scf.if %c {
    %x = spl.load %a[%i] : !spl.slice<f32>
    %y = spl.load %b[%i] : !spl.slice<f32>
    %s = arith.addf %x, %y : f32
    spl.store %s, %out[%i] : !spl.slice<f32, mut>
  }
  spl.return
}
)mlir";

const char *const saxpy = R"mlir(
spl.kernel @saxpy(%alpha: f32 {spl.name = "alpha"}, %x: !spl.slice<f32> {spl.name = "x"},
                  %y: !spl.slice<f32, mut> {spl.name = "y"})
    attributes {signature = #spl.signature<"saxpy(alpha: f32, x: &[f32], y: &mut [f32])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %n = spl.extent %y, 0 : !spl.slice<f32, mut>
  %c = arith.cmpi slt, %i, %n : i64
  scf.if %c {
    %a = spl.load %x[%i] : !spl.slice<f32>
    %b = spl.load %y[%i] : !spl.slice<f32, mut>
    %s = math.fma %alpha, %a, %b : f32
    spl.store %s, %y[%i] : !spl.slice<f32, mut>
  }
  spl.return
}
)mlir";

codegen::Options optionsFor(llvm::StringRef target) {
  codegen::Options options;
  options.target = cantFail(codegen::TargetSpec::parse(target));
  return options;
}

/// Calls \p emit with the MIR after its passes.
template <class Result>
static llvm::Expected<Result>
withFinalMir(llvm::StringRef mir, const codegen::Options &options,
             llvm::function_ref<llvm::Expected<Result>(mlir::ModuleOp)> emit) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mir::loadDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(mir, &context, "test.spl");
  if (!module)
    return llvm::createStringError("the test's MIR does not parse");
  std::vector<codegen::SourceError> warnings;
  if (llvm::Error error = codegen::runMirPipeline(
          *module, options, *options.target->outputFor(codegen::Output::Default), warnings))
    return std::move(error);
  if (failed(mlir::verify(*module)))
    return llvm::createStringError("the passes left MIR that is not valid");
  return emit(*module);
}

static llvm::Expected<codegen::LlvmModule> lower(llvm::StringRef mir,
                                                 const codegen::Options &options) {
  return withFinalMir<codegen::LlvmModule>(
      mir, options, [&](mlir::ModuleOp module) { return codegen::lowerToLlvm(module, options); });
}

std::string ptx(llvm::StringRef mir, const codegen::Options &options) {
  llvm::Expected<std::string> text = withFinalMir<std::string>(
      mir, options, [&](mlir::ModuleOp module) { return codegen::emitPtx(module, options); });
  return text ? *text : "error: " + llvm::toString(text.takeError());
}

std::string llvmIr(llvm::StringRef mir, const codegen::Options &options) {
  llvm::Expected<codegen::LlvmModule> module = lower(mir, options);
  if (!module)
    return "error: " + llvm::toString(module.takeError());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->module->print(stream, nullptr);
  return text;
}

//===-- The runtime's part --===//

static thread_local std::jmp_buf leaveKernel;
static thread_local Fault lastFault;

[[noreturn]] static void recordFault(const spl_cpu_launch *, const spl_cpu_fault_site *site,
                                     int64_t value, int64_t bound, const int64_t *workItem) {
  lastFault = {*site, value, bound, {workItem[0], workItem[1], workItem[2]}};
  std::longjmp(leaveKernel, 1);
}

static void *scratchMemory(const spl_cpu_launch *launch, int64_t bytes) {
  static thread_local std::vector<std::max_align_t> memory;
  // Kernels must not rely on the contents of shared memory.
  memory.assign((bytes + launch->sharedBytes + 64) / sizeof(std::max_align_t) + 4, {});
  std::memset(memory.data(), 0xa5, memory.size() * sizeof(std::max_align_t));
  return reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(memory.data()) + 63) / 64 * 64);
}

HostCode::HostCode(llvm::StringRef mir, const codegen::Options &options)
    : HostCode(cantFail(lower(mir, options)), options) {}

HostCode::HostCode(codegen::LlvmModule module, const codegen::Options &options)
    : jit(cantFail(llvm::orc::LLJITBuilder().create())) {
  llvm::orc::ExecutorSymbolDef fault{llvm::orc::ExecutorAddr::fromPtr(&recordFault),
                                     llvm::JITSymbolFlags::Exported};
  llvm::orc::ExecutorSymbolDef scratch{llvm::orc::ExecutorAddr::fromPtr(&scratchMemory),
                                       llvm::JITSymbolFlags::Exported};
  cantFail(jit->getMainJITDylib().define(
      llvm::orc::absoluteSymbols({{jit->mangleAndIntern("spl_cpu_fault"), fault},
                                  {jit->mangleAndIntern("spl_cpu_scratch"), scratch}})));
  jit->getMainJITDylib().addGenerator(cantFail(llvm::orc::DynamicLibrarySearchGenerator::Load(
      abi::hostMathLibrary.data(), /*GlobalPrefix=*/'\0')));
  llvm::SmallVector<char, 0> object = cantFail(codegen::emitObject(module, options));
  cantFail(jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
      llvm::StringRef(object.data(), object.size()), "kernels")));
}

HostCode::~HostCode() = default;

void *HostCode::symbol(llvm::StringRef name) { return cantFail(jit->lookup(name)).toPtr<void *>(); }

std::unique_ptr<Fault> HostCode::run(llvm::StringRef kernel, const std::vector<void *> &params,
                                     spl_cpu_launch launch, int64_t begin, int64_t end) {
  auto entry =
      reinterpret_cast<spl_cpu_entry>(symbol(optionsFor("cpu").target->entrySymbol(kernel)));
  if (setjmp(leaveKernel) != 0)
    return std::make_unique<Fault>(lastFault);
  entry(params.data(), &launch, begin, end);
  return nullptr;
}

std::unique_ptr<Fault> HostCode::run(llvm::StringRef kernel, const std::vector<void *> &params,
                                     int64_t groups, int64_t localSize) {
  return run(kernel, params, {{groups, 1, 1}, {localSize, 1, 1}, nullptr, 0, 0}, 0, groups);
}

} // namespace spl::test
