/* Tests of core/text/validate.c: what RFC 8259 allows, what it refuses, and where and how that is
 * said. */
#include "validate.h"

#include "escape.h"
#include "harness.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define T(text) (text), sizeof(text) - 1

typedef struct {
    const char *text;
    size_t size;
} row;

static const row accepted[] = {
    /* the root is any value, with white space around it */
    {T("null")},
    {T("true")},
    {T("false")},
    {T("0")},
    {T("\"\"")},
    {T("[]")},
    {T("{}")},
    {T(" null")},
    {T("null ")},
    {T("\t\n\r null \t\n\r")},
    {T("[ ]")},
    {T("{ }")},
    {T("\n[\n]\n")},
    {T("                                                    1                                      "
       "   ")},
    /* numbers */
    {T("-0")},
    {T("-1")},
    {T("10")},
    {T("1234567890")},
    {T("12345678901234567890123456789012345678901234567890")},
    {T("0.0")},
    {T("-0.0")},
    {T("0.1234567")},
    {T("0.12345678")},
    {T("0.123456789")},
    {T("1.5")},
    {T("1e1")},
    {T("1E1")},
    {T("1e+1")},
    {T("1e-1")},
    {T("1E+01")},
    {T("0e0")},
    {T("0E-0")},
    {T("-0e+00")},
    {T("1.5e10")},
    {T("-65.613616999999977")},
    {T("1e400")},
    {T("1e-400")},
    {T("[0,-0,0.0]")},
    {T("[1,2,3]")},
    {T("[ 1 , 2 ]")},
    {T("[123456789 ]")},
    {T("{\"a\":0}")},
    {T("[0 ]")},
    {T("[1.0]")},
    {T("[1e1]")},
    /* strings */
    {T("\"a\"")},
    {T("\"abcdefghijklmno\"")},
    {T("\"abcdefghijklmnop\"")},
    {T("\"abcdefghijklmnopqrstuvwxyz0123456789\"")},
    {T("\"\\\"\"")},
    {T("\"\\\\\"")},
    {T("\"\\/\"")},
    {T("\"\\b\\f\\n\\r\\t\"")},
    {T("\"\\u0000\"")},
    {T("\"\\uABCD\\uabcd\\u1234\"")},
    {T("\"\\ud83d\\ude00\"")},
    {T("\"\\ud800\"")},
    {T("\"\\udc00\\ud800\"")},
    {T("\"\\uFFFF\"")},
    {T("\"/\"")},
    {T("\"'\"")},
    {T("\"\x7f\"")},
    {T("\"\xc2\x80\"")},
    {T("\"\xdf\xbf\"")},
    {T("\"\xe0\xa0\x80\"")},
    {T("\"\xed\x9f\xbf\"")},
    {T("\"\xee\x80\x80\"")},
    {T("\"\xef\xbf\xbf\"")},
    {T("\"\xef\xbb\xbf\"")},
    {T("\"\xf0\x90\x80\x80\"")},
    {T("\"\xf4\x8f\xbf\xbf\"")},
    {T("\"\xe2\x80\xa8\xe2\x80\xa9\"")},
    {T("\"[]{},:\"")},
    {T("\"\\\\\\\\\\\\\"")},
    {T("\"0123456789abc\\n0123456789abcdef\\u00e90123456789abcdef\"")},
    /* arrays and objects */
    {T("[null,true,false]")},
    {T("[[]]")},
    {T("[[],[]]")},
    {T("[{}]")},
    {T("[[[[[[1]]]]]]")},
    {T("[\"a\",\"b\"]")},
    {T("{\"\":0}")},
    {T("{\"a\":1,\"b\":2}")},
    {T("{\"a\":1,\"a\":2}")},
    {T("{ \"a\" : 1 , \"b\" : 2 }")},
    {T("{\"a\":{\"b\":{\"c\":[{}]}}}")},
    {T("{\"\\u0061\":1}")},
    {T("[{\"a\":[]},{\"b\":[{}]}]")},
    {T("{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {\n    \"c\": null\n  }\n}\n")},
    {T("{\"\xc3\xa9\":\"\xc3\xa9\"}")},
};

