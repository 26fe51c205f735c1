// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Snippet.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

namespace ptxsim::test {

std::string moduleOf(const std::string &body, const std::string &top) {
  return R"(.version 8.8
.target sm_100
.address_size 64
)" + top +
         R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>, %t; .reg .b64 %l<16>, %in, %out, %o;
.reg .f32 %f<8>; .reg .f64 %d<8>;
ld.param.u64 %in, [in];
ld.param.u64 %out, [out];
cvta.to.global.u64 %in, %in;
cvta.to.global.u64 %out, %out;
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 8;
add.s64 %in, %in, %o;
add.s64 %out, %out, %o;
)" + body +
         R"(
ret;
}
)";
}

/// Writes a module to the folder for the assembler, unless it is there already.
static void keep(const std::string &text) {
  static std::set<std::string> seen;
  const char *folder = std::getenv("PTXSIM_SNIPPETS");
  if (!folder || !seen.insert(text).second)
    return;
  std::ofstream(std::string(folder) + "/" + std::to_string(seen.size()) + ".ptx") << text;
}

Run run(const std::string &body, const Words &in, const std::string &top, LaunchOptions options) {
  const std::string text = moduleOf(body, top);
  Memory memory;
  Module module(text, memory);
  keep(text); // only modules that the interpreter accepts must be valid PTX
  const std::size_t size = 8 * in.size();
  const std::uint64_t addresses[] = {memory.allocate(size), memory.allocate(size)};
  std::memcpy(memory.find(addresses[0], size), in.data(), size);
  if (options.threads.count() == 1)
    options.threads.x = static_cast<std::uint32_t>(in.size());
  const void *params[] = {&addresses[0], &addresses[1]};
  Run run;
  run.result = launch(*module.kernel("k"), memory, options, params);
  run.out.resize(in.size());
  std::memcpy(run.out.data(), memory.find(addresses[1], size), size);
  return run;
}

std::uint64_t eval(const std::string &instruction, const std::string &signature,
                   const Words &sources, const std::string &extra) {
  static const std::string kinds = "phrlfd";
  std::string body, operands;
  Words in = sources;
  in.resize(16);
  auto name = [](char kind, std::size_t i) {
    return "%" + std::string(1, kind) + std::to_string(i);
  };
  for (std::size_t i = 0; i != signature.size(); ++i) {
    const char kind = signature[i];
    operands += (i == 0 ? " " : ", ") + (kind == '-' ? "_" : name(kind, i));
    if (i == 0 || kind == '-')
      continue;
    const std::string from = ", [%in+" + std::to_string(8 * (i - 1)) + "];\n";
    if (kind == 'p')
      body += "ld.global.u32 %r15" + from + "setp.ne.u32 " + name(kind, i) + ", %r15, 0;\n";
    else
      body += std::string("ld.global.") +
              (kind == 'h'                  ? "b16 "
               : kind == 'l' || kind == 'd' ? "b64 "
                                            : "b32 ") +
              name(kind, i) + from;
  }
  body += instruction + operands + (extra.empty() ? "" : ", " + extra) + ";\n";
  const char kind = signature[0];
  if (kind == 'p')
    body += "selp.b64 %l15, 1, 0, %p0;\nst.global.b64 [%out], %l15;";
  else if (kind == 'l' || kind == 'd')
    body += "st.global.b64 [%out], " + name(kind, 0) + ";";
  else
    body += "mov.b64 %l15, 0;\nst.global.b64 [%out], %l15;\n" +
            std::string(kind == 'h' ? "st.global.b16" : "st.global.b32") + " [%out], " +
            name(kind, 0) + ";";
  LaunchOptions options;
  options.groups = options.threads = {1, 1, 1};
  const std::string first = "setp.ne.u32 %p7, %t, 0;\n@%p7 ret;\n";
  return run(first + body, in, "", options).out[0];
}

ErrorKind errorOf(const std::function<void()> &action, std::string *text) {
  try {
    action();
  } catch (const Error &error) {
    if (text)
      *text = error.what();
    return error.kind;
  }
  ADD_FAILURE() << "there was no error";
  return ErrorKind::Syntax;
}

void check(const std::vector<Case> &cases) {
  for (const Case &each : cases) {
    std::string shown;
    for (std::uint64_t source : each.sources)
      shown += " " + std::to_string(source);
    SCOPED_TRACE(std::string(each.instruction) + shown);
    const std::uint64_t result = eval(each.instruction, each.signature, each.sources, each.extra);
    EXPECT_EQ(result, each.expected) << std::hex << "0x" << result << ", not 0x" << each.expected;
  }
}

} // namespace ptxsim::test
