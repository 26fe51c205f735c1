// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type and the index of a device in DLPack. This is a copy of dlpack.h's DLDevice, so that the
// backends' interface does not include that header.
#ifndef SPL_RUNTIME_INTEROP_DLPACKDEVICE_H
#define SPL_RUNTIME_INTEROP_DLPACKDEVICE_H

namespace spl::detail {

struct DLPackDevice {
  int type = 0; ///< a DLDeviceType
  int index = 0;
};

} // namespace spl::detail

#endif
