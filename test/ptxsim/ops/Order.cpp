// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/ops/Order.h"

namespace ptxsim {

Space takeSpace(Decoder &decoder) {
  static constexpr Space spaces[] = {Space::Global, Space::Shared, Space::Shared, Space::Local,
                                     Space::Const,  Space::Param,  Space::Param,  Space::Param};
  const auto found = decoder.takeOneOf({"global", "shared", "shared::cta", "local", "const",
                                        "param", "param::entry", "param::func"});
  return found ? spaces[*found] : Space::Generic;
}

void takeOrder(Decoder &decoder) {
  if (decoder.takeOneOf({"weak", "volatile"}))
    return;
  decoder.take("mmio");
  if (decoder.takeOneOf({"relaxed", "acquire", "release", "acq_rel", "sc"}))
    decoder.takeOneOf({"cta", "cluster", "gpu", "sys"});
}

bool takeCaching(Decoder &decoder) {
  decoder.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  decoder.takeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                     "L1::no_allocate"});
  decoder.takeOneOf(
      {"L2::evict_first", "L2::evict_last", "L2::evict_normal", "L2::evict_unchanged"});
  decoder.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  return decoder.take("L2::cache_hint");
}

} // namespace ptxsim
