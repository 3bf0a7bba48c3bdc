/* Plans. Makes a Mask from `only:` and `except:`, if these consist of names alone. */
#ifndef TJ_NAMED_CHOICE_H
#define TJ_NAMED_CHOICE_H

#include "named_fields.h"

/* The Mask of `only:` and `except:`; nil: not given. Qundef if they are not plain: an unknown name,
 * a subclass of String, a part of an association whose serializer only the value tells, or too deep
 * or too long. Mask.over reads these, and raises for wrong ones. May run Ruby, may raise. Sets
 * *ran_ruby if Ruby ran before all was read. */
VALUE tj_named_choice(VALUE fields, VALUE only, VALUE except, bool *ran_ruby);

#endif
