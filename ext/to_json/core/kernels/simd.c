/* Core. Chooses the kernels once, when the library is loaded. */
#include "escape_forms.h"

/* Used before tj_simd_init, and without it. */
tj_simd_choice tj_simd = {"scalar", &tj_escape_scalar, tj_utf8_scalar, false};

typedef struct {
    const char *name;
    const tj_escape_kernels *escape;
    tj_utf8_kernel utf8;
} level;

/* The slowest is first. A CPU that can run one can run those above it. */
static const level levels[] = {
    {"scalar", &tj_escape_scalar, tj_utf8_scalar},
#ifdef TJ_SIMD_X86
    {"sse2", &tj_escape_sse2, tj_utf8_scalar}, /* UTF-8 needs the byte shuffle of SSSE3 */
    {"ssse3", &tj_escape_sse2, tj_utf8_ssse3},
    {"avx2", &tj_escape_avx2, tj_utf8_avx2},
#endif
#ifdef TJ_SIMD_NEON
    {"neon", &tj_escape_neon, tj_utf8_neon},
#endif
};
#define LEVELS (sizeof levels / sizeof *levels)

static bool cpu_runs(const char *name)
{
#ifdef TJ_SIMD_X86
    __builtin_cpu_init();
    if (!strcmp(name, "ssse3")) return __builtin_cpu_supports("ssse3");
    if (!strcmp(name, "avx2"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("popcnt");
#endif
    (void)name;
    return true; /* part of the architecture */
}

const char *tj_simd_init(const char *most)
{
    tj_escape_spread_init();
    const level *best = &levels[0];
    for (size_t i = 0; i < LEVELS; i++) {
        if (!cpu_runs(levels[i].name)) break;
        best = &levels[i];
        if (most && !strcmp(most, best->name)) break;
    }
    tj_simd = (tj_simd_choice){best->name, best->escape, best->utf8, best != &levels[0]};
    return best->name;
}

const char *tj_simd_name(void) { return tj_simd.name; }
