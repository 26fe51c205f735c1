// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions of every target, as symbols: spl_exp_f32 for a scalar, spl_exp_f32x8 for a
// vector of 8 lanes. Functions.def lists them.
#include "intrinsics/math/Erf.h"
#include "intrinsics/math/Exp.h"
#include "intrinsics/math/Log.h"
#include "intrinsics/math/Pow.h"
#include "intrinsics/math/SinCos.h"
#include "intrinsics/math/Tanh.h"

namespace spl::math {

using f32x4 = Vector<f32, 4>;
using f32x8 = Vector<f32, 8>;
using f32x16 = Vector<f32, 16>;
using f64x2 = Vector<f64, 2>;
using f64x4 = Vector<f64, 4>;
using f64x8 = Vector<f64, 8>;

extern "C" {

#define OF_EACH_TYPE(OF_TYPE, Name)                                                                \
  OF_TYPE(Name, f32)                                                                               \
  OF_TYPE(Name, f32x4)                                                                             \
  OF_TYPE(Name, f32x8)                                                                             \
  OF_TYPE(Name, f32x16)                                                                            \
  OF_TYPE(Name, f64)                                                                               \
  OF_TYPE(Name, f64x2)                                                                             \
  OF_TYPE(Name, f64x4)                                                                             \
  OF_TYPE(Name, f64x8)
#define OF_ONE(Name, F)                                                                            \
  F spl_##Name##_##F(F x) { return Name(x); }
#define OF_TWO(Name, F)                                                                            \
  F spl_##Name##_##F(F x, F y) { return Name(x, y); }
#define FUNCTION(Name) OF_EACH_TYPE(OF_ONE, Name)
#define FUNCTION2(Name) OF_EACH_TYPE(OF_TWO, Name)
#include "intrinsics/math/Functions.def"

// The sine and the cosine of one scalar, which are the bits of sin and cos.
void spl_sincos_f32(f32 x, f32 *sine, f32 *cosine) { sincos(x, sine, cosine); }
void spl_sincos_f64(f64 x, f64 *sine, f64 *cosine) { sincos(x, sine, cosine); }

} // extern "C"
} // namespace spl::math
