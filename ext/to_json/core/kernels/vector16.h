/* Core, private to escape*.c and benchmark/native. Sixteen bytes at a time, with the instructions
 * of every x86-64 (SSE2) or every aarch64 (NEON). escape_kernel.h and the short text of escape.c
 * use these operations. */
#ifndef TJ_VECTOR16_H
#define TJ_VECTOR16_H

#include "escape_forms.h"

#ifdef TJ_SIMD_X86

typedef __m128i tj_v16;

TJ_INLINE tj_v16 tj_v16_load(const uint8_t *text) { return _mm_loadu_si128((const __m128i *)text); }
TJ_INLINE void tj_v16_store(uint8_t *at, tj_v16 v) { _mm_storeu_si128((__m128i *)at, v); }
TJ_INLINE tj_v16 tj_v16_of(uint64_t low, uint64_t high)
{
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128((int64_t)low), _mm_cvtsi64_si128((int64_t)high));
}
TJ_INLINE tj_v16 tj_v16_or(tj_v16 a, tj_v16 b) { return _mm_or_si128(a, b); }
TJ_INLINE tj_v16 tj_v16_and(tj_v16 a, tj_v16 b) { return _mm_and_si128(a, b); }
TJ_INLINE tj_v16 tj_v16_fill(uint8_t byte) { return _mm_set1_epi8((char)byte); }
TJ_INLINE tj_v16 tj_v16_equal(tj_v16 v, uint8_t byte)
{
    return _mm_cmpeq_epi8(v, tj_v16_fill(byte));
}
TJ_INLINE tj_v16 tj_v16_min(tj_v16 a, tj_v16 b) { return _mm_min_epu8(a, b); }

/* Flags U+0000 to U+001F. */
TJ_INLINE tj_v16 tj_v16_control(tj_v16 v)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, tj_v16_fill(0x1f)), v);
}

/* Flags '0' to '9'. */
TJ_INLINE tj_v16 tj_v16_digits(tj_v16 v)
{
    tj_v16 values = _mm_sub_epi8(v, tj_v16_fill('0'));
    return _mm_cmpeq_epi8(_mm_min_epu8(values, tj_v16_fill(9)), values);
}

/* Whether any byte is flagged; and one bit for each byte, the first byte lowest. */
TJ_INLINE bool tj_v16_any(tj_v16 flags) { return _mm_movemask_epi8(flags) != 0; }
TJ_INLINE uint64_t tj_v16_mask(tj_v16 flags) { return (uint64_t)_mm_movemask_epi8(flags); }

/* Sets each byte that `mode` may escape to 0xff. 0xe2, the first byte of U+2028, is a candidate. */
TJ_INLINE tj_v16 tj_v16_flags(tj_v16 v, tj_escape_mode mode)
{
    tj_v16 control = tj_v16_control(v);
    if (mode == TJ_ESCAPE_JSON)
        return tj_v16_or(control, tj_v16_or(tj_v16_equal(v, '"'), tj_v16_equal(v, '\\')));

    tj_v16 angles = tj_v16_equal(tj_v16_or(v, tj_v16_fill(2)), '>'); /* '<' | 2 == '>' */
    tj_v16 html = tj_v16_or(angles, tj_v16_equal(v, TJ_SEPARATOR_LEAD));
    if (mode == TJ_ESCAPE_HTML_IN_JSON) return tj_v16_or(html, tj_v16_equal(v, '&'));

    tj_v16 quotes = tj_v16_equal(tj_v16_or(v, tj_v16_fill(4)), '&'); /* '"' | 4 == '&' */
    return tj_v16_or(tj_v16_or(control, html), tj_v16_or(quotes, tj_v16_equal(v, '\\')));
}

/* The flags without those of candidates. */
TJ_INLINE tj_v16 tj_v16_sure(tj_v16 flags, tj_v16 v)
{
    return _mm_andnot_si128(tj_v16_equal(v, TJ_SEPARATOR_LEAD), flags);
}

#elif defined(TJ_SIMD_NEON)

typedef uint8x16_t tj_v16;

TJ_INLINE tj_v16 tj_v16_load(const uint8_t *text) { return vld1q_u8(text); }
TJ_INLINE void tj_v16_store(uint8_t *at, tj_v16 v) { vst1q_u8(at, v); }
TJ_INLINE tj_v16 tj_v16_of(uint64_t low, uint64_t high)
{
    return vcombine_u8(vcreate_u8(low), vcreate_u8(high));
}
TJ_INLINE tj_v16 tj_v16_or(tj_v16 a, tj_v16 b) { return vorrq_u8(a, b); }
TJ_INLINE tj_v16 tj_v16_and(tj_v16 a, tj_v16 b) { return vandq_u8(a, b); }
TJ_INLINE tj_v16 tj_v16_fill(uint8_t byte) { return vdupq_n_u8(byte); }
TJ_INLINE tj_v16 tj_v16_equal(tj_v16 v, uint8_t byte) { return vceqq_u8(v, tj_v16_fill(byte)); }
TJ_INLINE tj_v16 tj_v16_min(tj_v16 a, tj_v16 b) { return vminq_u8(a, b); }

/* Flags U+0000 to U+001F. */
TJ_INLINE tj_v16 tj_v16_control(tj_v16 v) { return vcltq_u8(v, vdupq_n_u8(0x20)); }

/* Whether any byte is flagged (any bit of it is set); and one bit for each byte. */
TJ_INLINE bool tj_v16_any(tj_v16 flags) { return vmaxvq_u32(vreinterpretq_u32_u8(flags)) != 0; }
TJ_INLINE uint64_t tj_v16_mask(tj_v16 flags)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vtstq_u8(flags, flags), vld1q_u8(places));
    return (uint64_t)vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

/* Flags the bytes that `mode` may escape. 0xe2, the first byte of U+2028, is a candidate. The HTML
 * modes need one lookup for each half of a byte: see escape_forms.h. */
TJ_INLINE tj_v16 tj_v16_flags(tj_v16 v, tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) {
        return tj_v16_or(tj_v16_control(v), tj_v16_or(tj_v16_equal(v, '"'), tj_v16_equal(v, '\\')));
    }
    tj_v16 low = vqtbl1q_u8(vld1q_u8(tj_escape_low_half), vandq_u8(v, vdupq_n_u8(0x0f)));
    tj_v16 high = vqtbl1q_u8(vld1q_u8(tj_escape_high_half[mode]), vshrq_n_u8(v, 4));
    return vandq_u8(low, high);
}

/* The flags without those of candidates. */
TJ_INLINE tj_v16 tj_v16_sure(tj_v16 flags, tj_v16 v)
{
    (void)v;
    return vandq_u8(flags, vdupq_n_u8((uint8_t)~TJ_HALF_LEAD));
}

#endif
#endif
