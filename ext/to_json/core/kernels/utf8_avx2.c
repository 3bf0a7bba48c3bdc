/* Core. The UTF-8 kernel for x86-64 with AVX2. */
#include "simd.h"

#ifdef TJ_SIMD_X86
#include <immintrin.h>

#define TJ_TARGET __attribute__((target("avx2,bmi")))
#define VEC __m256i
#define VEC_SIZE 32

TJ_INLINE TJ_TARGET VEC vec_load(const uint8_t *text)
{
    return _mm256_loadu_si256((const __m256i *)text);
}
TJ_INLINE TJ_TARGET VEC vec_zero(void) { return _mm256_setzero_si256(); }
TJ_INLINE TJ_TARGET VEC vec_fill(uint8_t byte) { return _mm256_set1_epi8((char)byte); }
TJ_INLINE TJ_TARGET VEC vec_or(VEC a, VEC b) { return _mm256_or_si256(a, b); }
TJ_INLINE TJ_TARGET VEC vec_and(VEC a, VEC b) { return _mm256_and_si256(a, b); }
TJ_INLINE TJ_TARGET VEC vec_xor(VEC a, VEC b) { return _mm256_xor_si256(a, b); }
TJ_INLINE TJ_TARGET bool vec_any(VEC v) { return !_mm256_testz_si256(v, v); }
TJ_INLINE TJ_TARGET bool vec_any_high(VEC v) { return _mm256_movemask_epi8(v) != 0; }
TJ_INLINE TJ_TARGET VEC vec_low_half(VEC v) { return vec_and(v, vec_fill(0x0f)); }
TJ_INLINE TJ_TARGET VEC vec_high_half(VEC v)
{
    return vec_and(_mm256_srli_epi16(v, 4), vec_fill(0x0f));
}
TJ_INLINE TJ_TARGET VEC vec_subtract(VEC a, VEC b) { return _mm256_subs_epu8(a, b); }
TJ_INLINE TJ_TARGET VEC vec_lookup(const uint8_t table[16], VEC halves)
{
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table)),
                               halves);
}
#define vec_behind(v, before, n) \
    _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 16 - (n))
TJ_INLINE TJ_TARGET VEC vec_of_pieces(tj_piece first, tj_piece second)
{
    return _mm256_set_epi64x((int64_t)(second >> 64), (int64_t)second, (int64_t)(first >> 64),
                             (int64_t)first);
}

#include "utf8_kernel.h"

TJ_TARGET size_t tj_utf8_avx2(const uint8_t *text, size_t size, bool *ascii)
{
    return valid_prefix(text, size, ascii);
}

#endif
