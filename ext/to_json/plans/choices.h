/* Plans. Choices: the view:, only: and except: of calls, each with its Plan and its Mask. A class
 * always keeps the choices of its views, and the others while calls repeat them. */
#ifndef TJ_CHOICES_H
#define TJ_CHOICES_H

#include "plan.h"

/* The most choices that a class keeps besides its views. Written by the main Ractor only. */
extern uint32_t tj_most_choices;

void tj_choices_init(void);

typedef struct {
    VALUE plan, mask; /* mask nil: none */
} tj_chosen;

/* The Plan and the Mask of a call with these keywords; nil: not given. The class declares fields.
 * If it also has its own serialize, `pairs` asks for its fields alone. The caller must keep both
 * results alive. Runs Ruby (compiles the class, parses new choices), may raise. */
tj_chosen tj_choose(tj_pool *pool, VALUE serializer_class, VALUE view, VALUE only, VALUE except,
                    bool pairs);

/* For tests: how many choices besides views the class keeps. */
uint32_t tj_choices_count(VALUE serializer_class);

#endif
