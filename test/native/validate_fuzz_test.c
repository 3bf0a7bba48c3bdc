/* Tests of core/text/validate.c, by comparison: random documents, whole and damaged, through the
 * naive validator too; the corpus of the fuzzer; JSONTestSuite where it is at hand. */
#include "fuzz_validate.h"
#include "harness.h"
#include "random_json.h"

#include <dirent.h>

/* One to three small changes; the text stays below ROOM bytes. */
static size_t damage(uint8_t *text, size_t size)
{
    static const uint8_t telling[] =
        "{}[],:\"\\0123-+.eEtfnu \n\x01\x1f\x7f\x80\xbf\xc0\xc2\xe0\xed\xf0\xf4\xff/'";
    for (uint64_t n = 1 + random_below(3); n && size; n--) {
        size_t i = random_below(size), j = random_below(size);
        uint8_t byte = random_below(2) ? telling[random_below(sizeof telling - 1)]
                                       : (uint8_t)random_u64();
        switch (random_below(6)) {
        case 0: text[i] = byte; break;
        case 1: text[i] ^= (uint8_t)(1 << random_below(8)); break;
        case 2: size = i; break;
        case 3:
            memmove(text + i, text + i + 1, size - i - 1);
            size--;
            break;
        case 4:
            if (size == ROOM) break;
            memmove(text + i + 1, text + i, size - i);
            text[i] = byte;
            size++;
            break;
        case 5:
            byte = text[i];
            text[i] = text[j];
            text[j] = byte;
            break;
        }
    }
    return size;
}

static const char *const kernels[] = {NULL, "scalar"};

static void check(const uint8_t *text, size_t size, size_t max_nesting)
{
    CASE();
    const char *wrong = validate_disagrees(text, size, max_nesting);
    if (wrong) FAIL("%s: %.*s", wrong, (int)size, (const char *)text);
}

TEST("random documents are valid, damaged ones are what the naive validator says")
{
    uint8_t *room = guard_alloc(ROOM), *text = malloc(ROOM);
    uint64_t rounds = ROUNDS(60000, 3000000), refused = 0;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        harness_context("%s", tj_simd_init(kernels[k]));
        for (uint64_t i = 0; i < rounds; i++) {
            size_t size = random_document(text, 1 + (int)random_below(6));
            uint8_t *end = room + ROOM; /* the text ends where an unreadable page starts */
            memcpy(end - size, text, size);
            if (size < ROOM - 100) EXPECT(tj_validate(end - size, size, 100, NULL) == TJ_OK);
            check(end - size, size, 1 + random_below(6));
            size = damage(text, size);
            memcpy(end - size, text, size);
            check(end - size, size, 100);
            refused += tj_validate(end - size, size, 100, NULL) != TJ_OK;
        }
    }
    EXPECT(refused > rounds / 2 && refused < 2 * rounds);
    tj_simd_init(NULL);
    free(text);
    guard_free(room, ROOM);
    EXPECT_CASES(4 * rounds);
}

TEST("every cut of a document is refused where it ends, or is a whole number")
{
    uint8_t text[ROOM];
    for (uint64_t i = 0; i < ROUNDS(200, 10000); i++) {
        size_t size = random_document(text, 3);
        for (size_t cut = 0; cut < size; cut++) check(text, cut, 100);
    }
}

/* Runs `each` on every file of a directory; returns how many there are, -1 where there is none. */
static int each_file(const char *directory,
                     void (*each)(const char *name, const uint8_t *text, size_t size))
{
    static uint8_t text[1 << 20];
    DIR *entries = opendir(directory);
    if (!entries) return -1;
    int files = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (!EXPECT(file != NULL)) continue;
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        harness_context("%s", entry->d_name);
        each(entry->d_name, text, size);
        files++;
    }
    closedir(entries);
    return files;
}

/* "<project>/<below>", the project being what __FILE__ says before /test/native/. */
static void project_path(char path[4096], const char *below)
{
    const char *tail = strstr(__FILE__, "test/native/");
    snprintf(path, 4096, "%.*s%s", (int)(tail ? tail - __FILE__ : 0), __FILE__, below);
}

static void replay(const char *name, const uint8_t *text, size_t size)
{
    (void)name;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        tj_simd_init(kernels[k]);
        check(text, size, 100);
        check(text, size, 2);
    }
    tj_simd_init(NULL);
}

TEST("the fuzzer's corpus is what the naive validator says")
{
    char path[4096];
    project_path(path, "test/native/corpus");
    EXPECT(each_file(path, replay) >= 20);
}

static int suite_files;

/* y_ must be accepted, n_ refused, i_ is free. */
static void suite_file(const char *name, const uint8_t *text, size_t size)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        tj_simd_init(kernels[k]);
        tj_status status = tj_validate(text, size, TJ_VALIDATE_MAX_NESTING, NULL);
        if (name[0] == 'y') EXPECT(status == TJ_OK);
        if (name[0] == 'n') EXPECT(status != TJ_OK);
    }
    tj_simd_init(NULL);
    suite_files += name[0] == 'y' || name[0] == 'n';
}

#define SUITE_FILES 283

TEST("JSONTestSuite: every y_ file is accepted, every n_ file is refused")
{
    char path[4096];
    const char *shared = getenv("TO_JSON_SHARED");
    if (shared) snprintf(path, sizeof path, "%s/data/json_test_suite", shared);
    else project_path(path, "../shared/data/json_test_suite");
    suite_files = 0;
    if (each_file(path, suite_file) < 0) {
        printf("  did not run: %d files of JSONTestSuite, not at hand (TO_JSON_SHARED names the "
               "directory over data/)\n",
               SUITE_FILES);
        CASE();
        return;
    }
    EXPECT(suite_files >= SUITE_FILES);
}
