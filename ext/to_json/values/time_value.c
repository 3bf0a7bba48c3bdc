/* Values. Times and dates: reads seconds, nanoseconds and offset of the Ruby object; the core
 * writes them. */
#include "time_value.h"

#include "../writer/errors.h"
#include "../writer/string.h"
#include "value.h"

#include "../core/numbers/time.h"
#include "../vm/time_struct.h"
#include "string_value.h"

static ID id_utc_p;
static VALUE str_own_offset, str_utc, str_seconds, str_milliseconds;

#define UNIX_EPOCH_JD 2440588    /* the Julian day number of 1970-01-01 */
#define GREGORIAN_REFORM_JD 2361222 /* 1752-09-14 in England, the last reform that Date knows */
#define MILLISECONDS 3

bool tj_time_runs_no_ruby(VALUE time)
{
    return tj_times_readable() && tj_time_in_nanoseconds(time) && tj_time_in_utc(time);
}

/* For an exact Time. */
static bool in_utc(VALUE time)
{
    if (TJ_LIKELY(tj_times_readable())) return tj_time_in_utc(time);
    return RTEST(rb_funcallv(time, id_utc_p, 0, NULL));
}

void tj_time_value_init(void)
{
    id_utc_p = rb_intern("utc?");
    const struct {
        VALUE *pattern;
        const char *text;
    } patterns[] = {{&str_own_offset, "%Y-%m-%dT%H:%M:%S.%L%:z"},
                    {&str_utc, "%Y-%m-%dT%H:%M:%S.%LZ"},
                    {&str_seconds, "%s"},
                    {&str_milliseconds, "%Q"}};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        *patterns[i].pattern = rb_obj_freeze(rb_str_new_cstr(patterns[i].text));
        rb_gc_register_mark_object(*patterns[i].pattern);
    }
}

/* -- exact Times ------------------------------------------------------------------------------- */

static uint8_t *quoted_moment(uint8_t *at, const struct timespec *moment, int32_t offset, bool utc)
{
    *at++ = '"';
    at = tj_write_time(at, moment->tv_sec, (int32_t)moment->tv_nsec, utc ? 0 : offset, utc,
                       MILLISECONDS);
    *at++ = '"';
    return at;
}

static void write_moment(tj_writer *w, const struct timespec *moment, int32_t offset, bool utc)
{
    int64_t seconds = moment->tv_sec;
    uint8_t *at = tj_reserve(w, TJ_TIME_SIZE + 2);
    switch (w->rules->time) {
    case TJ_TIME_UNIX: tj_commit(w, tj_write_int64(at, seconds)); return;
    case TJ_TIME_UNIX_MS: {
        int64_t scaled;
        if (!tj_milliseconds(seconds, (int32_t)moment->tv_nsec, &scaled))
            tj_raise(w, tj_eNumber,
                     "this Time is too far from 1970 to count its milliseconds in 64 bits. "
                     "Use another time:, such as :iso8601.");
        tj_commit(w, tj_write_int64(at, scaled));
        return;
    }
    case TJ_TIME_UTC: utc = true; break;
    default: break;
    }
    tj_commit(w, quoted_moment(at, moment, offset, utc));
}

static bool write_strftime(tj_writer *w, VALUE time)
{
    if (TJ_LIKELY(w->rules->time != TJ_TIME_STRFTIME)) return false;
    VALUE text = rb_funcall(time, rb_intern("strftime"), 1, w->rules->time_format);
    if (!RB_TYPE_P(text, T_STRING))
        tj_raise(w, tj_eError, "strftime of %" PRIsVALUE " did not return a String.",
                 tj_class_words(time));
    tj_write_string_cold(w, text);
    return true;
}

void tj_write_time_value(tj_writer *w, VALUE time)
{
    if (write_strftime(w, time)) return;
    struct timespec at = rb_time_timespec(time);
    bool utc =
        RBASIC_CLASS(time) == rb_cTime ? in_utc(time) : RTEST(rb_funcallv(time, id_utc_p, 0, NULL));
    write_moment(w, &at, utc ? 0 : (int32_t)NUM2LONG(rb_time_utc_offset(time)), utc);
}

uint8_t *tj_try_time_as(tj_writer *w, uint8_t *at, VALUE time, enum tj_time_rule rule)
{
    const uint8_t *cursor = w->out.cursor;
    unsigned blocked = w->blocked;
    struct timespec moment = rb_time_timespec(time);
    bool iso = rule == TJ_TIME_ISO8601 || rule == TJ_TIME_UTC,
         utc = rule == TJ_TIME_UTC || (iso && in_utc(time));
    int32_t offset = !iso || utc ? 0 : (int32_t)NUM2LONG(rb_time_utc_offset(time));
    if (TJ_UNLIKELY(w->out.cursor != cursor || w->blocked != blocked)) return NULL;
    if (TJ_LIKELY(iso)) return quoted_moment(at, &moment, offset, utc);
    if (rule == TJ_TIME_UNIX) return tj_write_int64(at, moment.tv_sec);
    int64_t scaled;
    if (rule != TJ_TIME_UNIX_MS ||
        !tj_milliseconds(moment.tv_sec, (int32_t)moment.tv_nsec, &scaled))
        return NULL;
    return tj_write_int64(at, scaled);
}

