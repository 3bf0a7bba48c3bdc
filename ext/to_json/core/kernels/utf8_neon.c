/* Core. The UTF-8 kernel for every aarch64. */
#include "simd.h"

#ifdef TJ_SIMD_NEON

#define TJ_TARGET
#define VEC uint8x16_t
#define VEC_SIZE 16

TJ_INLINE VEC vec_load(const uint8_t *text) { return vld1q_u8(text); }
TJ_INLINE VEC vec_fill(uint8_t byte) { return vdupq_n_u8(byte); }
TJ_INLINE VEC vec_zero(void) { return vec_fill(0); }
TJ_INLINE VEC vec_or(VEC a, VEC b) { return vorrq_u8(a, b); }
TJ_INLINE VEC vec_and(VEC a, VEC b) { return vandq_u8(a, b); }
TJ_INLINE VEC vec_xor(VEC a, VEC b) { return veorq_u8(a, b); }
TJ_INLINE bool vec_any(VEC v) { return vmaxvq_u32(vreinterpretq_u32_u8(v)) != 0; }
TJ_INLINE bool vec_any_high(VEC v) { return vmaxvq_u8(v) >= 0x80; }
TJ_INLINE VEC vec_low_half(VEC v) { return vandq_u8(v, vec_fill(0x0f)); }
TJ_INLINE VEC vec_high_half(VEC v) { return vshrq_n_u8(v, 4); }
TJ_INLINE VEC vec_subtract(VEC a, VEC b) { return vqsubq_u8(a, b); }
TJ_INLINE VEC vec_lookup(const uint8_t table[16], VEC halves)
{
    return vqtbl1q_u8(vld1q_u8(table), halves);
}
#define vec_behind(v, before, n) vextq_u8(before, v, 16 - (n))
TJ_INLINE VEC vec_of_pieces(tj_piece first, tj_piece second)
{
    (void)second;
    return vcombine_u8(vcreate_u8((uint64_t)first), vcreate_u8((uint64_t)(first >> 64)));
}

#include "utf8_kernel.h"

size_t tj_utf8_neon(const uint8_t *text, size_t size, bool *ascii)
{
    return valid_prefix(text, size, ascii);
}

#endif