typedef struct {
    const char *text;
    size_t size, offset;
    const char *message; /* its beginning */
} refusal;

static const refusal refused[] = {
    /* too little */
    {T(""), 0, "expected a value, the text is empty"},
    {T(" "), 1, "expected a value"},
    {T("\n\t\r "), 4, "expected a value"},
    {T("["), 1, "expected a value"},
    {T("[ "), 2, "expected a value"},
    {T("{"), 1, "expected a key"},
    {T("{ "), 2, "expected a key"},
    {T("[1"), 2, "expected ',' or ']'"},
    {T("[1,"), 3, "expected a value"},
    {T("[[]"), 3, "expected ',' or ']'"},
    {T("[1 "), 3, "expected ',' or ']'"},
    {T("{\"a\""), 4, "expected ':'"},
    {T("{\"a\":"), 5, "expected a value"},
    {T("{\"a\":1"), 6, "expected ',' or '}'"},
    {T("{\"a\":1,"), 7, "expected a key in double quotes after ','"},
    {T("{\"a\":{}"), 7, "expected ',' or '}'"},
    {T("{\"a"), 3, "expected '\"'"},
    {T("\""), 1, "expected '\"'"},
    {T("\"a"), 2, "expected '\"'"},
    {T("\"\\"), 2, "expected an escaped character"},
    {T("\"\\\""), 3, "expected '\"'"},
    {T("\"\\u"), 3, "expected four"},
    {T("\"\\u1"), 4, "expected four"},
    {T("\"\\u12"), 5, "expected four"},
    {T("\"\\u123"), 6, "expected four"},
    {T("\"\\u1234"), 7, "expected '\"'"},
    {T("\"abcdefghijklmno"), 16, "expected '\"'"},
    {T("\"abcdefghijklmnopqrstuvwxyz0123456789"), 37, "expected '\"'"},
    {T("[\"abcdefghijklmnopqrstuvwxyz"), 28, "expected '\"'"},
    {T("-"), 1, "expected a digit after '-'"},
    {T("1."), 2, "expected a digit after the decimal point"},
    {T("1e"), 2, "expected a digit in the exponent"},
    {T("1e+"), 3, "expected a digit in the exponent"},
    {T("1e-"), 3, "expected a digit in the exponent"},
    {T("1.5E"), 4, "expected a digit in the exponent"},
    {T("t"), 1, "expected 'true'"},
    {T("tru"), 3, "expected 'true'"},
    {T("fals"), 4, "expected 'false'"},
    {T("nul"), 3, "expected 'null'"},
    {T("n"), 1, "expected 'null'"},
    {T("[tru"), 4, "expected 'true'"},
    /* too much */
    {T("null null"), 5, "expected nothing more"},
    {T("1 2"), 2, "expected nothing more"},
    {T("[]]"), 2, "expected nothing more"},
    {T("{}}"), 2, "expected nothing more"},
    {T("[],"), 2, "expected nothing more"},
    {T("nulll"), 4, "expected nothing more"},
    {T("truetrue"), 4, "expected nothing more"},
    {T("\"\"\"\""), 2, "expected nothing more"},
    {T("{}\0"), 2, "expected nothing more"},
    {T("1\0"), 1, "expected nothing more"},
    {T("[]\n[]"), 3, "expected nothing more"},
    {T("1-1"), 1, "expected nothing more"},
    {T("1_000"), 1, "expected nothing more"},
    {T("0x1F"), 1, "expected nothing more"},
    {T("1.5.5"), 3, "expected nothing more"},
    {T("1e1.5"), 3, "expected nothing more"},
    {T("1 // c"), 2, "expected nothing more"},
    {T("1\f"), 1, "expected nothing more"},
    /* numbers */
    {T("01"), 1, "a number must not begin with a zero"},
    {T("-01"), 2, "a number must not begin with a zero"},
    {T("00"), 1, "a number must not begin with a zero"},
    {T("[007]"), 2, "a number must not begin with a zero"},
    {T("012345678901234567890"), 1, "a number must not begin with a zero"},
    {T("+1"), 0, "expected a value; a number begins"},
    {T(".5"), 0, "expected a value; a number begins"},
    {T("-.5"), 1, "expected a digit after '-'"},
    {T("--1"), 1, "expected a digit after '-'"},
    {T("-a"), 1, "expected a digit after '-'"},
    {T("[-]"), 2, "expected a digit after '-'"},
    {T("- 1"), 1, "expected a digit after '-'"},
    {T("1.a"), 2, "expected a digit after the decimal point"},
    {T("1.e1"), 2, "expected a digit after the decimal point"},
    {T("[1.]"), 3, "expected a digit after the decimal point"},
    {T("1ee1"), 2, "expected a digit in the exponent"},
    {T("1e++1"), 3, "expected a digit in the exponent"},
    {T("[1e]"), 3, "expected a digit in the exponent"},
    {T("NaN"), 0, "expected a value; JSON has no NaN"},
    {T("Infinity"), 0, "expected a value; JSON has no NaN"},
    {T("-Infinity"), 1, "expected a digit after '-'"},
    {T("nan"), 1, "expected 'null'"},
    {T("[1a]"), 2, "expected ',' or ']'"},
    {T("[1 2]"), 3, "expected ',' or ']'"},
    {T("\xef\xbc\x91"), 0, "expected a value"},
    /* literals */
    {T("True"), 0, "expected a value"},
    {T("NULL"), 0, "expected a value; JSON has no NaN"},
    {T("nil"), 1, "expected 'null'"},
    {T("trUe"), 2, "expected 'true'"},
    {T("falsE"), 4, "expected 'false'"},
    {T("fLse"), 1, "expected 'false'"},
    {T("undefined"), 0, "expected a value"},
    {T("[nul]"), 4, "expected 'null'"},
    {T("[nullx]"), 5, "expected ',' or ']'"},
    /* strings */
    {T("'a'"), 0, "expected a value; strings take double quotes"},
    {T("a"), 0, "expected a value"},
    {T("\"\\x\""), 2, "expected one of"},
    {T("\"\\'\""), 2, "expected one of"},
    {T("\"\\0\""), 2, "expected one of"},
    {T("\"\\U0041\""), 2, "expected one of"},
    {T("\"\\a\""), 2, "expected one of"},
    {T("\"\\\n\""), 2, "expected one of"},
    {T("\"\\u00g0\""), 5, "expected four"},
    {T("\"\\ug000\""), 3, "expected four"},
    {T("\"\\u000g\""), 6, "expected four"},
    {T("\"\\u000\""), 6, "expected four"},
    {T("\"\\u 123\""), 3, "expected four"},
    {T("\"\\u@123\""), 3, "expected four"},
    {T("\"\\u`123\""), 3, "expected four"},
    {T("\"\\u12:4\""), 5, "expected four"},
    {T("\"\n\""), 1, "a control character"},
    {T("\"\t\""), 1, "a control character"},
    {T("\"\0\""), 1, "a control character"},
    {T("\"\x1f\""), 1, "a control character"},
    {T("\"0123456789abcdef\x01\""), 17, "a control character"},
    {T("\"\\n\x1f\""), 3, "a control character"},
    {T("\"0123456789\\q9abcdef\""), 12, "expected one of"},
    {T("{\"\x1e\":1}"), 2, "a control character"},
    {T("{\"\\q\":1}"), 3, "expected one of"},
    /* arrays */
    {T("]"), 0, "expected a value"},
    {T("[,]"), 1, "expected a value"},
    {T("[1,]"), 3, "expected a value after ','"},
    {T("[1, ]"), 4, "expected a value after ','"},
    {T("[1,,2]"), 3, "expected a value after ','"},
    {T("[,1]"), 1, "expected a value"},
    {T("[1}"), 2, "expected ',' or ']'"},
    {T("[}"), 1, "expected a value"},
    {T("[1:2]"), 2, "expected ',' or ']'"},
    {T("[\"a\":1]"), 4, "expected ',' or ']'"},
    {T("[\"a\" \"b\"]"), 5, "expected ',' or ']'"},
    {T("[[1]2]"), 4, "expected ',' or ']'"},
    {T("[1;2]"), 2, "expected ',' or ']'"},
    {T("(1)"), 0, "expected a value"},
    {T("[1,/**/2]"), 3, "expected a value; JSON has no comments"},
    {T("[1 #x\n]"), 3, "expected ',' or ']'"},
    {T("#x"), 0, "expected a value; JSON has no comments"},
    {T("[\v]"), 1, "expected a value"},
    {T("[1\f]"), 2, "expected ',' or ']'"},
    {T("[\xc2\xa0]"), 1, "expected a value"},
    /* objects */
    {T("}"), 0, "expected a value"},
    {T("{]"), 1, "expected a key in double quotes or '}'"},
    {T("{,}"), 1, "expected a key"},
    {T("{1:2}"), 1, "expected a key"},
    {T("{a:1}"), 1, "expected a key in double quotes or '}'"},
    {T("{'a':1}"), 1, "expected a key"},
    {T("{null:1}"), 1, "expected a key"},
    {T("{[]:1}"), 1, "expected a key"},
    {T("{\"a\"}"), 4, "expected ':'"},
    {T("{\"a\" 1}"), 5, "expected ':'"},
    {T("{\"a\",1}"), 4, "expected ':'"},
    {T("{\"a\"=1}"), 4, "expected ':'"},
    {T("{\"a\"::1}"), 5, "expected a value"},
    {T("{\"a\":}"), 5, "expected a value"},
    {T("{\"a\":,}"), 5, "expected a value"},
    {T("{\"a\":1,}"), 7, "expected a key in double quotes after ','"},
    {T("{\"a\":1 , }"), 9, "expected a key in double quotes after ','"},
    {T("{\"a\":1,,\"b\":2}"), 7, "expected a key in double quotes after ','"},
    {T("{\"a\":1]"), 6, "expected ',' or '}'"},
    {T("{\"a\":1 \"b\":2}"), 7, "expected ',' or '}'"},
    {T("{\"a\":1:2}"), 6, "expected ',' or '}'"},
    {T("{\"a\":[1}]"), 7, "expected ',' or ']'"},
    {T("[{\"a\":1]}"), 7, "expected ',' or '}'"},
    /* a byte order mark, other encodings */
    {T("\xef\xbb\xbf{}"), 0, "a byte order mark is not allowed"},
    {T("\xef\xbb\xbf"), 0, "a byte order mark is not allowed"},
    {T(" \xef\xbb\xbf{}"), 1, "expected a value"},
    {T("{\0}\0"), 1, "expected a key"},
    {T("\0[\0]"), 0, "expected a value"},
};

