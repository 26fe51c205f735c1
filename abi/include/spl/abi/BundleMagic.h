// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first bytes of a bundle (spl/Bundle.h).
#ifndef SPL_ABI_BUNDLEMAGIC_H
#define SPL_ABI_BUNDLEMAGIC_H

#include <string_view>

namespace spl::abi {

inline constexpr std::string_view bundleMagic = "SPLBNDL1";

} // namespace spl::abi

#endif
