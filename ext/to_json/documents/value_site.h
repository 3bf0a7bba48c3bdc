/* Documents. Associations whose serializer the value tells: the class ToJson::ValueSite. */
#ifndef TJ_VALUE_SITE_H
#define TJ_VALUE_SITE_H

#include "../writer/writer.h"

/* Of one field of a Plan. Any Ractor may see it, because it never changes. */
typedef struct {
    VALUE serializer_class; /* that declares the field */
    VALUE map;     /* nil, or the frozen Hash of serializer: */
    VALUE chooser; /* nil, or the Symbol of the method that returns the serializer */
    bool chooser_takes_value;
    bool many, one; /* false both: the value decides */
} tj_value_site;

extern const rb_data_type_t tj_value_site_type;

/* Makes a ValueSite. `map` is a Hash or nil, `chooser` a method [Symbol, count of its parameters]
 * or nil, `kind` is :one, :many or :any. */
VALUE tj_value_site_new(VALUE klass, VALUE serializer_class, VALUE map, VALUE chooser, VALUE kind);

void tj_value_site_init(void);

/* Writes the value, which is not nil, into the slot at hand, ends the slot, and returns nil. Or
 * returns code: then the caller calls its method `object`, which writes the value, and ends the
 * slot. That saves a call of Ruby from C, which costs as much as the fields of a small object.
 * `s` is the serializer at work, or nil if neither `chooser` nor a context needs one. `said`: what
 * `class` of the value gave, or anything else to ask Ruby itself. Runs Ruby, may raise. */
VALUE tj_write_by_site(tj_writer *w, VALUE site, VALUE s, VALUE value, VALUE said);

#endif