/* By vectors and by bytes, at every alignment, with the end at an unreadable page. */
static void validate(const char *text, size_t size, tj_status expected, tj_defect *defect)
{
    uint8_t *room = guard_alloc(4096), *end = room + 4096;
    memcpy(end - size, text, size);
    for (int pass = 0; pass < 2; pass++) {
        tj_simd_init(pass ? "scalar" : NULL);
        EXPECT_INT(expected, tj_validate(end - size, size, 100, defect));
    }
    tj_simd_init(NULL);
    guard_free(room, 4096);
}

static void refuse(const refusal *r, tj_status status, size_t shift)
{
    tj_defect defect = {(size_t)-1, ""};
    validate(r->text, r->size, status, &defect);
    EXPECT_UINT(r->offset + shift, defect.offset);
    EXPECT_BYTES(r->message, strlen(r->message), defect.message,
                 strlen(r->message) < strlen(defect.message) ? strlen(r->message)
                                                             : strlen(defect.message));
}

TEST("what RFC 8259 allows is accepted")
{
    for (size_t i = 0; i < COUNT(accepted); i++) {
        harness_context("%s", accepted[i].text);
        validate(accepted[i].text, accepted[i].size, TJ_OK, NULL);
    }
    EXPECT_CASES(2 * 90);
}

