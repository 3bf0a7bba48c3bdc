/* Core. The escape kernels for every aarch64. */
#include "vector16.h"

#ifdef TJ_SIMD_NEON

#define TJ_TARGET
#define VEC tj_v16
#define VEC_SIZE 16
#define vec_load tj_v16_load
#define vec_store tj_v16_store
#define vec_or tj_v16_or
#define vec_and tj_v16_and
#define vec_fill tj_v16_fill
#define vec_equal tj_v16_equal
#define vec_flags tj_v16_flags
#define vec_sure tj_v16_sure
#define vec_any tj_v16_any
#define vec_mask tj_v16_mask

#define VEC_DENSE
#define VEC_LEAD
#define vec_max vmaxq_u8
#define vec_choose vbslq_u8
#define vec_shuffle_16 vqtbl1q_u8
#define vec_short_letter(v) vqtbl1q_u8(vld1q_u8(tj_short_letters), v)

#include "escape_kernel.h"

const tj_escape_kernels tj_escape_neon = TJ_ESCAPE_KERNELS;

#endif
