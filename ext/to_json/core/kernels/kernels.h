/* Core. The choice of the kernels. */
#ifndef TJ_KERNELS_H
#define TJ_KERNELS_H

/* Picks the fastest kernels that this CPU runs, also for utf8.h. Call once before anything else.
 * `most` caps the choice: "scalar", "sse2", "ssse3" (SSE2, and SSSE3 for UTF-8), "avx2", "neon"; NULL
 * or any other text is no cap (the environment's TO_JSON_SIMD, read by the caller). Returns the name
 * of the one chosen. */
const char *tj_simd_init(const char *most);
const char *tj_simd_name(void);

#endif