TEST("what RFC 8259 does not allow is refused at the byte where it goes wrong")
{
    for (size_t i = 0; i < COUNT(refused); i++) {
        harness_context("%s", refused[i].text);
        refuse(&refused[i], TJ_INVALID_JSON, 0);
    }
    EXPECT_CASES(4 * 150);
}

TEST("the same holds in the middle of a longer text")
{
    static const char before[] = "{\"a string of some length\": [1.25, ",
                      after[] = "], \"b\": \"and another one, behind\"}";
    char text[512];
    for (size_t i = 0; i < COUNT(accepted); i++) {
        int size = snprintf(text, sizeof text, "%s%.*s%s", before, (int)accepted[i].size,
                            accepted[i].text, after);
        harness_context("%s", accepted[i].text);
        validate(text, (size_t)size, TJ_OK, NULL);
    }
    for (size_t i = 0; i < COUNT(refused); i++) {
        const refusal *r = &refused[i];
        if (r->offset == r->size || !strncmp(r->message, "expected nothing", 16) ||
            !strncmp(r->message, "a byte order", 12))
            continue; /* says another thing there */
        if (strlen(r->text) < r->size) continue;
        size_t shift = sizeof before - 1;
        refusal longer = *r;
        longer.text = text;
        longer.size = (size_t)snprintf(text, sizeof text, "%s%s%s", before, r->text, after);
        harness_context("%s", r->text);
        tj_defect defect;
        validate(longer.text, longer.size, TJ_INVALID_JSON, &defect);
        if (r->text[0] != ']') EXPECT_UINT(r->offset + shift, defect.offset);
    }
}

