/* Plans. A Part: what one C call writes of an object. Its keys and punctuation were encoded when
 * the class was compiled. Frozen and shareable between Ractors. */
#ifndef TJ_PART_H
#define TJ_PART_H

#include "../writer/writer.h"
#include "ops.h"

/* About the most values of one C call. Larger objects take several Parts. */
#define TJ_PART_SLOTS 48

/* The longest text before a value in a Part that is TJ_PART_PLAIN. */
#define TJ_PLAIN_TEXT 32

#define TJ_TIME_RULES (TJ_TIME_STRFTIME + 1) /* as the Rules say */

typedef struct {
    uint32_t offset[2], size[2]; /* of the text, plain and HTML-safe */
    uint8_t kind, as, flags;
    uint8_t time;      /* enum tj_time_rule of as: :time, or TJ_TIME_RULES */
    /* Of OPEN, to skip its object if that is nil: bytes of the text after it, ops, and values. Of
     * IDENTIFIERS, to skip the IDENTIFIER. */
    uint8_t skip_text;
    uint16_t skip_ops, skip_values;
    /* the object that the field belongs to: 0 for the Part's own, else 1 + the index of its value
     */
    uint16_t around;
    VALUE name;        /* a Symbol, marked; for paths, and for the slow path */
    VALUE key;         /* of a pair: the name as a String of Ruby's own, frozen UTF-8; or 0 */
    VALUE source;      /* a Symbol, the key in a Hash; nil if Ruby must read the value */
    VALUE format;      /* of as: :time, a pattern */
    VALUE otherwise;   /* the default for nil; of IDENTIFIER the type, a String */
} tj_op;

typedef struct {
    uint32_t count, values; /* numbers of ops, and of values of a call */
    uint32_t text_size;
    uint8_t flags;
    uint8_t depth;   /* of nested objects; counts its own object if that begins here */
    uint8_t *text;   /* 32 bytes after the end may be read */
    tj_op ops[];
} tj_part;

extern const rb_data_type_t tj_part_type;

/* The struct of a ToJson::Part. Raises TypeError for any other object. */
TJ_INLINE const tj_part *tj_part_of(VALUE object)
{
    if (TJ_LIKELY(RB_TYPE_P(object, T_DATA) && RTYPEDDATA_P(object) &&
                  RTYPEDDATA_TYPE(object) == &tj_part_type))
        return RTYPEDDATA_DATA(object);
    return rb_check_typeddata(object, &tj_part_type);
}

/* A Part of `count` pairs with Symbols as names, which adds to the object that is open. Qnil if a
 * name needs an escape under some Rules. */
VALUE tj_part_of_names(VALUE klass, int count, const VALUE *names);

/* A Part from the description that lib/to_json/compiling/part_layout.rb makes; see ToJson::Part.
 * Raises ArgumentError for a wrong one. */
VALUE tj_part_new(VALUE klass, VALUE flags, VALUE ops);

/* ToJson::SKIP */
extern VALUE tj_skip;
void tj_part_init(void);

#endif
