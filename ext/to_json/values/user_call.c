/* Values. Calls of user code in the middle of a value, and how many may be nested. */
#include "user_call.h"

#include "../writer/binding.h"
#include "../writer/errors.h"
#include "../writer/stack.h"

#include <ruby/ractor.h>

VALUE tj_call_closed(tj_writer *w, VALUE receiver, ID id, int argc, const VALUE *argv)
{
    unsigned before = w->blocked & TJ_VALUE_DUE, document = w->documents;
    w->blocked |= TJ_VALUE_DUE;
    VALUE result = rb_funcallv(receiver, id, argc, argv);
    /* a Continuation came back to this call */
    if (TJ_UNLIKELY(w->documents != document)) tj_raise_too_late();
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
    tj_check_alive(w);
    return result;
}

void tj_check_callable(tj_writer *w, VALUE callable)
{
    if (TJ_LIKELY(w->pool->main || !w->rules->of_main) || rb_ractor_shareable_p(callable)) return;
    tj_raise(w, tj_eError,
             "the Rules call a Proc of the main Ractor, which is not shareable. Make it "
             "shareable (Ractor.make_shareable), or give a module that has the method call.");
}

void tj_enter_conversion(tj_writer *w)
{
    if (w->conversions / 2 > w->grammar.max_nesting) tj_raise_status(w, TJ_TOO_DEEP);
    w->conversions++;
    tj_check_stack(w);
}
