/* Tests of the native core, layer 1: random documents of all that RFC 8259 allows, of at most ROOM
 * bytes. What does not fit is left out, so that a long one may be cut. */
#ifndef TJ_RANDOM_JSON_H
#define TJ_RANDOM_JSON_H

#include "harness.h"

#define ROOM 4096

/* A growing random document in [start, at). */
typedef struct {
    uint8_t *at, *limit;
} writer;

static void put(writer *w, const char *text, size_t size)
{
    if (size > (size_t)(w->limit - w->at)) return;
    memcpy(w->at, text, size);
    w->at += size;
}
static void put_text(writer *w, const char *text) { put(w, text, strlen(text)); }

static void put_space(writer *w)
{
    static const char *const spaces[] = {" ",    "\n",     "\t",
                                         "\r\n", "\n    ", "                                  "};
    if (random_below(4) == 0) put_text(w, spaces[random_below(6)]);
}

static void put_string(writer *w)
{
    static const char *const parts[] = {"a",
                                        "some text",
                                        "\\n",
                                        "\\\"",
                                        "\\\\",
                                        "\\u00e9",
                                        "\\ud83d\\ude00",
                                        "\xc3\xa9",
                                        "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80",
                                        "\\/",
                                        "\x7f",
                                        " ",
                                        "{[,:",
                                        "0123456789abcdef",
                                        "\xed\x9f\xbf",
                                        "\xf4\x8f\xbf\xbf",
                                        "\\ud800",
                                        "\\b\\f\\r\\t",
                                        "'"};
    put_text(w, "\"");
    for (uint64_t n = random_below(random_below(8) ? 4 : 30); n; n--)
        put_text(w, parts[random_below(20)]);
    put_text(w, "\"");
}

static void put_number(writer *w)
{
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "1",
                                          "-1.5",
                                          "12345678",
                                          "123456789012345678901",
                                          "0.1",
                                          "1e5",
                                          "1E+5",
                                          "0.0e-0",
                                          "-65.613616999999977",
                                          "1.7976931348623157e308"};
    put_text(w, numbers[random_below(12)]);
}

static void put_value(writer *w, int depth)
{
    switch (random_below(depth > 0 ? 8 : 6)) {
    case 0: case 1: put_string(w); return;
    case 2: case 3: put_number(w); return;
    case 4: put_text(w, random_below(2) ? "true" : "false"); return;
    case 5: put_text(w, "null"); return;
    }
    bool object = random_below(2);
    put_text(w, object ? "{" : "[");
    put_space(w);
    for (uint64_t n = random_below(5); n; n--) {
        if (object) {
            put_string(w);
            put_space(w);
            put_text(w, ":");
            put_space(w);
        }
        put_value(w, depth - 1);
        put_space(w);
        if (n > 1) put_text(w, ",");
        put_space(w);
    }
    put_text(w, object ? "}" : "]");
}

static size_t random_document(uint8_t *text, int depth)
{
    writer w = {text, text + ROOM};
    put_space(&w);
    put_value(&w, depth);
    put_space(&w);
    return (size_t)(w.at - text);
}

#endif
