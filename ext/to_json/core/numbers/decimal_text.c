/* Core. Writes numbers in plain notation. */
#include "decimal_text.h"

#include "float.h"
#include "integer.h"

/* Skips digits and returns where they end. */
static size_t digits_end(const uint8_t *text, size_t at, size_t size)
{
    while (at < size && (uint8_t)(text[at] - '0') <= 9) at++;
    return at;
}

uint8_t *tj_plain_text(uint8_t *at, const uint8_t *text, size_t size, tj_decimal_limits limits)
{
    if (size == 0 || size > TJ_DECIMAL_SIZE - 2) return NULL; /* room for ".0" */
    bool minus = text[0] == '-';
    size_t point = digits_end(text, minus, size), whole = point - minus, end = point;
    if (whole == 0 || (whole > 1 && text[minus] == '0')) return NULL;
    if (point < size) {
        end = digits_end(text, point + 1, size);
        if (text[point] != '.' || end == point + 1 || end < size) return NULL;
        while (text[end - 1] == '0') end--;
        if (end == point + 1) end = point; /* all zeros */
    }
    size_t fraction = end > point ? end - point - 1 : 0;
    if (minus && text[minus] == '0' && fraction == 0) return NULL;
    if (whole + fraction > (size_t)limits.digits || whole > (size_t)limits.whole ||
        fraction > (size_t)limits.fraction)
        return NULL;
    memcpy(at, text, end);
    at += end;
    if (fraction > 0) return at;
    *at++ = '.';
    *at++ = '0';
    return at;
}

uint8_t *tj_plain_integer(uint8_t *at, int64_t value, tj_decimal_limits limits)
{
    uint8_t *end = tj_write_int64(at, value);
    int whole = (int)(end - at) - (value < 0);
    if (whole > limits.digits || whole > limits.whole) return NULL;
    *end++ = '.';
    *end++ = '0';
    return end;
}

uint8_t *tj_plain_double(uint8_t *at, double value, tj_decimal_limits limits)
{
    uint8_t digits[17];
    int count;
    if (value == 0) return 1 / value < 0 ? NULL : tj_plain_integer(at, 0, limits);
    if (!(value - value == 0)) return NULL; /* NaN and the infinities */
    if (value < 0) {
        *at++ = '-';
        value = -value;
    }
    int whole = tj_double_digits(value, digits, &count), /* 0.d1d2d3... * 10^whole */
        fraction = count > whole ? count - whole : 0;
    if (count > limits.digits || whole > limits.whole || fraction > limits.fraction ||
        whole > 17 || whole < -17)
        return NULL;
    if (whole <= 0) *at++ = '0';
    for (int i = 0; i < whole; i++) *at++ = i < count ? digits[i] : '0';
    *at++ = '.';
    for (int i = whole; i < 0; i++) *at++ = '0';
    for (int i = whole > 0 ? whole : 0; i < count; i++) *at++ = digits[i];
    if (fraction == 0) *at++ = '0';
    return at;
}
