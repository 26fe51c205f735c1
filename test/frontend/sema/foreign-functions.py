# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each function of the lists of CUDA, OpenCL, HLSL and Mojo is translated, or said not to exist. A translation names only
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

# cuda_fp16.h and cuda_bf16.h. Those of vectors of two have a 2.
CUDA_HALF = """__habs __hadd __hadd_rn __hadd_sat __hdiv __hfma __hfma_relu __hfma_sat __hmul __hmul_rn __hmul_sat
__hneg __hsub __hsub_rn __hsub_sat __heq __hequ __hge __hgeu __hgt __hgtu __hisinf __hisnan __hle __hleu __hlt __hltu
__hmax __hmax_nan __hmin __hmin_nan __hne __hneu __h2div __habs2 __hadd2 __hadd2_rn __hadd2_sat __hcmadd __hfma2
__hfma2_relu __hfma2_sat __hmul2 __hmul2_rn __hmul2_sat __hneg2 __hsub2 __hsub2_rn __hsub2_sat __hbeq2 __hbequ2 __hbge2
__hbgeu2 __hbgt2 __hbgtu2 __hble2 __hbleu2 __hblt2 __hbltu2 __hbne2 __hbneu2 __heq2 __hge2 __hgt2 __hisnan2 __hle2
__hlt2 __hmax2 __hmax2_nan __hmin2 __hmin2_nan __hne2 hceil hcos hexp hexp10 hexp2 hfloor hlog hlog10 hlog2 hrcp hrint
hrsqrt hsin hsqrt htanh htanh_approx htrunc h2ceil h2cos h2exp h2exp10 h2exp2 h2floor h2log h2log10 h2log2 h2rcp h2rint
h2rsqrt h2sin h2sqrt h2tanh h2trunc __half22float2 __float22half2_rn __float2half2_rn __floats2half2_rn __half2half2
__halves2half2 make_half2 __low2half __high2half __low2float __high2float __low2half2 __high2half2 __lows2half2
__highs2half2 __lowhigh2highlow __half_as_short __half_as_ushort __short_as_half __ushort_as_half __float2bfloat16
__bfloat162float __bfloat1622float2 __floats2bfloat162_rn __double2half __float2half_rn __half2int_rz""".split()
# Others of CUDA: DPX, memory, and functions of the compiler.
CUDA_OTHERS = """__viaddmax_s32 __viaddmax_u32 __viaddmax_s32_relu __viaddmin_s32 __viaddmin_u32 __viaddmin_s32_relu
__vimax3_s32 __vimax3_u32 __vimax3_s32_relu __vimin3_s32 __vimin3_u32 __vimin3_s32_relu __vimax_s32_relu
__vimin_s32_relu __vibmax_s32 __vibmin_u32 __viaddmax_u16x2 __vimax3_s16x2_relu __vibmax_s16x2 __isGlobal __isShared
__isConstant __isLocal __cvta_generic_to_shared __builtin_assume __builtin_expect __builtin_unreachable alloca
__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior __uni_sync __shfl_up __shfl_down __shfl_xor
__nv_atomic_load __nv_atomic_store __nv_atomic_exchange __nv_atomic_compare_exchange __nv_atomic_fetch_add
__nv_atomic_fetch_sub __nv_atomic_fetch_min __nv_atomic_fetch_max __nv_atomic_fetch_and __nv_atomic_fetch_or
__nv_atomic_fetch_xor __nv_atomic_thread_fence tex1D tex1Dfetch tex1DLod tex2D tex2DLayered tex2Dgather tex3DGrad
texCubemap surf1Dread surf2Dwrite surfCubemapread cudaMalloc cudaMemcpy cudaDeviceSynchronize __pm0 __pm3""".split()
CUDA_OTHERS += [f"__v{op}{size}" for size in (2, 4) for op in (
    "abs", "absdiffs", "absdiffu", "absss", "add", "addss", "addus", "avgs", "avgu", "cmpeq", "cmpges", "cmpgeu",
    "cmpgts", "cmpgtu", "cmples", "cmpleu", "cmplts", "cmpltu", "cmpne", "hadds", "haddu", "maxs", "maxu", "mins",
    "minu", "neg", "negss", "sads", "sadu", "seteq", "setges", "setgtu", "sub", "subss", "subus")]
