/* Documents. Aborting a document; session.h opens and closes one. */
#include "session.h"

#include "../writer/errors.h"

int tj_session_abort(tj_writer *w, VALUE self, VALUE error)
{
    VALUE writer = w->self;
    int left = NIL_P(error) ? 0 : tj_locate(w, error);
    if (TJ_UNLIKELY(RTEST(w->sink))) tj_end_sink(w, false, left ? Qnil : error);
    tj_session_release(w, self);
    RB_GC_GUARD(writer);
    RB_GC_GUARD(self);
    return left;
}
