# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each function of the lists of CUDA and OpenCL is translated, or said not to exist. A translation names only
functions that exist."""
import re
import subprocess
import sys
import tempfile

# CUDA Math API, single precision. Those of double precision have no 'f' at the end.
CUDA_MATH = """acosf acoshf asinf asinhf atan2f atanf atanhf cbrtf ceilf copysignf cosf coshf cospif cyl_bessel_i0f
cyl_bessel_i1f erfcf erfcinvf erfcxf erff erfinvf exp10f exp2f expf expm1f fabsf fdimf fdividef floorf fmaf fmaxf
fminf fmodf frexpf hypotf ilogbf isfinite isinf isnan j0f j1f jnf ldexpf lgammaf llrintf llroundf log10f log1pf
log2f logbf logf lrintf lroundf modff nanf nearbyintf nextafterf norm3df norm4df normcdff normcdfinvf normf powf
rcbrtf remainderf remquof rhypotf rintf rnorm3df rnorm4df rnormf roundf rsqrtf scalblnf scalbnf signbit sincosf
sincospif sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf y0f y1f ynf max min abs labs llabs llmax llmin umax
umin ullmax ullmin""".split()
CUDA_INTRINSICS = """__cosf __exp10f __expf __fdividef __log10f __log2f __logf __powf __saturatef __sincosf __sinf
__tanf __tanhf __frsqrt_rn __brev __brevll __byte_perm __clz __clzll __ffs __ffsll __fns __funnelshift_l
__funnelshift_lc __funnelshift_r __funnelshift_rc __hadd __mul24 __mul64hi __mulhi __popc __popcll __rhadd __sad
__uhadd __umul24 __umul64hi __umulhi __urhadd __usad __dp2a_hi __dp2a_lo __dp4a __vabs2 __vadd4 __vcmpeq2 __vmaxs4
__vsads2 __vsubus4 __viaddmax_s16x2 __double_as_longlong __longlong_as_double __float_as_int __int_as_float
__float_as_uint __uint_as_float __hiloint2double __double2hiint __double2loint __ldg __ldcg __ldca __ldcs __ldlu
__ldcv __stwb __stcg __stcs __stwt __syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp
__threadfence __threadfence_block __threadfence_system __all_sync __any_sync __ballot_sync __activemask
__match_any_sync __match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync
__reduce_or_sync __reduce_xor_sync __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __nanosleep __trap
__brkpt __prof_trigger clock clock64 malloc free memcpy memset printf __shfl __ballot __any __all
__float2half __half2float""".split()
CUDA_INTRINSICS += [f"__{t}{op}_{r}" for t in "fd" for op in ("add", "sub", "mul", "div", "rcp", "sqrt")
                    for r in ("rn", "rz", "ru", "rd")]
CUDA_INTRINSICS += [f"__{name}_{r}" for name in ("fma", "fmaf", "fmaf_ieee") for r in ("rn", "rz", "ru", "rd")
                    if name != "fma" or r]
CUDA_INTRINSICS += [f"__{a}2{b}_{r}" for a, b in (
    ("float", "int"), ("float", "uint"), ("float", "ll"), ("float", "ull"), ("double", "int"), ("double", "uint"),
    ("double", "ll"), ("double", "ull"), ("double", "float"), ("int", "float"), ("uint", "float"), ("ll", "float"),
    ("ull", "float"), ("ll", "double"), ("ull", "double"), ("half", "int"), ("half", "uint"), ("int", "half"))
                    for r in ("rn", "rz", "ru", "rd")] + ["__int2double_rn", "__uint2double_rn"]
CUDA_ATOMICS = [f"atomic{op}{scope}" for op in "Add Sub Exch Min Max Inc Dec CAS And Or Xor".split()
                for scope in ("", "_block", "_system")]
OPENCL = """get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id
get_num_groups get_group_id get_global_offset get_global_linear_id get_local_linear_id get_sub_group_size
get_max_sub_group_size get_num_sub_groups get_enqueued_num_sub_groups get_sub_group_id get_sub_group_local_id
acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp
exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10
log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos
sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2
half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt half_tan native_cos native_divide native_exp
native_exp2 native_exp10 native_log native_log2 native_log10 native_powr native_recip native_rsqrt native_sin
native_sqrt native_tan abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat
upsample popcount mad24 mul24 degrees mix radians step smoothstep sign cross dot distance length normalize
fast_distance fast_length fast_normalize isequal isnotequal isgreater isgreaterequal isless islessequal
islessgreater isfinite isinf isnan isnormal isordered isunordered signbit any all bitselect select vload2 vload3
vload4 vload8 vload16 vstore2 vstore3 vstore4 vstore8 vstore16 vload_half vstore_half vstore_half_rte vloada_half
vstorea_half barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence
atomic_work_item_fence async_work_group_copy async_work_group_strided_copy wait_group_events prefetch atomic_add
atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and atomic_or atomic_xor
atom_add atomic_init atomic_store atomic_load atomic_exchange atomic_compare_exchange_strong
atomic_compare_exchange_weak atomic_fetch_add atomic_fetch_sub atomic_fetch_or atomic_fetch_xor atomic_fetch_and
atomic_fetch_min atomic_fetch_max atomic_flag_test_and_set atomic_flag_clear shuffle shuffle2 printf read_imagef
write_imagef work_group_all work_group_any work_group_broadcast work_group_reduce_add work_group_reduce_min
work_group_reduce_max work_group_scan_inclusive_add work_group_scan_exclusive_add work_group_scan_inclusive_min
work_group_scan_exclusive_max sub_group_all sub_group_any sub_group_broadcast sub_group_reduce_add
sub_group_reduce_min sub_group_reduce_max sub_group_scan_inclusive_add sub_group_scan_exclusive_add
convert_int convert_uint convert_float convert_long_sat convert_uchar_sat_rte as_int as_uint as_float as_double
as_long""".split()

names = list(dict.fromkeys(CUDA_MATH + [name[:-1] for name in CUDA_MATH if name.endswith("f") and name != "isinf"]
                           + CUDA_INTRINSICS + CUDA_ATOMICS + OPENCL))
known = set(re.findall(r'"((?:math|gpu)\.[\w.]+)"', "".join(
    open(f"{sys.path[0]}/../../../intrinsics/{file}", encoding="utf-8").read()
    for file in ("Intrinsics.def", "Memory.def"))))
known |= {"math.PI", "math.NAN", "gpu.shared", "gpu.shared_dyn"}
assert len(known) > 100 and len(names) > 450, (len(known), len(names))



def errors_of(part):
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write("#[gpu]\nfn k(a: &mut [f32], n: &mut [i32]):\n")
        for name in part:
            file.write(f"    {name}(n[0], n[1], n[2])\n")
        file.flush()
        done = subprocess.run(["simple", "compile", file.name], capture_output=True, text=True, check=False)
    return re.findall(r"\d+:5: error: unknown function '(\w+)'(.*) \[unknown-function\]", done.stderr)


errors = {}
for first in range(0, len(names), 8):  # the compiler stops after some errors
    errors.update(errors_of(names[first:first + 8]))
wrong = [f"{name}: no error" for name in names if name not in errors]
for name, hint in errors.items():
    if not hint.startswith("; ") or "did you mean" in hint:
        wrong.append(f"{name}: '{hint}' is no translation")
    wrong += [f"{name}: {ours} does not exist" for ours in re.findall(r"\b(?:math|gpu)\.[\w.]*\w", hint)
              if ours not in known]
if wrong:
    sys.exit("\n".join(wrong))
print(f"{len(names)} functions")
