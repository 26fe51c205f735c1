// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The whole runtime in one include, and compilation from source where libspl-jit is installed.
#ifndef SPL_SPL_H
#define SPL_SPL_H

#include <spl/Array.h>
#include <spl/Config.h>
#include <spl/Context.h>
#include <spl/DataLoader.h>
#include <spl/Device.h>
#include <spl/ElementType.h>
#include <spl/Error.h>
#include <spl/Graph.h>
#include <spl/Half.h>
#include <spl/Launch.h>
#include <spl/MemoryPool.h>
#include <spl/Module.h>
#include <spl/Pipeline.h>
#include <spl/ScalarType.h>
#include <spl/Shape.h>
#include <spl/Signature.h>
#include <spl/Stream.h>
#include <spl/Trace.h>

#if __has_include(<spl/jit.h>)
#include <spl/jit.h>
#endif

#endif
