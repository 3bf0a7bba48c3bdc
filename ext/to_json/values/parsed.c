/* Values. A document of our Writer becomes Ruby values again, for to_h and as_json. */
#include "parsed.h"

#include "../core/text/scan.h"
#include "../writer/errors.h"
#include "../writer/stack.h"
#include "../writer/string.h"

#include <math.h>
#include <ruby/encoding.h>
#include <ruby/util.h>

/* Records repeat their keys, so the last ones are kept: 32 by their size and ends. The String of a
 * key is one for all documents (rb_enc_interned_str), but to find it costs 60 ns. */
#define KEYS 32

#define VALUES_PER_CHECK 1024

/* A text with fewer bytes has too few values for one check of interrupts, because each value begins
 * with a byte of its own. A text may have a value in each byte: "[[[". */
#define SHORT VALUES_PER_CHECK

typedef struct {
    tj_scan scan;
    const uint8_t *at;
    unsigned depth, values;
    VALUE keys[KEYS]; /* on the stack of the machine, where the garbage collector looks */
} parsing;

NORETURN(static TJ_COLD void fail(const parsing *p, const uint8_t *at, const char *message))
{
    tj_raise(NULL, tj_eFragment,
             "byte %" PRIuSIZE " of the document: %s. A Fragment with check: false must be JSON.",
             (size_t)(at - p->scan.text), message);
}

/* The end of a token, which a function of scan.h gave. */
TJ_INLINE const uint8_t *checked(const parsing *p, const uint8_t *end)
{
    if (TJ_UNLIKELY(!end)) fail(p, p->scan.wrong, p->scan.message);
    return end;
}

/* Goes to the next byte that is no white space. */
TJ_INLINE uint8_t next(parsing *p)
{
    p->at = skip(&p->scan, p->at, p->scan.end);
    if (TJ_UNLIKELY(p->at == p->scan.end)) fail(p, p->at, "expected more");
    return *p->at;
}

static unsigned hex4(const uint8_t *at)
{
    unsigned number = 0;
    for (int i = 0; i < 4; i++)
        number = number << 4 | (is_digit(at[i]) ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
    return number;
}

/* Writes a code point in UTF-8, half of a surrogate pair too, and returns the end. */
static uint8_t *put_code_point(uint8_t *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (uint8_t)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (uint8_t)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (uint8_t)(0xe0 | c >> 12);
        } else {
            *to++ = (uint8_t)(0xf0 | c >> 18);
            *to++ = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        }
        *to++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (uint8_t)(0x80 | (c & 0x3f));
    return to;
}

static uint8_t short_escape(uint8_t letter)
{
    switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return letter;
    }
}

/* Writes the code point of the escape at `at`, both halves of a pair as one, and moves `at`. */
static uint8_t *put_unicode_escape(uint8_t *to, const uint8_t **at, const uint8_t *end)
{
    unsigned c = hex4(*at + 2);
    *at += 6;
    if (c >> 10 == 0x36 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        unsigned low = hex4(*at + 2);
        if (low >> 10 == 0x37) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            *at += 6;
        }
    }
    return put_code_point(to, c);
}

/* The String of text between quotes in which scan_string found the escapes valid. No escape is
 * shorter than what it stands for. */
static VALUE unescaped(const uint8_t *at, const uint8_t *end)
{
    VALUE kept;
    uint8_t *first = ALLOCV_N(uint8_t, kept, end - at), *to = first;
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
        } else if (at[1] != 'u') {
            *to++ = short_escape(at[1]);
            at += 2;
        } else {
            to = put_unicode_escape(to, &at, end);
        }
    }
    VALUE string = tj_string_new(first, (size_t)(to - first));
    ALLOCV_END(kept);
    return string;
}

/* Reads the string at p->at. Returns the text between its quotes, which may have escapes if
 * *escaped. */
TJ_INLINE const uint8_t *between_quotes(parsing *p, const uint8_t **end, bool *escaped)
{
    const uint8_t *first = p->at + 1, *stop = plain_end(&p->scan, first);
    *escaped = stop == p->scan.end || *stop != '"';
    if (TJ_UNLIKELY(*escaped)) stop = checked(p, scan_string(&p->scan, p->at)) - 1;
    p->at = stop + 1;
    *end = stop;
    return first;
}

static VALUE string(parsing *p)
{
    bool escaped;
    const uint8_t *end, *first = between_quotes(p, &end, &escaped);
    return TJ_UNLIKELY(escaped) ? unescaped(first, end)
                                : tj_string_new(first, (size_t)(end - first));
}

static VALUE key(parsing *p)
{
    bool escaped;
    const uint8_t *end, *first = between_quotes(p, &end, &escaped);
    size_t size = (size_t)(end - first);
    if (TJ_UNLIKELY(escaped)) return rb_str_to_interned_str(unescaped(first, end));

    size_t place = size ? (size + first[0] * 7u + end[-1] * 3u) % KEYS : 0;
    VALUE kept = p->keys[place];
    const uint8_t *bytes;
    if (kept && tj_string_bytes(kept, &bytes) == size && !memcmp(bytes, first, size)) return kept;

    return p->keys[place] =
               rb_enc_interned_str((const char *)first, (long)size, rb_utf8_encoding());
}

