/* Tests of the native core, layer 1: RFC 8259 by recursive descent, one function for each of its
 * rules, and RFC 3629 beside it. Slow and plain: what core/text/validate.c is compared with. */
#ifndef TJ_NAIVE_JSON_H
#define TJ_NAIVE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const uint8_t *text;
    size_t size, at, depth, max_nesting;
    bool too_deep;
} naive_json;

static int naive_peek(const naive_json *j) { return j->at < j->size ? j->text[j->at] : -1; }
static bool naive_take(naive_json *j, int byte)
{
    if (naive_peek(j) != byte) return false;
    j->at++;
    return true;
}
static bool naive_is_digit(int byte) { return byte >= '0' && byte <= '9'; }

static void naive_space(naive_json *j)
{
    while (naive_peek(j) == ' ' || naive_peek(j) == '\t' || naive_peek(j) == '\n' ||
           naive_peek(j) == '\r')
        j->at++;
}

/* One code point above U+007F, by decoding it. */
static bool naive_code_point(naive_json *j)
{
    const uint8_t *t = j->text + j->at;
    size_t left = j->size - j->at;
    int size = t[0] >> 5 == 6 ? 2 : t[0] >> 4 == 14 ? 3 : t[0] >> 3 == 30 ? 4 : 0;
    if (!size || left < (size_t)size) return false;
    uint32_t code = t[0] & (0xffu >> (size + 1));
    for (int i = 1; i < size; i++) {
        if (t[i] >> 6 != 2) return false;
        code = code << 6 | (t[i] & 0x3f);
    }
    uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
    j->at += (size_t)size;
    return true;
}

static bool naive_string(naive_json *j)
{
    if (!naive_take(j, '"')) return false;
    for (;;) {
        int byte = naive_peek(j);
        if (byte < 0x20) return false; /* the end too */
        if (byte >= 0x80) {
            if (!naive_code_point(j)) return false;
            continue;
        }
        j->at++;
        if (byte == '"') return true;
        if (byte != '\\') continue;
        byte = naive_peek(j);
        if (byte <= 0 || !strchr("\"\\/bfnrtu", byte)) return false;
        j->at++;
        for (int i = 0; byte == 'u' && i < 4; i++) {
            int hex = naive_peek(j);
            if (hex <= 0 || !strchr("0123456789abcdefABCDEF", hex)) return false;
            j->at++;
        }
    }
}

static bool naive_digits(naive_json *j)
{
    if (!naive_is_digit(naive_peek(j))) return false;
    while (naive_is_digit(naive_peek(j))) j->at++;
    return true;
}

static bool naive_number(naive_json *j)
{
    naive_take(j, '-');
    if (naive_take(j, '0')) {
        if (naive_is_digit(naive_peek(j))) return false;
    } else if (!naive_digits(j)) {
        return false;
    }
    if (naive_take(j, '.') && !naive_digits(j)) return false;
    if (naive_take(j, 'e') || naive_take(j, 'E')) {
        if (!naive_take(j, '+')) naive_take(j, '-');
        if (!naive_digits(j)) return false;
    }
    return true;
}

static bool naive_word(naive_json *j, const char *word)
{
    for (; *word; word++)
        if (!naive_take(j, *word)) return false;
    return true;
}

static bool naive_value(naive_json *j);

static bool naive_container(naive_json *j, int open, int close, bool keys)
{
    if (j->depth == j->max_nesting) {
        j->too_deep = true;
        return false;
    }
    j->depth++;
    naive_take(j, open);
    naive_space(j);
    if (!naive_take(j, close)) {
        do {
            naive_space(j);
            if (keys) {
                if (!naive_string(j)) return false;
                naive_space(j);
                if (!naive_take(j, ':')) return false;
                naive_space(j);
            }
            if (!naive_value(j)) return false;
            naive_space(j);
        } while (naive_take(j, ','));
        if (!naive_take(j, close)) return false;
    }
    j->depth--;
    return true;
}

static bool naive_value(naive_json *j)
{
    switch (naive_peek(j)) {
    case '"': return naive_string(j);
    case '{': return naive_container(j, '{', '}', true);
    case '[': return naive_container(j, '[', ']', false);
    case 't': return naive_word(j, "true");
    case 'f': return naive_word(j, "false");
    case 'n': return naive_word(j, "null");
    default: return (naive_peek(j) == '-' || naive_is_digit(naive_peek(j))) && naive_number(j);
    }
}

/* Whether the text is one value; where not, j->at stands where it went wrong. */
static bool naive_document(naive_json *j)
{
    naive_space(j);
    if (!naive_value(j)) return false;
    naive_space(j);
    return j->at == j->size;
}

#endif
