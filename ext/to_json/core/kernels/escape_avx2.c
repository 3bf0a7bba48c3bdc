/* Core. The escape kernels for x86-64 with AVX2, BMI1 and POPCNT, 32 bytes in a vector. Only these
 * functions are compiled for AVX2; the rest of the library needs SSE2. */
#include "vector16.h"

#ifdef TJ_SIMD_X86
#include <immintrin.h>

#define TJ_TARGET __attribute__((target("avx2,bmi,popcnt")))
#define VEC __m256i
#define VEC_SIZE 32

TJ_INLINE TJ_TARGET VEC vec_load(const uint8_t *text)
{
    return _mm256_loadu_si256((const __m256i *)text);
}
TJ_INLINE TJ_TARGET void vec_store(uint8_t *at, VEC v) { _mm256_storeu_si256((__m256i *)at, v); }
TJ_INLINE TJ_TARGET VEC vec_or(VEC a, VEC b) { return _mm256_or_si256(a, b); }
TJ_INLINE TJ_TARGET VEC vec_and(VEC a, VEC b) { return _mm256_and_si256(a, b); }
TJ_INLINE TJ_TARGET VEC vec_fill(uint8_t byte) { return _mm256_set1_epi8((char)byte); }
TJ_INLINE TJ_TARGET VEC vec_equal(VEC v, uint8_t byte)
{
    return _mm256_cmpeq_epi8(v, vec_fill(byte));
}

/* A byte of `flags` is set if any of its bits is. */
TJ_INLINE TJ_TARGET bool vec_any(VEC flags) { return !_mm256_testz_si256(flags, flags); }
TJ_INLINE TJ_TARGET uint64_t vec_mask(VEC flags)
{
    return (uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(flags, _mm256_setzero_si256()));
}

TJ_INLINE TJ_TARGET VEC lookup(const uint8_t table[16], VEC index)
{
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table)),
                               index);
}

/* As in vector16.h. 0x20 - v is 0 for bytes from 0x20 on (it saturates), and not 0 below. */
TJ_INLINE TJ_TARGET VEC vec_flags(VEC v, tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) {
        VEC control = _mm256_subs_epu8(vec_fill(0x20), v);
        return vec_or(control, vec_or(vec_equal(v, '"'), vec_equal(v, '\\')));
    }
    VEC low = lookup(tj_escape_low_half, vec_and(v, vec_fill(0x0f)));
    VEC high = lookup(tj_escape_high_half[mode], vec_and(_mm256_srli_epi16(v, 4), vec_fill(0x0f)));
    return vec_and(low, high);
}

TJ_INLINE TJ_TARGET VEC vec_sure(VEC flags, VEC v)
{
    (void)v;
    return vec_and(flags, vec_fill((uint8_t)~TJ_HALF_LEAD));
}

#define VEC_DENSE
#define VEC_LEAD
TJ_INLINE TJ_TARGET VEC vec_max(VEC a, VEC b) { return _mm256_max_epu8(a, b); }
TJ_INLINE TJ_TARGET VEC vec_choose(VEC which, VEC a, VEC b)
{
    return _mm256_blendv_epi8(b, a, which);
}
TJ_INLINE TJ_TARGET tj_v16 vec_shuffle_16(tj_v16 v, tj_v16 index)
{
    return _mm_shuffle_epi8(v, index);
}
/* For bytes from 16 on the sum is 0x80 or more, for which the shuffle gives 0. */
TJ_INLINE TJ_TARGET VEC vec_short_letter(VEC v)
{
    return lookup(tj_short_letters, _mm256_adds_epu8(v, vec_fill(0x70)));
}

#include "escape_kernel.h"

const tj_escape_kernels tj_escape_avx2 = TJ_ESCAPE_KERNELS;

#endif
