/* Plans. What the options of a field do to its value: one function for each flag of ops.h. The fast
 * path and the slow path call them. If `ask` is false they run no Ruby, and return TJ_ASK if they
 * would have to. */
#ifndef TJ_FLAGS_H
#define TJ_FLAGS_H

#include "../values/blank.h"
#include "../writer/string.h"
#include "part.h"

enum tj_verdict { TJ_WRITE, TJ_LEAVE_OUT, TJ_ASK };

TJ_INLINE enum tj_verdict tj_flag_default(const tj_op *op, VALUE *v, bool ask)
{
    (void)ask;
    if (NIL_P(*v)) *v = op->otherwise;
    return TJ_WRITE;
}

TJ_INLINE enum tj_verdict tj_flag_optional(const tj_op *op, VALUE *v, bool ask)
{
    (void)op, (void)ask;
    return *v == tj_skip ? TJ_LEAVE_OUT : TJ_WRITE;
}

TJ_INLINE enum tj_verdict tj_flag_skip_nil(const tj_op *op, VALUE *v, bool ask)
{
    (void)op, (void)ask;
    return NIL_P(*v) ? TJ_LEAVE_OUT : TJ_WRITE;
}

TJ_INLINE enum tj_verdict tj_flag_skip_blank(const tj_op *op, VALUE *v, bool ask)
{
    (void)op;
    if (!RTEST(*v)) return TJ_LEAVE_OUT;
    if (RB_SPECIAL_CONST_P(*v) && !RB_SYMBOL_P(*v)) return TJ_WRITE;
    if (tj_is_exact_string(*v) && tj_string_begins_with_a_letter(*v)) return TJ_WRITE;
    if (!ask) return TJ_ASK;
    return tj_is_blank(*v) ? TJ_LEAVE_OUT : TJ_WRITE;
}

/* Applies all flags of the op to *v. May run Ruby if `ask`. */
TJ_INLINE enum tj_verdict tj_flags_of(const tj_op *op, VALUE *v, bool ask)
{
#define TJ_ASK_FLAG(NAME, name, ...) \
    if (op->flags & TJ_OP_##NAME) { \
        enum tj_verdict verdict = tj_flag_##name(op, v, ask); \
        if (verdict != TJ_WRITE) return verdict; \
    }
    TJ_FIELD_FLAG_TABLE(TJ_ASK_FLAG)
    return TJ_WRITE;
}

#endif
