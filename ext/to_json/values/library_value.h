/* Values. Collections, and instances of library classes. */
#ifndef TJ_LIBRARY_VALUE_H
#define TJ_LIBRARY_VALUE_H

#include "../writer/pool.h"
#include "../writer/writer.h"

void tj_library_value_init(void);

/* Writes an instance of `klass` if the table of docs/values.md names exactly that class; otherwise
 * returns false. Runs Ruby, may raise. */
bool tj_write_library_value(tj_writer *w, VALUE v, VALUE klass);

/* Writes the elements of `many`. Returns false if it only has a to_ary that returned nil. Runs
 * Ruby, may raise. */
bool tj_write_collection(tj_writer *w, VALUE many);

/* Whether it is exactly this class. False if its library is not loaded. */
bool tj_is_date(struct tj_pool *pool, VALUE klass);
bool tj_is_decimal(struct tj_pool *pool, VALUE klass);
bool tj_is_time_with_zone(struct tj_pool *pool, VALUE klass);
/* Returns to_s("F") of a BigDecimal. Runs Ruby. Raises if that is no String. */
VALUE tj_decimal_text(tj_writer *w, VALUE decimal);
/* Whether the constant `name` is `klass`. `known` caches the constant; 0 until it exists. */
bool tj_is_class(VALUE *known, const char *name, VALUE klass);

/* Looks up `names` one inside the other, from Object on; NULL ends them. Returns the last class or
 * module. Returns Qfalse if one of them is not loaded, or is neither class nor module. */
VALUE tj_loaded_module(const char *const *names);

/* Looks for ActiveStorage::Attached::One, unless it was found before. */
void tj_find_attached(tj_pool *pool);

/* Whether `v` is the proxy of has_one_attached. */
TJ_INLINE bool tj_is_attached(const tj_pool *pool, VALUE v)
{
    return TJ_UNLIKELY(pool->attached_one) && !RB_SPECIAL_CONST_P(v) &&
           RBASIC_CLASS(v) == pool->attached_one;
}

/* Whether it is such a proxy without a file, which is written as nil. May run Ruby. */
bool tj_is_unattached(tj_writer *w, VALUE v);

/* Whether it is an ActiveModel::Errors. */
bool tj_are_errors(VALUE v);

/* Raises UnsupportedTypeError, or SerializerNotFound for a model. `advice` says what to do. */
NORETURN(void tj_raise_unsupported(tj_writer *w, VALUE v, const char *advice));

#endif