/* Reads a number of any size by functions of Ruby, which take a C string. Does not call
 * rb_cstr_to_dbl, which warns if the number is out of range: Warning.warn may change the text. */
static TJ_NOINLINE VALUE number_by_ruby(const uint8_t *first, size_t size, bool whole)
{
    VALUE holder = 0;
    char *bytes = ALLOCV_N(char, holder, size + 1);
    memcpy(bytes, first, size);
    bytes[size] = 0;
    VALUE number = whole ? rb_cstr2inum(bytes, 10) : DBL2NUM(ruby_strtod(bytes, NULL));
    ALLOCV_END(holder);
    return number;
}

static VALUE number(parsing *p)
{
    const uint8_t *first = p->at, *at = skip_minus(first), *digits = at;
    if (TJ_UNLIKELY(*first == '-' && at < p->scan.end && *at == 'I')) {
        p->at = checked(p, scan_word(&p->scan, at, "Infinity", 8, "expected Infinity"));
        return DBL2NUM(-INFINITY);
    }
    p->at = checked(p, scan_number(&p->scan, first));
    int64_t value = 0;
    for (; at < p->at && is_digit(*at) && at - digits < 18; at++) value = value * 10 + (*at - '0');
    if (TJ_LIKELY(at == p->at)) return LL2NUM(*first == '-' ? -value : value);

    bool whole = digits_end(at, p->at, NULL) == p->at;
    return number_by_ruby(first, (size_t)(p->at - first), whole);
}

static VALUE word(parsing *p, const char *text, size_t size, VALUE value)
{
    p->at = checked(p, scan_word(&p->scan, p->at, text, size, "expected a value"));
    return value;
}

static VALUE value(parsing *p);

static void enter(parsing *p)
{
    p->at++;
    if (TJ_UNLIKELY(++p->depth > TJ_UNWATCHED_DEPTH && tj_stack_ends()))
        tj_raise(NULL, tj_eNesting, "nested %u deep, which is all that this thread's stack holds.",
                 p->depth);
}

/* Whether another element follows. `close` ends them all. */
TJ_INLINE bool another(parsing *p, uint8_t close, const char *message)
{
    uint8_t byte = next(p);
    if (TJ_UNLIKELY(byte != ',' && byte != close)) fail(p, p->at, message);
    p->at++;
    if (byte == ',') return true;
    p->depth--;
    return false;
}

static VALUE object(parsing *p)
{
    VALUE pairs = rb_hash_new();
    enter(p);
    if (next(p) == '}') {
        p->at++;
        p->depth--;
        return pairs;
    }
    do {
        if (TJ_UNLIKELY(next(p) != '"')) fail(p, p->at, "expected a key");
        VALUE name = key(p);
        if (TJ_UNLIKELY(next(p) != ':')) fail(p, p->at, "expected ':'");
        p->at++;
        rb_hash_aset(pairs, name, value(p));
    } while (another(p, '}', "expected ',' or '}'"));
    return pairs;
}

static VALUE array(parsing *p)
{
    VALUE elements = rb_ary_new();
    enter(p);
    if (next(p) == ']') {
        p->at++;
        p->depth--;
        return elements;
    }
    do {
        rb_ary_push(elements, value(p));
    } while (another(p, ']', "expected ',' or ']'"));
    return elements;
}

static VALUE value(parsing *p)
{
    uint8_t byte = next(p);
    /* A Timeout fires during a long document; may run Ruby. */
    if (TJ_UNLIKELY(++p->values % VALUES_PER_CHECK == 0)) rb_thread_check_ints();
    switch (byte) {
    case '{': return object(p);
    case '[': return array(p);
    case '"': return string(p);
    case 'n': return word(p, "null", 4, Qnil);
    case 't': return word(p, "true", 4, Qtrue);
    case 'f': return word(p, "false", 5, Qfalse);
    case 'N': return word(p, "NaN", 3, DBL2NUM(NAN));
    case 'I': return word(p, "Infinity", 8, DBL2NUM(INFINITY));
    default:
        if (TJ_UNLIKELY(byte != '-' && !is_digit(byte))) fail(p, p->at, "expected a value");
        return number(p);
    }
}

VALUE tj_parsed(VALUE json)
{
    const uint8_t *bytes;
    if (tj_string_bytes(json, &bytes) >= SHORT) json = rb_str_new_frozen(json);
    size_t size = tj_string_bytes(json, &bytes);
    VALUE found = tj_parsed_bytes(bytes, size);
    RB_GC_GUARD(json);
    return found;
}

VALUE tj_parsed_bytes(const uint8_t *bytes, size_t size)
{
    parsing p = {
        .scan = {.text = bytes, .end = bytes + size, .vectors = size >= 16 && tj_simd.vectors},
        .at = bytes};
    VALUE found = value(&p);
    p.at = skip(&p.scan, p.at, p.scan.end);
    if (TJ_UNLIKELY(p.at != p.scan.end)) fail(&p, p.at, "expected the end");
    return found;
}
