/* Core, private to core/. Which kernels exist, which one is in use, and text of at most 16 bytes
 * held in registers. */
#ifndef TJ_SIMD_H
#define TJ_SIMD_H

#include "../status.h"
#include "escape_mode.h"
#include "kernels.h"

/* There are kernels for 64-bit little-endian machines. All others use the scalar ones. */
#if defined(__x86_64__)
#define TJ_SIMD_X86 1
#define TJ_SIMD 1
#include <emmintrin.h>
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TJ_SIMD_NEON 1
#define TJ_SIMD 1
#include <arm_neon.h>
#endif

/* One function for each tj_escape_mode. The vector kernels need TJ_LONG bytes or more, the scalar
 * ones take any size. */
typedef uint8_t *(*tj_escape_kernel)(uint8_t *at, const uint8_t *text, size_t size);
typedef size_t (*tj_prefix_kernel)(const uint8_t *text, size_t size);
/* Copies text[0, size) until something must be escaped, and returns how many bytes are copied and
 * need no escape. It may stop before the first escape and between the bytes of a code point. Needs
 * size >= 64 and as much room at `at`. */
typedef size_t (*tj_copy_kernel)(uint8_t *at, const uint8_t *text, size_t size);
/* Writes text[0, size), size <= 64, with escapes; 64 bytes may be read. `mask` has a bit for each
 * byte that JSON escapes, TJ_DENSE bits or more. */
typedef uint8_t *(*tj_padded_kernel)(uint8_t *at, const uint8_t *text, size_t size, uint64_t mask);
typedef struct {
    tj_escape_kernel escape[3];
    tj_prefix_kernel plain_prefix[3];
    tj_copy_kernel copy_plain[3];
    tj_padded_kernel padded; /* NULL if there is none */
} tj_escape_kernels;
/* Does what tj_utf8_valid_prefix does, for a size of one byte or more. */
typedef size_t (*tj_utf8_kernel)(const uint8_t *text, size_t size, bool *ascii);

#define TJ_LONG 33

#pragma GCC visibility push(hidden)

extern const tj_escape_kernels tj_escape_scalar;
extern const tj_escape_kernels tj_escape_sse2;
extern const tj_escape_kernels tj_escape_avx2;
extern const tj_escape_kernels tj_escape_neon;

size_t tj_utf8_scalar(const uint8_t *text, size_t size, bool *ascii);
size_t tj_utf8_ssse3(const uint8_t *text, size_t size, bool *ascii);
size_t tj_utf8_avx2(const uint8_t *text, size_t size, bool *ascii);
size_t tj_utf8_neon(const uint8_t *text, size_t size, bool *ascii);

/* The exact result for text[0, size). A kernel found that text[0, good) is valid, except that
 * `good` may cut a sequence, and that an error follows. */
size_t tj_utf8_rescan(const uint8_t *text, size_t size, size_t good, bool *ascii);

/* The kernels in use. tj_simd_init sets this before there are other threads. */
typedef struct {
    const char *name;
    const tj_escape_kernels *escape;
    tj_utf8_kernel utf8;
    bool vectors; /* escape.c may use vector16.h */
} tj_simd_choice;
extern tj_simd_choice tj_simd;

#pragma GCC visibility pop

TJ_INLINE uint64_t tj_load8(const uint8_t *text)
{
    uint64_t word;
    memcpy(&word, text, 8);
    return word;
}

TJ_INLINE uint32_t tj_load4(const uint8_t *text)
{
    uint32_t word;
    memcpy(&word, text, 4);
    return word;
}

TJ_INLINE void tj_store8(uint8_t *at, uint64_t word) { memcpy(at, &word, 8); }
TJ_INLINE void tj_store4(uint8_t *at, uint32_t word) { memcpy(at, &word, 4); }

#ifdef TJ_SIMD

/* Up to 16 bytes of text: the first is the lowest, zeros follow the last. */
typedef unsigned __int128 tj_piece;

/* Loads text[at, min(at + 16, size)), at < size. Reads no byte outside text[0, size): if fewer than
 * 16 are left, it reads the last 16 and shifts. */
TJ_INLINE tj_piece tj_piece_at(const uint8_t *text, size_t size, size_t at)
{
    if (TJ_LIKELY(size >= 16)) {
        size_t from = at + 16 <= size ? at : size - 16;
        tj_piece piece = (tj_piece)tj_load8(text + from + 8) << 64 | tj_load8(text + from);
        return piece >> (8 * (at - from));
    }
    tj_piece piece;
    if (size >= 8) {
        tj_piece high = (tj_piece)tj_load8(text + size - 8) << 64 >> (8 * (16 - size));
        piece = high | tj_load8(text);
    } else if (size >= 4) {
        piece = (uint64_t)tj_load4(text + size - 4) << (8 * (size - 4)) | tj_load4(text);
    } else {
        piece = (uint64_t)text[size - 1] << (8 * (size - 1)) |
                (uint64_t)text[size / 2] << (8 * (size / 2)) | text[0];
    }
    return piece >> (8 * at);
}

TJ_INLINE void tj_piece_store(uint8_t *at, tj_piece piece) { memcpy(at, &piece, 16); }

#endif
#endif
