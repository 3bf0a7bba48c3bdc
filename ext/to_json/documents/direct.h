/* Documents. The fast paths for documents without keywords. */
#ifndef TJ_DIRECT_H
#define TJ_DIRECT_H

#include "document.h"

/* Tries to open a document of `self`, which tj_run_opened continues. Returns false if the caller
 * must use tj_run_document. May run Ruby. May raise, and then no document is open. */
bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope);
/* The same for a new serializer of the class, which it returns, else Qfalse. It calls no `new` of
 * the user's, which is called once a document. `kept` is the tj_plan_kept of the class. */
VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE kept, VALUE scope);

/* Finishes a document that one of the two above has opened: calls `serialize`, then
 * closes the document, or aborts it if an exception or a throw leaves. Runs Ruby, may raise. */
VALUE tj_run_opened(VALUE self, int argc, const VALUE *argv);

/* json! of a class for one object, without keywords or with `into` a String (else Qfalse). Returns
 * the String. It costs one call of Ruby, without rb_protect. Returns Qundef if the Plan has no
 * `document`, or if Ruby must be asked what kind of object it is. Runs Ruby, may raise. */
VALUE tj_run_one(tj_pool *pool, VALUE plan, VALUE object, VALUE into);

/* End the document of a Plan's code: the first closes it and returns the String, the second aborts
 * it. `error` is the exception that left it, or nil. */
VALUE tj_close_plan(tj_writer *w);
void tj_drop_plan(tj_writer *w, VALUE error);

#endif
