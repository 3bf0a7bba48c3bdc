/* Tests of core/text/relayout.c: tables, then random documents against a recursive one, in pieces
 * of every size. */
#include "relayout.h"

#include "harness.h"
#include "random_json.h"
#include "validate.h"

#define OUT (ROOM * 40)

/* Lays `text` out in pieces of `room` bytes, each at the edge of unreadable memory, the text too.
 */
static size_t lay_out(tj_relayout r, const uint8_t *text, size_t size, size_t room, uint8_t *out)
{
    uint8_t *piece = guard_alloc(room), *copy = guard_alloc(size);
    size_t all = 0, written;
    memcpy(copy, text, size);
    while ((written = tj_relayout_write(&r, copy, size, piece, room)) > 0) {
        EXPECT(written <= room && all + written <= OUT);
        memcpy(out + all, piece, written);
        all += written;
        if (written < room) { /* then the text is at its end */
            EXPECT_UINT(0, tj_relayout_write(&r, copy, size, piece, room));
            break;
        }
    }
    guard_free(piece, room);
    guard_free(copy, size);
    return all;
}

static const tj_relayout plain = {.layout = TJ_LAYOUT_PLAIN}, lines = {.layout = TJ_LAYOUT_LINES};
static const tj_relayout two = {.layout = TJ_LAYOUT_PRETTY, .indent = 2, .filler = ' '},
                         tab = {.layout = TJ_LAYOUT_PRETTY, .indent = 1, .filler = '\t'},
                         none = {.layout = TJ_LAYOUT_PRETTY, .indent = 0, .filler = ' '};

static const struct {
    const tj_relayout *layout;
    const char *text, *expected;
} rows[] = {
    {&plain, "1", "1"},
    {&plain, " null\n", "null"},
    {&plain, "[ 1 , 2.50 , -0e+01 ]", "[1,2.50,-0e+01]"},
    {&plain, "{ \"a b\" : \" , : [ \" , \"\" : { } }", "{\"a b\":\" , : [ \",\"\":{}}"},
    {&plain, "[\"\\\\\", \"\\\"\", \"\\\\\\\" , \", \"\\u0020\"]",
     "[\"\\\\\",\"\\\"\",\"\\\\\\\" , \",\"\\u0020\"]"},
    {&plain, "\t[\r\n]\t", "[]"},
    {&two, "1", "1"},
    {&two, "[]", "[]"},
    {&two, "{ }", "{}"},
    {&two, "[1,[],{},[2]]", "[\n  1,\n  [],\n  {},\n  [\n    2\n  ]\n]"},
    {&two, "{\"a\":1,\"b\":{\"c\":[true,null]}}",
     "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      true,\n      null\n    ]\n  }\n}"},
    {&two, "[[[ ]]]", "[\n  [\n    []\n  ]\n]"},
    {&tab, "[{\"a\":[1]}]", "[\n\t{\n\t\t\"a\": [\n\t\t\t1\n\t\t]\n\t}\n]"},
    {&none, "[1,{\"a\":2}]", "[\n1,\n{\n\"a\": 2\n}\n]"},
    {&lines, "1", "1"},
    {&lines, " { \"a\" : [ 1 , 2 ] } ", "{\"a\":[1,2]}"},
    {&lines, "[]", ""},
    {&lines, "[ [ ] ]", "[]"},
    {&lines, "[1, [2, [3]], {\"a\": [4, 5]}, \"x,y\"]", "1\n[2,[3]]\n{\"a\":[4,5]}\n\"x,y\""},
};

TEST("text is laid out anew as each layout says, in pieces of every size")
{
    static uint8_t out[OUT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t room = 1; room < 40; room++) {
            harness_context("%s in pieces of %zu", rows[i].text, room);
            size_t size = strlen(rows[i].text);
            EXPECT_INT(TJ_OK, tj_validate((const uint8_t *)rows[i].text, size, 100, NULL));
            size_t written = lay_out(*rows[i].layout, (const uint8_t *)rows[i].text, size, room,
                                     out);
            EXPECT_BYTES(rows[i].expected, strlen(rows[i].expected), out, written);
        }
    EXPECT_CASES(19 * 39);
}

/* The same by recursion, one value a call. */
typedef struct {
    const uint8_t *at;
    uint8_t *out;
    const tj_relayout *how;
} naive;

static void skip_space(naive *n)
{
    while (*n->at == ' ' || *n->at == '\n' || *n->at == '\r' || *n->at == '\t') n->at++;
}

static void break_line(naive *n, int depth)
{
    if (n->how->layout != TJ_LAYOUT_PRETTY) return;
    *n->out++ = '\n';
    for (size_t i = 0; i < (size_t)depth * n->how->indent; i++) *n->out++ = n->how->filler;
}

static void naive_lay(naive *n, int depth)
{
    uint8_t first = *n->at;
    if (first == '"') {
        do {
            if (*n->at == '\\') *n->out++ = *n->at++;
            *n->out++ = *n->at++;
        } while (*n->at != '"');
        *n->out++ = *n->at++;
    } else if (first == '[' || first == '{') {
        bool split = n->how->layout == TJ_LAYOUT_LINES && depth == 0 && first == '[';
        if (!split) *n->out++ = first;
        n->at++;
        skip_space(n);
        bool empty = *n->at == ']' || *n->at == '}';
        while (*n->at != ']' && *n->at != '}') {
            if (*n->at == ',') {
                *n->out++ = split ? '\n' : ',';
                n->at++;
                skip_space(n);
            }
            break_line(n, depth + 1);
            naive_lay(n, depth + 1);
            skip_space(n);
            if (*n->at == ':') {
                *n->out++ = ':';
                if (n->how->layout == TJ_LAYOUT_PRETTY) *n->out++ = ' ';
                n->at++;
                skip_space(n);
                naive_lay(n, depth + 1);
                skip_space(n);
            }
        }
        if (!empty) break_line(n, depth);
        if (!split) *n->out++ = *n->at;
        n->at++;
    } else while (*n->at && !strchr(" \n\r\t,]}", *n->at)) *n->out++ = *n->at++;
}

TEST("random documents are laid out as a recursive one lays them out, and are the same documents "
     "still")
{
    static uint8_t text[ROOM + 1], expected[OUT], out[OUT], again[OUT];
    const tj_relayout *layouts[] = {&plain, &two, &tab, &none, &lines};
    uint64_t due = ROUNDS(500, 100000), done = 0;
    for (uint64_t round = 0; round < 4 * due && done < due; round++) {
        size_t size = random_document(text, (int)random_below(7));
        if (tj_validate(text, size, 100, NULL) != TJ_OK) continue; /* cut */
        text[size] = 0;
        done++;
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
            naive n = {text, expected, layouts[i]};
            skip_space(&n);
            naive_lay(&n, 0);
            size_t room = random_below(2) ? 1 + random_below(50) : 1 + random_below(OUT);
            harness_context("round %" PRIu64 ", layout %zu, pieces of %zu: %.200s", round, i, room,
                            (const char *)text);
            size_t written = lay_out(*layouts[i], text, size, room, out);
            if (!EXPECT_BYTES(expected, n.out - expected, out, written)) return;
            if (layouts[i] == &lines) continue;
            EXPECT_INT(TJ_OK, tj_validate(out, written, 100, NULL));
            naive m = {text, expected, &plain};
            skip_space(&m);
            naive_lay(&m, 0);
            EXPECT_BYTES(expected, m.out - expected, again,
                         lay_out(plain, out, written, 4096, again)); /* and back */
        }
    }
    EXPECT_CASES(due * 10);
}