static const refusal no_text[] = {
    {T("\"\x80\""), 1, ""},
    {T("\"\xbf\""), 1, ""},
    {T("\"\xc0\x80\""), 1, ""},
    {T("\"\xc1\xbf\""), 1, ""},
    {T("\"\xc3\""), 1, ""},
    {T("\"\xc3\x28\""), 1, ""},
    {T("\"\xe0\x80\x80\""), 1, ""},
    {T("\"\xe0\x9f\xbf\""), 1, ""},
    {T("\"\xe2\x82\""), 1, ""},
    {T("\"\xed\xa0\x80\""), 1, ""},
    {T("\"\xf0\x80\x80\x80\""), 1, ""},
    {T("\"\xf4\x90\x80\x80\""), 1, ""},
    {T("\"\xf5\x80\x80\x80\""), 1, ""},
    {T("\"\xff\""), 1, ""},
    {T("\"\xfe\""), 1, ""},
    {T("\"a\xe9z\""), 2, ""},
    {T("\xff"), 0, ""},
    {T("[\xff]"), 1, ""},
    {T("1\xff"), 1, ""},
    {T("{}\x80"), 2, ""},
    {T("{\"a\":1\xff}"), 6, ""},
    {T("tr\xff"), 2, ""},
    {T("\xff\xfe[\0]\0"), 0, ""},
    {T("\"\\\xe9\""), 2, ""},
    {T("\"\\u1\xe9\""), 4, ""},
    {T("\"0123456789abcdef0123456789abcdef\xf0\x9f\x98\""), 33, ""},
    {T("\"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\""), 7, ""},
    {T("[\"ok\", \"\xe2\x82\xac\", \"\xe2\x28\xac\"]"), 15, ""},
};

