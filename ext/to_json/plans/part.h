/* Plans. A Part: what one native call writes of an object, static bytes and slots joined ahead of
 * time. Frozen and shareable. */
#ifndef TJ_PART_H
#define TJ_PART_H

#include "../writer/writer.h"
#include "ops.h"

/* A native call takes about so many values; longer objects take several Parts. */
#define TJ_PART_SLOTS 48

/* With TJ_PART_PLAIN no text is longer than this. */
#define TJ_PLAIN_TEXT 32

#define TJ_TIME_RULES (TJ_TIME_STRFTIME + 1) /* as the Rules have it */

typedef struct {
    uint32_t offset[2], size[2]; /* of the text, plain and HTML-safe */
    uint8_t kind, as, flags;
    uint8_t time;      /* enum tj_time_rule of as: :time, or TJ_TIME_RULES */
    uint8_t
        skip_text; /* of OPEN: so many bytes of the text after its object belong to that object */
    uint16_t skip_ops; /* of OPEN: ops of its object */
    uint16_t skip_values;
    uint16_t
        around; /* the object that has it: 0 the Part's own, else 1 + the number of its value */
    VALUE name;        /* Symbol, marked: for paths, and for what is written pair by pair */
    VALUE source;      /* Symbol: the key in a Hash row; nil where Ruby must read it */
    VALUE format;      /* of as: :time, a pattern */
    VALUE otherwise;
} tj_op;

typedef struct {
    uint32_t count, values; /* ops; values that a call gives */
    uint32_t text_size;
    uint8_t flags;
    uint8_t depth;   /* of objects inside, the own one counted if it begins here */
    uint8_t *text;   /* 32 more may be read past the last */
    tj_op ops[];
} tj_part;

extern const rb_data_type_t tj_part_type;

/* The Part that a call names; raises TypeError for anything else. */
TJ_INLINE const tj_part *tj_part_of(VALUE object)
{
    if (TJ_LIKELY(RB_TYPE_P(object, T_DATA) && RTYPEDDATA_P(object) &&
                  RTYPEDDATA_TYPE(object) == &tj_part_type))
        return RTYPEDDATA_DATA(object);
    return rb_check_typeddata(object, &tj_part_type);
}

/* A Part of `count` pairs named by Symbols, which joins the object at hand; Qnil where a name needs
 * an escape under some Rules. */
VALUE tj_part_of_names(VALUE klass, int count, const VALUE *names);

/* A Part as lib/to_json/compiling describes it; see ToJson::Part. Raises ArgumentError for what is
 * none. */
VALUE tj_part_new(VALUE klass, VALUE flags, VALUE ops);

/* ToJson::SKIP */
extern VALUE tj_skip;
void tj_part_init(void);

#endif
