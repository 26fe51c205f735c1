// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions of every target, as symbols: spl_exp_f32 for a scalar, spl_exp_f32x8 for a
// vector of 8 lanes. Functions.def lists them.
#include "intrinsics/math/Erf.h"
#include "intrinsics/math/Exp.h"
#include "intrinsics/math/Log.h"
#include "intrinsics/math/SinCos.h"
#include "intrinsics/math/Tanh.h"

namespace spl::math {
extern "C" {

#define OF_TYPE(Name, F, Suffix)                                                                   \
  F spl_##Name##_##Suffix(F x) { return Name(x); }
#define FUNCTION(Name)                                                                             \
  OF_TYPE(Name, f32, f32)                                                                          \
  OF_TYPE(Name, f64, f64)                                                                          \
  OF_TYPE(Name, Vector<f32 COMMA 4>, f32x4)                                                        \
  OF_TYPE(Name, Vector<f32 COMMA 8>, f32x8)                                                        \
  OF_TYPE(Name, Vector<f32 COMMA 16>, f32x16)                                                      \
  OF_TYPE(Name, Vector<f64 COMMA 2>, f64x2)                                                        \
  OF_TYPE(Name, Vector<f64 COMMA 4>, f64x4)                                                        \
  OF_TYPE(Name, Vector<f64 COMMA 8>, f64x8)
#define COMMA ,
#include "intrinsics/math/Functions.def"

// The sine and the cosine of one scalar, which are the bits of sin and cos.
void spl_sincos_f32(f32 x, f32 *sine, f32 *cosine) { sincos(x, sine, cosine); }
void spl_sincos_f64(f64 x, f64 *sine, f64 *cosine) { sincos(x, sine, cosine); }

} // extern "C"
} // namespace spl::math