TEST("bytes that are no UTF-8 are refused where they begin")
{
    for (size_t i = 0; i < COUNT(no_text); i++) {
        harness_context("row %zu", i);
        refuse(&no_text[i], TJ_INVALID_UTF8, 0);
    }
}

TEST("wrong grammar before the bytes that are no UTF-8 is told first")
{
    static const refusal rows[] = {{T("[1,]\xff"), 3, "expected a value after ','"},
                                   {T("tru\xc3\xa9\xff"), 3, "expected 'true'"},
                                   {T("\"\n\xff\""), 1, "a control"}};
    for (size_t i = 0; i < COUNT(rows); i++) refuse(&rows[i], TJ_INVALID_JSON, 0);
}

/* depth opening brackets, kinds by the bits of `kinds` repeated, then what closes them. */
static size_t nest(uint8_t *text, size_t depth, uint64_t kinds, bool closed)
{
    size_t at = 0;
    for (size_t i = 0; i < depth; i++) {
        bool object = kinds >> i % 61 & 1;
        memcpy(text + at, object ? "{\"\":" : "[", object ? 4 : 1);
        at += object ? 4 : 1;
    }
    text[at++] = '1';
    for (size_t i = depth; closed && i-- > 0;) text[at++] = kinds >> i % 61 & 1 ? '}' : ']';
    return at;
}

TEST("containers close in the order in which they opened, at every depth up to the most")
{
    static const size_t depths[] = {1,   2,   62,   63,   64,   65,    127,
                                    128, 129, 1000, 4095, 4096, 99999, TJ_VALIDATE_MAX_NESTING};
    uint8_t *text = malloc(5 * TJ_VALIDATE_MAX_NESTING + 10);
    for (size_t i = 0; i < COUNT(depths); i++) {
        size_t depth = depths[i], size = nest(text, depth, random_u64(), true);
        harness_context("%zu deep", depth);
        EXPECT_INT(TJ_OK, tj_validate(text, size, TJ_VALIDATE_MAX_NESTING, NULL));
        EXPECT_INT(TJ_OK, tj_validate(text, size, depth, NULL));
        for (int round = 0; round < 50;
             round++) { /* the other bracket somewhere: refused right there */
            tj_defect defect;
            size_t wrong = size - depth + random_below(depth);
            text[wrong] ^= ']' ^ '}';
            EXPECT_INT(TJ_INVALID_JSON, tj_validate(text, size, depth, &defect));
            EXPECT_UINT(wrong, defect.offset);
            text[wrong] ^= ']' ^ '}';
        }
    }
    free(text);
}

TEST("one container more than max_nesting is refused at its bracket")
{
    static const size_t limits[] = {0, 1, 2, 63, 64, 65, 100, 1000, TJ_VALIDATE_MAX_NESTING};
    uint8_t *text = malloc(5 * TJ_VALIDATE_MAX_NESTING + 10);
    for (size_t i = 0; i < COUNT(limits); i++) {
        tj_defect defect;
        size_t size = nest(text, limits[i] + 1, 0, false);
        EXPECT_INT(TJ_TOO_DEEP, tj_validate(text, size, limits[i], &defect));
        EXPECT_UINT(limits[i], defect.offset);
        EXPECT_TEXT("nested too deep", defect.message, defect.message + strlen(defect.message));
    }
    size_t size = nest(text, TJ_VALIDATE_MAX_NESTING + 1, 0, true);
    EXPECT_INT(TJ_TOO_DEEP,
               tj_validate(text, size, SIZE_MAX, NULL)); /* more than the most is the most */
    EXPECT_INT(TJ_OK, tj_validate((const uint8_t *)"7", 1, 0, NULL));
    free(text);
}

