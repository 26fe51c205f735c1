// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/diag/Diagnostics.h"
#include <iterator>

namespace spl::diag {

static constexpr Info table[] = {
#define DIAG(Id, Name, Sev, Format, ...) {Name, Severity::Sev, Format},
#include "frontend/diag/Diagnostics.def"
};

const Info &info(Kind kind) { return table[unsigned(kind)]; }

unsigned count() { return std::size(table); }

} // namespace spl::diag
