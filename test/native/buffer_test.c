/* Tests of core/grammar/buffer.c: reserve, commit, grow, adopt, rewind, flush, and sizes near the
 * end of size_t. */
#include "buffer.h"

#include "harness.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define HALF (SIZE_MAX / 2)

/* As every caller writes: asks for room, grows where there is none, writes at the cursor, commits.
 */
static tj_status append(tj_buffer *b, const uint8_t *bytes, size_t size)
{
    if (!tj_buffer_has(b, size)) {
        tj_status status = tj_buffer_grow(b, size);
        if (status != TJ_OK) return status;
        EXPECT(tj_buffer_has(b, size));
    }
    memcpy(b->cursor, bytes, size);
    tj_buffer_commit(b, b->cursor + size);
    return TJ_OK;
}

TEST("a new buffer is empty, owned and at least 16 bytes large")
{
    for (size_t capacity = 0; capacity < 40; capacity++) {
        tj_buffer b;
        EXPECT_INT(TJ_OK, tj_buffer_init(&b, capacity));
        EXPECT_UINT(capacity < 16 ? 16 : capacity, tj_buffer_room(&b));
        EXPECT_UINT(0, tj_buffer_used(&b));
        EXPECT_UINT(0, tj_buffer_offset(&b));
        EXPECT(b.owned);
        tj_buffer_free(&b);
        EXPECT(b.start == NULL);
    }
}

TEST("a buffer has exactly the room that it has, not one byte more")
{
    for (size_t capacity = 16; capacity < 80; capacity++) {
        tj_buffer b;
        EXPECT_INT(TJ_OK, tj_buffer_init(&b, capacity));
        for (size_t used = 0; used <= capacity; used++) {
            b.cursor = b.start + used;
            EXPECT(tj_buffer_has(&b, capacity - used));
            EXPECT(!tj_buffer_has(&b, capacity - used + 1));
            EXPECT(!tj_buffer_has(&b, SIZE_MAX));
        }
        tj_buffer_free(&b);
    }
}

