/* Plans. Choices: what calls chose by view:, only: and except:, and the Plans and Masks that this
 * led to. A class keeps those of its views for good, and the others while they are repeated. */
#ifndef TJ_CHOICES_H
#define TJ_CHOICES_H

#include "plan.h"

/* A longer choice is not kept: bytes of its names, and a few for each of them. */
#define TJ_CHOICE_MOST 1024

/* The most choices that a class keeps besides its views. Written by the main Ractor only. */
extern uint32_t tj_choices_most;

void tj_choices_init(void);

typedef struct {
    VALUE plan, mask; /* mask nil: none */
} tj_chosen;

/* What a call with these keywords, nil for none, writes of a class that declares fields; of one
 * with its own serialize, `pairs` asks for the fields alone. The caller keeps both alive. Runs
 * Ruby (compiles the class, parses what is new), may raise. */
tj_chosen tj_choose(tj_pool *pool, VALUE serializer_class, VALUE view, VALUE only, VALUE except,
                    bool pairs);

/* For tests: how many choices besides views the class keeps. */
uint32_t tj_choices_count(VALUE serializer_class);

#endif