CUDA_OTHERS += [f"make_{kind}{count}" for count in (1, 2, 3, 4) for kind in (
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double")]
OPENCL += """sub_group_elect sub_group_ballot sub_group_inverse_ballot sub_group_ballot_bit_extract
sub_group_ballot_bit_count sub_group_ballot_find_lsb sub_group_ballot_find_msb sub_group_broadcast_first
sub_group_non_uniform_broadcast sub_group_non_uniform_all sub_group_non_uniform_any sub_group_non_uniform_all_equal
sub_group_non_uniform_reduce_add sub_group_non_uniform_reduce_min sub_group_non_uniform_reduce_max
sub_group_non_uniform_reduce_and sub_group_non_uniform_scan_inclusive_add sub_group_shuffle sub_group_shuffle_xor
sub_group_shuffle_up sub_group_shuffle_down sub_group_rotate sub_group_clustered_reduce_add
sub_group_clustered_reduce_max bit_reverse bitfield_insert bitfield_extract_signed bitfield_extract_unsigned
dot_4x8packed_ss_int dot_acc_sat_4x8packed_ss_int vload_half2 vload_half3 vloada_half4 vstore_half8 vstorea_half16
vstore_half_rtz vstorea_half_rtp vec_step read_imagei read_imageui write_imagei write_imageui get_image_width
get_image_dim get_image_channel_data_type to_global to_local to_private get_fence read_pipe write_pipe
reserve_read_pipe commit_write_pipe get_pipe_num_packets work_group_reserve_read_pipe enqueue_kernel enqueue_marker
ndrange_1D retain_event get_default_queue get_kernel_work_group_size atomic_fetch_add_explicit
atomic_exchange_explicit atomic_compare_exchange_weak_explicit atomic_load_explicit atomic_store_explicit
atomic_flag_clear_explicit as_int4 as_float2 as_uchar8 convert_int4 convert_float4_rtz convert_uchar8_sat""".split()
OPENCL += [f"atom_{op}" for op in "add sub xchg inc dec cmpxchg min max and or xor".split()]
OPENCL += [f"{group}_group_scan_{kind}_{op}" for group in ("work", "sub") for kind in ("inclusive", "exclusive")
           for op in ("add", "min", "max")]
HLSL = """abs acos all any asdouble asfloat asin asint asuint atan atan2 ceil clamp clip cos cosh countbits cross ddx
ddx_coarse ddy_fine degrees determinant distance dot dst exp exp2 f16tof32 f32tof16 faceforward firstbithigh
firstbitlow floor fma fmod frac frexp fwidth isfinite isinf isnan ldexp length lerp lit log log10 log2 mad max min modf
msad4 mul noise normalize pow radians rcp reflect refract reversebits round rsqrt saturate sign sin sincos sinh
smoothstep sqrt step tan tanh transpose trunc printf AllMemoryBarrier AllMemoryBarrierWithGroupSync
DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync GroupMemoryBarrier GroupMemoryBarrierWithGroupSync
InterlockedAdd InterlockedAnd InterlockedCompareExchange InterlockedCompareStore InterlockedExchange InterlockedMax
InterlockedMin InterlockedOr InterlockedXor WaveIsFirstLane WaveGetLaneCount WaveGetLaneIndex WaveActiveAnyTrue
WaveActiveAllTrue WaveActiveBallot WaveReadLaneAt WaveReadLaneFirst WaveActiveAllEqual WaveActiveBitAnd WaveActiveBitOr
WaveActiveBitXor WaveActiveCountBits WaveActiveMax WaveActiveMin WaveActiveProduct WaveActiveSum WavePrefixCountBits
WavePrefixProduct WavePrefixSum WaveMatch WaveMultiPrefixSum QuadReadAcrossX QuadReadAcrossY QuadReadAcrossDiagonal
QuadReadLaneAt QuadAny QuadAll dot4add_i8packed dot4add_u8packed dot2add""".split()
MOJO = """barrier syncwarp lane_group_sum lane_group_min lane_group_max warp_sum warp_and shuffle_idx shuffle_up
shuffle_down shuffle_xor stack_allocation bitcast pop_count count_leading_zeros count_trailing_zeros bit_reverse
byte_swap rotate_bits_left rotate_bits_right bit_width log2_floor is_power_of_two next_power_of_two ceildiv align_up
align_down recip scalb isclose iota rsqrt clamp len range""".split()

names = list(dict.fromkeys(CUDA_MATH + [name[:-1] for name in CUDA_MATH if name.endswith("f") and name != "isinf"]
                           + CUDA_INTRINSICS + CUDA_ATOMICS + CUDA_HALF + CUDA_OTHERS + OPENCL + HLSL + MOJO
                           + "popc brev ffs clz".split()))
known = set(re.findall(r'"((?:math|gpu)\.[\w.]+)"', "".join(
    open(f"{sys.path[0]}/../../../intrinsics/{file}", encoding="utf-8").read()
    for file in ("Intrinsics.def", "Memory.def"))))
known |= {"math.PI", "math.NAN", "gpu.shared", "gpu.shared_dyn"}
assert len(known) > 100 and len(names) > 800, (len(known), len(names))



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