TEST("the next capacity holds what is asked, at least doubles, and never passes half of SIZE_MAX")
{
    static const struct {
        size_t capacity, used, more;
        tj_status status;
        size_t next;
    } rows[] = {
        {0, 0, 0, TJ_OK, 16},
        {0, 0, 17, TJ_OK, 17},
        {16, 16, 1, TJ_OK, 32},
        {16, 16, 16, TJ_OK, 32},
        {16, 16, 17, TJ_OK, 33},
        {64, 10, 1000, TJ_OK, 1010},
        {SIZE_MAX / 4, SIZE_MAX / 4, 1, TJ_OK, SIZE_MAX / 4 * 2},
        {SIZE_MAX / 4 + 1, SIZE_MAX / 4, 1, TJ_OK, HALF},
        {HALF, HALF - 1, 1, TJ_OK, HALF},
        {HALF, HALF, 0, TJ_OK, HALF},
        {HALF, HALF, 1, TJ_TOO_LARGE, 0},
        {16, HALF, 1, TJ_TOO_LARGE, 0},
        {16, 1, HALF, TJ_TOO_LARGE, 0},
        {16, 0, HALF, TJ_OK, HALF},
        {16, 1, SIZE_MAX, TJ_TOO_LARGE, 0},
        {16, SIZE_MAX, 1, TJ_TOO_LARGE, 0},
        {16, SIZE_MAX, SIZE_MAX, TJ_TOO_LARGE, 0},
        {(size_t)1 << 31, (size_t)1 << 31, 1, TJ_OK, (size_t)1 << 32},
        {((size_t)1 << 31) - 1, ((size_t)1 << 31) - 1, 1, TJ_OK, ((size_t)1 << 32) - 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        harness_context("row %zu", i);
        size_t next = 0;
        EXPECT_INT(rows[i].status,
                   tj_buffer_next_capacity(rows[i].capacity, rows[i].used, rows[i].more, &next));
        if (rows[i].status == TJ_OK) EXPECT_UINT(rows[i].next, next);
    }
    harness_context(NULL);
}

TEST("random sizes: the next capacity keeps its promises over the whole range of size_t")
{
    for (uint64_t round = 0; round < ROUNDS(200000, 10000000); round++) {
        size_t capacity = random_u64() >> random_below(64), used = random_u64() >> random_below(64);
        size_t more = random_u64() >> random_below(64), next = 0;
        bool fits = used <= HALF && more <= HALF - used;
        tj_status status = tj_buffer_next_capacity(capacity, used, more, &next);
        bool right = status == (fits ? TJ_OK : TJ_TOO_LARGE);
        if (status == TJ_OK)
            right &= next >= used + more && next >= 16 &&
                     (capacity > SIZE_MAX / 4 || next >= capacity * 2) &&
                     (capacity > HALF || next <= HALF || next >= capacity);
        if (!right)
            FAIL("capacity %zu used %zu more %zu: status %d, next %zu", capacity, used, more,
                 (int)status, next);
        CASE();
    }
}

TEST("a growth that cannot be leaves the buffer as it was")
{
    tj_buffer b;
    EXPECT_INT(TJ_OK, tj_buffer_init(&b, 16));
    EXPECT_INT(TJ_OK, append(&b, (const uint8_t *)"0123456789", 10));
    tj_buffer before = b;
    EXPECT_INT(TJ_TOO_LARGE, tj_buffer_grow(&b, SIZE_MAX));
    EXPECT_INT(TJ_TOO_LARGE, tj_buffer_grow(&b, HALF));
    tj_refuse_allocation_after(0);
    EXPECT_INT(TJ_NO_MEMORY, tj_buffer_grow(&b, 100));
    tj_refuse_allocation_after(-1);
    EXPECT(before.start == b.start && before.cursor == b.cursor && before.limit == b.limit);
    EXPECT_TEXT("0123456789", b.start, b.cursor);
    EXPECT_INT(TJ_OK, append(&b, (const uint8_t *)"abcdefghij", 10));
    EXPECT_TEXT("0123456789abcdefghij", b.start, b.cursor);
    tj_buffer_free(&b);
}

TEST("memory refused at the n-th allocation of a growing buffer, for every n: a status, no leak, "
     "the bytes intact")
{
    for (long n = 0; n < 24; n++) {
        harness_context("refused after %ld", n);
        tj_refuse_allocation_after(n);
        tj_buffer b;
        tj_status status = tj_buffer_init(&b, 16);
        size_t written = 0;
        while (status == TJ_OK && written < ((size_t)1 << 20)) {
            uint8_t chunk[13];
            for (size_t i = 0; i < sizeof chunk; i++) chunk[i] = (uint8_t)(written + i);
            status = append(&b, chunk, sizeof chunk);
            if (status == TJ_OK) written += sizeof chunk;
        }
        tj_refuse_allocation_after(-1);
        EXPECT_INT(n < 18 ? TJ_NO_MEMORY : TJ_OK,
                   status); /* 16 bytes and 17 doublings hold a little more than a MiB */
        EXPECT_UINT(written, tj_buffer_used(&b));
        bool intact = true;
        for (size_t i = 0; i < written; i++)
            intact &= b.start[i] == (uint8_t)(i / 13 * 13 + i % 13);
        EXPECT(intact);
        tj_buffer_free(&b);
    }
    harness_context(NULL);
}

TEST("what was adopted is not freed, and goes on where the bytes were")
{
    uint8_t storage[64];
    tj_buffer b;
    EXPECT_INT(TJ_OK, tj_buffer_init(&b, 16));
    EXPECT_INT(TJ_OK, append(&b, (const uint8_t *)"abc", 3));
    memcpy(storage, b.start, 3);
    tj_buffer_adopt(&b, storage, 3, sizeof storage);
    EXPECT(!b.owned);
    EXPECT_UINT(61, tj_buffer_room(&b));
    EXPECT_INT(TJ_OK, append(&b, (const uint8_t *)"def", 3));
    EXPECT_TEXT("abcdef", storage, b.cursor);
    tj_buffer_adopt(&b, storage, 6, 6); /* full */
    EXPECT(!tj_buffer_has(&b, 1));
    EXPECT(tj_buffer_has(&b, 0));
    tj_buffer_free(&b);
}

TEST("a mark is gone back to unless its bytes have left, or are not there")
{
    tj_buffer b;
    EXPECT_INT(TJ_OK, tj_buffer_init(&b, 32));
    EXPECT_INT(TJ_OK, append(&b, (const uint8_t *)"0123456789", 10));
    tj_buffer_consumed(&b, 4);
    EXPECT_UINT(10, tj_buffer_offset(&b));
    EXPECT_TEXT("456789", b.start, b.cursor);
    EXPECT(!tj_buffer_rewind(&b, 3));
    EXPECT(!tj_buffer_rewind(&b, 11));
    EXPECT_UINT(10, tj_buffer_offset(&b));
    EXPECT(tj_buffer_rewind(&b, 10));
    EXPECT(tj_buffer_rewind(&b, 8));
    EXPECT(!tj_buffer_rewind(&b, 9));
    EXPECT_TEXT("4567", b.start, b.cursor);
    EXPECT(tj_buffer_rewind(&b, 4));
    EXPECT_UINT(0, tj_buffer_used(&b));
    tj_buffer_free(&b);
}

/* -- random operations against a plain array --------------------------------------------------- */

#define MOST 4096

TEST("random appends, rewinds, deliveries and adoptions against a plain array")
{
    static uint8_t all[MOST + 64]; /* the document from offset 0 */
    for (uint64_t round = 0; round < ROUNDS(4000, 400000); round++) {
        tj_buffer b;
        uint8_t *adopted[32] = {0};
        size_t sizes[32], adoptions = 0, offset = 0, left = 0;
        if (tj_buffer_init(&b, random_below(64)) != TJ_OK) FAIL("init");
        for (int step = 0; step < 60 && offset < MOST; step++) {
            size_t size = random_below(50);
            switch (random_below(12)) {
            case 0: { /* back to some earlier offset */
                size_t to = random_below(offset + 1);
                EXPECT_INT(to >= left, tj_buffer_rewind(&b, to));
                if (to >= left) offset = to;
                break;
            }
            case 1: { /* some bytes leave */
                size_t count = random_below(offset - left + 1);
                tj_buffer_consumed(&b, count);
                left += count;
                break;
            }
            case 2: /* on in other storage, exactly large enough to end at an unreadable page */
                if (adoptions < 32) {
                    size_t used = tj_buffer_used(&b), capacity = used + 1 + random_below(40);
                    uint8_t *storage = guard_alloc(capacity);
                    sizes[adoptions] = capacity;
                    adopted[adoptions++] = storage;
                    memcpy(storage, b.start, used);
                    tj_buffer_adopt(&b, storage, used, capacity);
                }
                break;
            default:
                if (!b.owned && !tj_buffer_has(&b, size))
                    break; /* its owner would have to grow it */
                for (size_t i = 0; i < size; i++) all[offset + i] = (uint8_t)random_u64();
                EXPECT_INT(TJ_OK, append(&b, all + offset, size));
                offset += size;
            }
            bool same = tj_buffer_offset(&b) == offset && b.flushed == left &&
                        tj_buffer_used(&b) == offset - left &&
                        memcmp(b.start, all + left, offset - left) == 0;
            if (!same) FAIL("round %" PRIu64 " step %d: the bytes differ", round, step);
            CASE();
        }
        tj_buffer_free(&b);
        for (size_t i = 0; i < adoptions; i++) guard_free(adopted[i], sizes[i]);
    }
}

/* -- promises that debug builds check ---------------------------------------------------------- */

#ifdef TJ_DEBUG
static bool aborts(void (*run)(tj_buffer *))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(3);
        tj_buffer b;
        if (tj_buffer_init(&b, 16) != TJ_OK) _exit(2);
        run(&b);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void commit_within(tj_buffer *b)
{
    tj_buffer_has(b, 5);
    tj_buffer_commit(b, b->cursor + 5);
}

static void commit_beyond(tj_buffer *b)
{
    tj_buffer_has(b, 5);
    tj_buffer_commit(b, b->cursor + 6);
}

static void commit_backwards(tj_buffer *b)
{
    tj_buffer_has(b, 5);
    tj_buffer_commit(b, b->cursor + 5);
    tj_buffer_commit(b, b->cursor - 1);
}

static void grow_what_is_not_ours(tj_buffer *b)
{
    static uint8_t storage[16];
    tj_buffer_adopt(b, storage, 0, 16);
    tj_buffer_grow(b, 100);
}

static void consume_too_much(tj_buffer *b) { tj_buffer_consumed(b, 1); }

TEST("a debug build stops at a commit beyond its reserve, and at other broken promises")
{
    EXPECT(!aborts(commit_within));
    EXPECT(aborts(commit_beyond));
    EXPECT(aborts(commit_backwards));
    EXPECT(aborts(grow_what_is_not_ours));
    EXPECT(aborts(consume_too_much));
}
#endif