uint8_t *tj_try_time(tj_writer *w, uint8_t *at, VALUE time)
{
    enum tj_time_rule rule = w->rules->time;
    if (TJ_UNLIKELY(rule != TJ_TIME_ISO8601 && rule != TJ_TIME_UTC)) return NULL;
    return tj_try_time_as(w, at, time, rule);
}

void tj_write_date_value(tj_writer *w, VALUE date)
{
    uint8_t *at;
    long jd = NUM2LONG(rb_funcallv(date, rb_intern("jd"), 0, NULL));
    int64_t year;
    int month, day;
    if (jd >= GREGORIAN_REFORM_JD) {
        tj_civil civil = tj_civil_from_days(jd - UNIX_EPOCH_JD);
        year = civil.year;
        month = civil.month;
        day = civil.day;
    } else { /* before the reform, only the Date knows which calendar it uses */
        year = NUM2LL(rb_funcallv(date, rb_intern("year"), 0, NULL));
        month = NUM2INT(rb_funcallv(date, rb_intern("month"), 0, NULL));
        day = NUM2INT(rb_funcallv(date, rb_intern("mday"), 0, NULL));
    }
    at = tj_reserve(w, TJ_TIME_SIZE + 2);
    *at++ = '"';
    at = tj_write_date(at, year, month, day);
    *at++ = '"';
    tj_commit(w, at);
}

/* strftime of a DateTime knows its calendar, and Ruby code seldom redefines it; ActiveSupport
 * redefines to_time. */
void tj_write_date_time(tj_writer *w, VALUE date_time)
{
    if (write_strftime(w, date_time)) return;
    VALUE pattern = str_own_offset;
    bool quoted = true;
    switch (w->rules->time) {
    case TJ_TIME_UNIX: pattern = str_seconds; quoted = false; break;
    case TJ_TIME_UNIX_MS: pattern = str_milliseconds; quoted = false; break;
    case TJ_TIME_UTC:
        pattern = str_utc;
        date_time = rb_funcall(date_time, rb_intern("new_offset"), 1, INT2FIX(0));
        break;
    default: break;
    }
    VALUE text = rb_funcall(date_time, rb_intern("strftime"), 1, pattern);
    tj_check_alive(w);
    if (!RB_TYPE_P(text, T_STRING))
        tj_raise(w, tj_eError, "strftime of %" PRIsVALUE " did not return a String.",
                 tj_class_words(date_time));
    tj_write_ascii_of(w, text, quoted);
}

void tj_write_time_with_zone(tj_writer *w, VALUE time)
{
    if (write_strftime(w, time)) return;
    struct timespec at = rb_time_timespec(rb_funcallv(time, rb_intern("utc"), 0, NULL));
    bool utc = RTEST(rb_funcallv(time, id_utc_p, 0, NULL));
    int32_t offset = (int32_t)NUM2LONG(rb_funcallv(time, rb_intern("utc_offset"), 0, NULL));
    write_moment(w, &at, offset, utc);
}

/* -- Time#xmlschema ---------------------------------------------------------------------------- */

/* 0001-01-02T00:00:00Z: with any offset the year has four digits */
#define YEAR_1 (-62135596800LL + 86400)
#define YEAR_9999 (253402300800LL - 86400) /* 9999-12-31T00:00:00Z */

bool tj_write_moment(tj_writer *w, struct timespec moment, int32_t offset, bool utc, int digits)
{
    if (moment.tv_sec < YEAR_1 || moment.tv_sec >= YEAR_9999) return false;
    uint8_t *at = tj_reserve(w, TJ_TIME_SIZE + 2);
    *at++ = '"';
    at = tj_write_time(at, moment.tv_sec, (int32_t)moment.tv_nsec, utc ? 0 : offset, utc, digits);
    *at++ = '"';
    tj_commit(w, at);
    return true;
}

bool tj_write_xmlschema(tj_writer *w, VALUE time, int digits)
{
    bool utc = in_utc(time);
    return tj_write_moment(w, rb_time_timespec(time),
                           utc ? 0 : (int32_t)NUM2LONG(rb_time_utc_offset(time)), utc, digits);
}

bool tj_write_zoned_xmlschema(tj_writer *w, VALUE time, int digits)
{
    bool utc = RTEST(rb_funcallv(time, id_utc_p, 0, NULL));
    int32_t offset =
        utc ? 0 : (int32_t)NUM2LONG(rb_funcallv(time, rb_intern("utc_offset"), 0, NULL));
    VALUE moment = rb_funcallv(time, rb_intern("utc"), 0, NULL);
    return tj_write_moment(w, rb_time_timespec(moment), offset, utc, digits);
}
