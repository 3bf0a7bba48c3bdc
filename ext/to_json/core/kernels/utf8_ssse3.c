/* Core. The UTF-8 kernel for x86-64 with SSSE3, which has the byte shuffle that it needs. */
#include "simd.h"

#ifdef TJ_SIMD_X86
#include <tmmintrin.h>

#define TJ_TARGET __attribute__((target("ssse3")))
#define VEC __m128i
#define VEC_SIZE 16

TJ_INLINE TJ_TARGET VEC vec_load(const uint8_t *text)
{
    return _mm_loadu_si128((const __m128i *)text);
}
TJ_INLINE TJ_TARGET VEC vec_zero(void) { return _mm_setzero_si128(); }
TJ_INLINE TJ_TARGET VEC vec_fill(uint8_t byte) { return _mm_set1_epi8((char)byte); }
TJ_INLINE TJ_TARGET VEC vec_or(VEC a, VEC b) { return _mm_or_si128(a, b); }
TJ_INLINE TJ_TARGET VEC vec_and(VEC a, VEC b) { return _mm_and_si128(a, b); }
TJ_INLINE TJ_TARGET VEC vec_xor(VEC a, VEC b) { return _mm_xor_si128(a, b); }
TJ_INLINE TJ_TARGET bool vec_any(VEC v)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(v, vec_zero())) != 0xffff;
}
TJ_INLINE TJ_TARGET bool vec_any_high(VEC v) { return _mm_movemask_epi8(v) != 0; }
TJ_INLINE TJ_TARGET VEC vec_low_half(VEC v) { return vec_and(v, vec_fill(0x0f)); }
TJ_INLINE TJ_TARGET VEC vec_high_half(VEC v)
{
    return vec_and(_mm_srli_epi16(v, 4), vec_fill(0x0f));
}
TJ_INLINE TJ_TARGET VEC vec_subtract(VEC a, VEC b) { return _mm_subs_epu8(a, b); }
TJ_INLINE TJ_TARGET VEC vec_lookup(const uint8_t table[16], VEC halves)
{
    return _mm_shuffle_epi8(vec_load(table), halves);
}
#define vec_behind(v, before, n) _mm_alignr_epi8(v, before, 16 - (n))
TJ_INLINE TJ_TARGET VEC vec_of_pieces(tj_piece first, tj_piece second)
{
    (void)second;
    return _mm_set_epi64x((int64_t)(first >> 64), (int64_t)first);
}

#include "utf8_kernel.h"

TJ_TARGET size_t tj_utf8_ssse3(const uint8_t *text, size_t size, bool *ascii)
{
    return valid_prefix(text, size, ascii);
}

#endif
