/* Documents. The life of a document: it is opened, and then closed or aborted. */
#ifndef TJ_SESSION_H
#define TJ_SESSION_H

#include "../delivery/flush.h"
#include "../writer/binding.h"
#include "../writer/captures.h"
#include "../writer/levels.h"
#include "../writer/pool.h"
#include "../writer/stack.h"
#include "../writer/writer.h"

/* The owner of a document: a serializer, a block receiver, Qnil for a Plan that needs none, or
 * TJ_NOBODY for a bare value, which has no frame. */
#define TJ_NOBODY Qundef

/* Opens a document under `rules` into `sink`, or into a new String for Qfalse. Takes a Writer,
 * binds `self` to it, and pushes the frame with `scope` and `context`. Before the call, the caller
 * must refuse a frozen `self`, find it idle or at work for `outer` alone, and check the Sink. After
 * the call, it must close or abort the document, and keep w->self and `rules` alive until then.
 *
 * Returns NULL if `self` is no longer idle: a dialect may run Ruby at the beginning, and so other
 * threads. Raises NestingError. */
TJ_INLINE tj_writer *tj_session_open(tj_pool *pool, VALUE self, const tj_writer *outer,
                                     VALUE scope, VALUE context, VALUE rules, VALUE sink)
{
    tj_check_stack_of_documents(pool);
    VALUE home = tj_fiber_number(pool); /* may allocate, so before a Writer is acquired */
    tj_writer *w = tj_acquire_from(pool, rules, sink);
    w->home = home;
    if (TJ_UNLIKELY(self == TJ_NOBODY)) return w;
    VALUE writer = w->self;
    if (TJ_UNLIKELY(w->rules->family != NULL) && !NIL_P(self)) {
        const tj_writer *other = tj_writer_behind(self);
        if (TJ_UNLIKELY(other && other != outer)) {
            tj_release(w);
            return NULL;
        }
    }
    if (TJ_LIKELY(tj_is_serializer(self))) tj_bind_serializer(w, self);
    else if (!NIL_P(self)) tj_bind(w, self);
    tj_push_frame(w, self, scope, context);
    tj_note_frame(w);
    RB_GC_GUARD(writer);
    return w;
}

/* Unbinds `self` and releases the Writer. */
TJ_INLINE void tj_session_release(tj_writer *w, VALUE self)
{
    if (TJ_LIKELY(self != TJ_NOBODY && tj_is_serializer(self))) tj_unbind_serializer(self);
    else if (self != TJ_NOBODY && !NIL_P(self)) tj_unbind(self);
    tj_release(w);
}

/* Ends the root, delivers the rest, and releases `self` and the Writer. Returns the Sink or the new
 * String. May run Ruby (the Sink's write). Raises GrammarError if a level is open or nothing more
 * may be written: the caller must then abort the document. */
TJ_INLINE VALUE tj_session_close(tj_writer *w, VALUE self)
{
    if (TJ_UNLIKELY(w->blocked)) tj_raise_blocked(self == TJ_NOBODY ? Qnil : self, w);
    tj_end_root(w);
    VALUE writer = w->self, result = tj_finish(w);
    if (TJ_UNLIKELY(RTEST(w->sink))) tj_end_sink(w, true, Qnil);
    tj_session_release(w, self);
    RB_GC_GUARD(writer);
    return result;
}

/* Releases `self`, the Sink and the Writer of a document that was left early. `error` is the
 * exception, which learns its path, or nil for a throw, a kill and the like. Returns 0, or the
 * state to continue with instead, see tj_locate. Runs Ruby, cannot raise. */
int tj_session_abort(tj_writer *w, VALUE self, VALUE error);

#endif
