/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Includes all headers of the runtime. C programs get the C interface, C++ programs both
 * interfaces. If libspl-jit is installed, this also includes compilation from source.
 */
#ifndef SPL_SPL_H
#define SPL_SPL_H

#ifdef __cplusplus
#include <spl/Array.h>
#include <spl/Bundle.h>
#include <spl/Config.h>
#include <spl/Context.h>
#include <spl/DataLoader.h>
#include <spl/Device.h>
#include <spl/ElementType.h>
#include <spl/Error.h>
#include <spl/Fields.h>
#include <spl/Finding.h>
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

#include <spl/c/array.h>
#include <spl/c/config.h>
#include <spl/c/context.h>
#include <spl/c/device.h>
#include <spl/c/error.h>
#include <spl/c/gpu.h>
#include <spl/c/graph.h>
#include <spl/c/half.h>
#include <spl/c/launch.h>
#include <spl/c/loader.h>
#include <spl/c/module.h>
#include <spl/c/pipeline.h>
#include <spl/c/pool.h>
#include <spl/c/stream.h>
#include <spl/c/trace.h>
#include <spl/c/types.h>

#if defined(__has_include)
#if __has_include(<spl/c/jit.h>)
#include <spl/c/jit.h>
#endif
#endif

#endif
