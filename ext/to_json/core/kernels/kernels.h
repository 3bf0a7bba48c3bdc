/* Core. Chooses the kernels. */
#ifndef TJ_KERNELS_H
#define TJ_KERNELS_H

/* Chooses the fastest kernels that this CPU can run, those of utf8.h too. Call it once, before all
 * else. `most` limits the choice: "scalar", "sse2", "ssse3" (SSE2, and SSSE3 for UTF-8), "avx2" or
 * "neon". NULL and any other text set no limit. The caller passes TO_JSON_SIMD from the
 * environment. Returns the name of the choice. */
const char *tj_simd_init(const char *most);
const char *tj_simd_name(void);

#endif
