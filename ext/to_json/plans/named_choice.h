/* Plans. `only:` and `except:` that say names become the bits of a Mask. */
#ifndef TJ_NAMED_CHOICE_H
#define TJ_NAMED_CHOICE_H

#include "named_fields.h"

/* The Mask of `only:` and `except:`, nil for none. Qundef if they are not plain (a name that there
 * is not, a subclass of String, a part of what only a value tells, deep, long): Mask.over has more
 * to say of these, and raises. May run Ruby, may raise. */
VALUE tj_named_choice(VALUE fields, VALUE only, VALUE except);

#endif
