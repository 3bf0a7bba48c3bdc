/* Writer. Contexts, which captured parts depend on, and helpers, which have them. */
#include "contexts.h"

#include "captures.h"
#include "errors.h"

/* -- contexts ---------------------------------------------------------------------------------- */

bool tj_has_pairs_only(VALUE hash)
{
    /* RBASIC_CLASS: a singleton class is another one */
    return RBASIC_CLASS(hash) == rb_obj_class(hash) && rb_ivar_count(hash) == 0 &&
           NIL_P(rb_funcall(hash, rb_intern("default"), 0)) &&
           NIL_P(rb_funcall(hash, rb_intern("default_proc"), 0));
}

bool tj_context_says_nothing(VALUE context)
{
    if (NIL_P(context) || context == tj_no_context) return true;
    if (!RB_TYPE_P(context, T_HASH) || !RHASH_EMPTY_P(context)) return false;
    return rb_obj_class(context) == rb_cHash && tj_has_pairs_only(context);
}

bool tj_text_is_plain(tj_writer *w, VALUE part)
{
    const tj_frame *frame = NIL_P(part) ? NULL : tj_frame_of(w, part);
    if (TJ_UNLIKELY(frame && frame->state)) return false;
    /* that code may have kept its arguments */
    if (frame && frame->code && tj_is_serializer(part) && tj_has_state(part)) return false;
    for (size_t i = 0; i < w->frame_count; i++)
        if (w->frames[i].reader) return false;
    return !w->layout;
}

void tj_note_read(tj_writer *w, VALUE self, VALUE context)
{
    bool found = !tj_context_says_nothing(context);
    w->context_reads++;
    if (found) w->context_found++;
    tj_note_for_captures(w, self, context, found);
}

VALUE tj_read_context(tj_writer *w, VALUE self)
{
    VALUE context = w ? tj_context_of(w, self) : Qundef;
    tj_frame *frame = context == Qundef ? NULL : tj_frame_of(w, self);
    if (context == Qundef || (frame && !frame->read)) tj_mark_reader(self);
    if (context == Qundef) {
        tj_note_for_captures(NULL, self, Qundef, false);
        return context;
    }
    if (frame) frame->read = true;
    else
        for (size_t i = 0; i < w->helper_count; i++)
            if (w->helpers[i].self == self) w->helpers[i].read = true;
    tj_note_read(w, self, context);
    return context;
}

/* -- helpers: serializers that lend their methods ---------------------------------------------- */

VALUE tj_helper_of(tj_writer *w, VALUE klass, VALUE context)
{
    for (size_t i = 0; i < w->helper_count; i++)
        if (w->helpers[i].klass == klass && w->helpers[i].context == context) {
            if (TJ_UNLIKELY(w->helpers[i].read)) tj_note_read(w, w->helpers[i].self, context);
            return w->helpers[i].self;
        }
    if (w->helper_count == w->helper_capacity) {
        size_t capacity = w->helper_capacity ? w->helper_capacity * 2 : 4;
        tj_helper *grown = tj_realloc(w->helpers, capacity * sizeof *grown);
        if (!grown) tj_raise_status(w, TJ_NO_MEMORY);
        w->helpers = grown;
        w->helper_capacity = capacity;
    }
    VALUE self = tj_serializer_alloc(klass);
    w->helpers[w->helper_count++] = (tj_helper){klass, self, context, false};
    tj_bind(w, self);
    return self;
}

/* Puts the last helper in the place of the one that leaves. */
static void helper_leaves(tj_writer *w, size_t i)
{
    tj_unbind_serializer(w->helpers[i].self);
    w->helpers[i] = w->helpers[--w->helper_count];
}

void tj_helpers_leave_unused(tj_writer *w)
{
    for (size_t i = 0; i < w->helper_count;) {
        if (tj_has_context(w, w->helpers[i].context)) i++;
        else helper_leaves(w, i);
    }
}

void tj_helpers_leave(tj_writer *w, VALUE context)
{
    /* the association is part of another one with this context */
    if (tj_has_context(w, context)) return;
    for (size_t i = 0; i < w->helper_count;) {
        if (w->helpers[i].context != context) i++;
        else helper_leaves(w, i);
    }
}

VALUE tj_scope_of(const tj_writer *w)
{
    if (w->frame_count == 0) return Qnil;
    VALUE scope = w->frames[0].scope;
    if (!RTEST(rb_obj_is_kind_of(scope, tj_mHeld))) return scope;
    return rb_funcall(scope, rb_intern("scope"), 0);
}
