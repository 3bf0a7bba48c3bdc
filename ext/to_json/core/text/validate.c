/* Core. A strict validator of RFC 8259: one pass over the UTF-8, one pass over the grammar.
 *
 * The grammar is a machine of three states (a value is due, a key is due, a value has ended) with
 * one bit of memory for each open container. It accepts everything that the grammar of the RFC
 * allows, even if the RFC calls the result unpredictable: duplicate keys, numbers of any size, half
 * surrogate pairs ("\ud800"). It refuses a byte order mark, as section 8.1 does not allow to write
 * one. */
#include "validate.h"

#include "scan.h"
#include "utf8.h"

static bool preceded_by_comma(const tj_scan *s, const uint8_t *at)
{
    while (at > s->text && is_space(at[-1])) at--;
    return at > s->text && at[-1] == ',';
}

static TJ_COLD const char *value_message(const tj_scan *s, const uint8_t *at)
{
    if (at == s->end)
        return s->text == s->end ? "expected a value, the text is empty" : "expected a value";
    if (at == s->text && s->end - at >= 3 && !memcmp(at, "\xef\xbb\xbf", 3))
        return "a byte order mark is not allowed";
    switch (*at) {
    case ']':
    case '}':
    case ',': return preceded_by_comma(s, at) ? "expected a value after ','" : "expected a value";
    case '\'': return "expected a value; strings take double quotes";
    case '/': case '#': return "expected a value; JSON has no comments";
    case 'N': case 'I': return "expected a value; JSON has no NaN or Infinity";
    case '+': case '.': return "expected a value; a number begins with a digit or '-'";
    default: return "expected a value";
    }
}

static TJ_COLD const char *key_message(const tj_scan *s, const uint8_t *at)
{
    if (preceded_by_comma(s, at)) return "expected a key in double quotes after ','";
    return "expected a key in double quotes or '}'";
}

/* Checks the grammar of all of s->text. Returns TJ_OK, or TJ_INVALID_JSON or TJ_TOO_DEEP with
 * s->wrong and s->message. */
static tj_status scan_document(tj_scan *s, size_t max_nesting)
{
    /* The kinds of the containers around the innermost one, one bit each, the nearest in the lowest
     * bit. `outer` has the last 1 to 64 of them; `outer_words` has 64 each, written when `outer` is
     * full. */
    uint64_t outer_words[TJ_VALIDATE_MAX_NESTING / 64 + 1], outer = 0;
    const uint8_t *at = s->text, *end = s->end;
    size_t depth = 0;
    bool in_object = false;

#define OPEN(is_object)                                                      \
    do {                                                                     \
        if (TJ_UNLIKELY(depth == max_nesting)) goto too_deep;                \
        if (TJ_UNLIKELY(depth % 64 == 0)) outer_words[depth / 64] = outer;   \
        outer = outer << 1 | in_object;                                      \
        in_object = (is_object);                                             \
        depth++;                                                             \
    } while (0)

    at = skip(s, at, end);
value:
    if (TJ_UNLIKELY(at == end)) goto no_value;
    switch (*at) {
    case '"':
        at = scan_string(s, at);
        break;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': at = scan_number(s, at); break;
    case '{':
        OPEN(true);
        at = skip(s, at + 1, end);
        if (at < end && *at == '}') goto close;
        goto key;
    case '[':
        OPEN(false);
        at = skip(s, at + 1, end);
        if (at < end && *at == ']') goto close;
        goto value;
    case 't':
        at = scan_word(s, at, "true", 4, "expected 'true'");
        break;
    case 'f':
        at = scan_word(s, at, "false", 5, "expected 'false'");
        break;
    case 'n':
        at = scan_word(s, at, "null", 4, "expected 'null'");
        break;
    default:
        goto no_value;
    }
    if (TJ_UNLIKELY(!at)) return TJ_INVALID_JSON;

ended:
    at = skip(s, at, end);
    if (TJ_UNLIKELY(depth == 0)) {
        if (at == end) return TJ_OK;
        scan_failed(s, at, "expected nothing more: the text holds one value");
        return TJ_INVALID_JSON;
    }
    if (TJ_UNLIKELY(at == end)) goto not_ended;
    if (*at == ',') {
        at = skip(s, at + 1, end);
        if (in_object) goto key;
        goto value;
    }
    if (TJ_UNLIKELY(*at != (in_object ? '}' : ']'))) goto not_ended;
close:
    at++;
    depth--;
    in_object = outer & 1;
    outer >>= 1;
    if (TJ_UNLIKELY(depth % 64 == 0)) outer = outer_words[depth / 64];
    goto ended;

key:
    if (TJ_UNLIKELY(at == end || *at != '"')) {
        scan_failed(s, at, key_message(s, at));
        return TJ_INVALID_JSON;
    }
    at = scan_key(s, at);
    if (TJ_UNLIKELY(!at)) return TJ_INVALID_JSON;
    at = skip(s, at, end);
    if (TJ_UNLIKELY(at == end || *at != ':')) {
        scan_failed(s, at, "expected ':' after the key");
        return TJ_INVALID_JSON;
    }
    at = skip(s, at + 1, end);
    goto value;

no_value:
    scan_failed(s, at, value_message(s, at));
    return TJ_INVALID_JSON;
not_ended:
    scan_failed(s, at, in_object ? "expected ',' or '}'" : "expected ',' or ']'");
    return TJ_INVALID_JSON;
too_deep:
    scan_failed(s, at, "nested too deep");
    return TJ_TOO_DEEP;
#undef OPEN
}

tj_status tj_validate(const uint8_t *text, size_t size, size_t max_nesting, tj_defect *defect)
{
    bool ascii;
    size_t valid = tj_utf8_valid_prefix(text, size, &ascii);
    tj_scan s = {.text = text, .end = text + valid, .vectors = valid >= 16 && tj_simd.vectors};
    if (max_nesting > TJ_VALIDATE_MAX_NESTING) max_nesting = TJ_VALIDATE_MAX_NESTING;
    tj_status status = scan_document(&s, max_nesting);

    /* The text ends too soon at the first byte that is not UTF-8: report that byte. */
    if (TJ_UNLIKELY(valid < size) && (status == TJ_OK || s.wrong == s.end)) {
        scan_failed(&s, s.end, "expected text in UTF-8");
        status = TJ_INVALID_UTF8;
    }
    if (status != TJ_OK && defect) *defect = (tj_defect){(size_t)(s.wrong - text), s.message};
    return status;
}