TEST("siblings do not count as depth")
{
    static const char text[] = "[[],{},[[]],{\"a\":[]},[],[],{\"b\":{}}]";
    EXPECT_INT(TJ_OK, tj_validate((const uint8_t *)text, sizeof text - 1, 3, NULL));
    EXPECT_INT(TJ_TOO_DEEP, tj_validate((const uint8_t *)text, sizeof text - 1, 2, NULL));
}

TEST("strings, numbers and white space of every length are scanned to their end")
{
    uint8_t *room = guard_alloc(4096), *end = room + 4096;
    for (size_t length = 0; length <= 200; length++)
        for (int kind = 0; kind < 4; kind++) {
            size_t size = length + 3;
            uint8_t *text = end - size;
            memset(text, kind == 0 ? 'x' : kind == 1 ? '7' : ' ', size);
            text[0] = kind == 0 ? '"' : '[';
            text[size - 2] = kind == 0 ? 'y' : kind == 3 ? '"' : '1';
            text[size - 1] = kind == 0 ? '"' : ']';
            harness_context("kind %d, length %zu", kind, length);
            tj_defect defect;
            tj_status status = tj_validate(text, size, 100, &defect);
            if (kind < 3) EXPECT_INT(TJ_OK, status);
            else EXPECT(status == TJ_INVALID_JSON && defect.offset == size);
            EXPECT(tj_validate(text, size - 1, 100, &defect) == TJ_INVALID_JSON &&
                   defect.offset == size - 1);
        }
    guard_free(room, 4096);
}

TEST("keys of every length are scanned to their end, also when the last one had another length")
{
    char text[512];
    for (int first = 0; first <= 40; first++)
        for (int second = 0; second <= 40; second++) {
            size_t size = (size_t)snprintf(text, sizeof text,
                                           "{\"%.*s\":1.%.*s,\n%*s\"%.*s\":2.%.*s}", first,
                                           "0123456789012345678901234567890123456789", 1 + first,
                                           "12345678901234567890123456789012345678901", second, "",
                                           second, "abcdefghijklmnopqrstuvwxyzabcdefghijklmn",
                                           1 + second, "12345678901234567890123456789012345678901");
            tj_defect defect;
            EXPECT_INT(TJ_OK, tj_validate((const uint8_t *)text, size, 1, &defect));
            text[2 + random_below(1 + (uint64_t)first)] ^=
                0x20; /* "0" to a control character; the closing quote to one too */
            EXPECT_INT(TJ_INVALID_JSON, tj_validate((const uint8_t *)text, size, 1, &defect));
        }
}

TEST("every control character is refused at every place of a string")
{
    uint8_t text[80];
    for (int byte = 0; byte < 0x20; byte++)
        for (size_t place = 1; place < sizeof text - 1; place++) {
            tj_defect defect;
            memset(text, 'a', sizeof text);
            text[0] = text[sizeof text - 1] = '"';
            text[place] = (uint8_t)byte;
            EXPECT(tj_validate(text, sizeof text, 1, &defect) == TJ_INVALID_JSON &&
                   defect.offset == place);
        }
}

TEST("each byte after a backslash is an escape or none")
{
    for (int byte = 0; byte < 0x80; byte++) {
        uint8_t text[4] = {'"', '\\', (uint8_t)byte, '"'};
        bool escape = byte && byte != '"' && strchr("\\/bfnrt", byte);
        if (byte == '"') continue; /* then the string goes on */
        EXPECT_INT(escape ? TJ_OK : TJ_INVALID_JSON, tj_validate(text, 4, 1, NULL));
    }
    for (int byte = 0; byte < 0x80; byte++)
        for (int place = 3; place < 7; place++) {
            uint8_t text[8] = "\"\\u0000\"";
            text[place] = (uint8_t)byte;
            bool hex = byte && strchr("0123456789abcdefABCDEF", byte);
            EXPECT_INT(hex ? TJ_OK : TJ_INVALID_JSON, tj_validate(text, 8, 1, NULL));
        }
}
