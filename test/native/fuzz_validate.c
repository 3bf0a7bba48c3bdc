/* Tests of the native core, layer 3: the validator for fuzzers. Compares it with the naive one, by
 * vectors and by bytes, at a few depths; the copy on the heap lets ASan see a byte read past the
 * end.
 *
 *     core=ext/to_json/core; flags="-g -O1 -iquote $core -iquote test/native
 * -fsanitize=fuzzer,address,undefined" clang $flags -DLIBFUZZER test/native/fuzz_validate.c
 * $core/[a-z]*.c -o fuzz_validate
 *     ./fuzz_validate -dict=test/native/json.dict -max_total_time=60 work/ test/native/corpus/
 *
 * Without -DLIBFUZZER (gcc, AFL++'s compilers) it replays the files given as arguments. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t depths[] = {100, 0, 3};
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, data, size);
    for (int pass = 0; pass < 2; pass++) {
        const char *kernels = tj_simd_init(pass ? "scalar" : NULL);
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            const char *wrong = validate_disagrees(copy, size, depths[i]);
            if (!wrong) continue;
            fprintf(stderr, "tj_validate (%s, at most %zu deep) %s\n", kernels, depths[i], wrong);
            abort();
        }
    }
    free(copy);
    return 0;
}

#ifndef LIBFUZZER
int main(int argc, char **argv)
{
    static uint8_t text[1 << 20];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        LLVMFuzzerTestOneInput(text, size);
    }
    printf("%d files replayed\n", argc - 1);
    return argc < 2;
}
#endif
