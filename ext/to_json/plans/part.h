/* Plans. A Part: what one native call writes of an object, static bytes and slots joined ahead of time. Frozen and shareable. */
#ifndef TJ_PART_H
#define TJ_PART_H

#include "../writer/writer.h"

/* A native call takes about so many values; longer objects take several Parts. */
#define TJ_PART_SLOTS 48

enum tj_op_kind {
    TJ_OP_VALUE, /* a pair: the text ends with its key and colon, a value follows */
    TJ_OP_OPEN,  /* a pair whose value is an object of the following ops; nil: null, and those are skipped */
    TJ_OP_END,   /* that object ends */
    TJ_OP_LIST,  /* a pair whose value is an array that stays open. The last op */
    TJ_OP_SLOT   /* a pair whose value another call writes. The last op */
};

/* What `as:` makes of a value. */
enum tj_as { TJ_AS_IS, TJ_AS_STRING, TJ_AS_INTEGER, TJ_AS_FLOAT, TJ_AS_BOOLEAN, TJ_AS_DATE, TJ_AS_TIME, TJ_AS_FRAGMENT };

#define TJ_TIME_RULES 5 /* as the Rules have it */

enum tj_op_flags {
    TJ_OP_OPTIONAL = 1,  /* the value may be ToJson::SKIP: neither key nor value */
    TJ_OP_SKIP_NIL = 2,  /* nil is as SKIP */
    TJ_OP_SKIP_BLANK = 4,
    TJ_OP_DYNAMIC = 8,   /* whether the text's comma is due is known when it is written */
    TJ_OP_DEFAULT = 16,  /* nil is `otherwise` */
    TJ_OP_SAME = 32      /* of OPEN: its object is the one around it */
};
#define TJ_OP_MAY_SKIP (TJ_OP_OPTIONAL | TJ_OP_SKIP_NIL | TJ_OP_SKIP_BLANK)

typedef struct {
    uint32_t offset[2], size[2]; /* of the text, plain and HTML-safe */
    uint8_t kind, as, flags;
    uint8_t time;      /* enum tj_time_rule of as: :time, or TJ_TIME_RULES */
    uint8_t skip_text; /* of OPEN: so many bytes of the text after its object belong to that object */
    uint16_t skip_ops; /* of OPEN: ops of its object */
    uint16_t skip_values;
    VALUE name;        /* Symbol, marked: for paths, and for what is written pair by pair */
    VALUE source;      /* Symbol: the key in a Hash row; nil where Ruby must read it */
    VALUE format;      /* of as: :time, a pattern */
    VALUE otherwise;
} tj_op;

enum tj_part_flags {
    TJ_PART_BEGINS = 1, /* the object begins here, at an empty level */
    TJ_PART_ENDS = 2,  /* and ends here */
    TJ_PART_PLAIN = 4  /* both, and values as they are, none of which may be left out, behind texts of at most TJ_PLAIN_TEXT bytes. Found out here */
};
#define TJ_PLAIN_TEXT 32

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
    if (TJ_LIKELY(RB_TYPE_P(object, T_DATA) && RTYPEDDATA_P(object) && RTYPEDDATA_TYPE(object) == &tj_part_type)) return RTYPEDDATA_DATA(object);
    return rb_check_typeddata(object, &tj_part_type);
}

/* A Part of `count` pairs named by Symbols, which joins the object at hand; Qnil where a name needs an escape under
 * some Rules. */
VALUE tj_part_of_names(VALUE klass, int count, const VALUE *names);

/* The same for an object that is nothing else: each value is read by its source (Symbols), and written under its name. At least one. */
VALUE tj_part_of_fields(VALUE klass, int count, const VALUE *sources, const VALUE *names);

/* A Part as lib/to_json/compiling describes it; see ToJson::Part. Raises ArgumentError for what is none. */
VALUE tj_part_new(VALUE klass, VALUE flags, VALUE ops);

/* ToJson::SKIP */
extern VALUE tj_skip;
void tj_part_init(void);

#endif
