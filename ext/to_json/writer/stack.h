/* Writer. Raises before recursion in C uses up the machine stack. */
#ifndef TJ_STACK_H
#define TJ_STACK_H

#include "pool.h"
#include "writer.h"

/* Whether the machine stack is nearly used up. */
bool tj_stack_ends(void);

/* Raises NestingError if the machine stack is nearly used up. */
void tj_check_stack_cold(tj_writer *w);
#define TJ_UNWATCHED_DEPTH 64
TJ_INLINE bool tj_is_watched(const tj_writer *w)
{
    return w->grammar.nesting > TJ_UNWATCHED_DEPTH ||
           w->conversions + w->frame_count > TJ_UNWATCHED_DEPTH;
}
TJ_INLINE void tj_check_stack(tj_writer *w)
{
    if (TJ_UNLIKELY(tj_is_watched(w))) tj_check_stack_cold(w);
}

/* The same check before a document begins. Documents can be written inside each other, so this
 * counts documents, not levels. */
void tj_check_stack_of_documents_cold(tj_pool *pool);
TJ_INLINE void tj_check_stack_of_documents(tj_pool *pool)
{
    if (TJ_UNLIKELY(pool->at_work > TJ_UNWATCHED_DEPTH)) tj_check_stack_of_documents_cold(pool);
}

#endif
