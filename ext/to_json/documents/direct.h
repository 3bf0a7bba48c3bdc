/* Documents. The fast paths for documents without keywords. */
#ifndef TJ_DIRECT_H
#define TJ_DIRECT_H

#include "document.h"

/* Tries to open a document of `self`. Returns false if the caller must use tj_run_document. After
 * it, a generated entry (entry.rb) calls `serialize` and must close or drop the document; C
 * continues with tj_run_opened. May run Ruby. May raise, and then no document is open. */
bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope);
/* The same for a new serializer of the class, which it returns, else Qfalse. It calls no `new` of
 * the user's, which is called once a document. `kept` is the tj_plan_kept of the class. */
VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE kept, VALUE scope);
/* Closes the document and returns the String. May raise, and then the document must still be
 * dropped. */
VALUE tj_close_document(VALUE self);
/* A document that an entry opens has a serial number. It is this one for a new serializer, which
 * has only one such document; otherwise the next number of the pool, from 1 on. */
#define TJ_SERIAL_OF_NEW (-1)
/* Aborts the document with that number. `error` is the exception that left it, or nil. Does nothing
 * if that document has ended: another thread may have opened one of `self` since. */
void tj_drop_document(VALUE self, long serial, VALUE error);

/* The same for the code of a Plan: its `document` writes `object`, and drops the document by
 * itself. Returns the Writer, or Qfalse if the caller must use tj_run_plan. `into` is a String that
 * takes the document, or Qfalse. May run Ruby, and raise. */
VALUE tj_open_plan(VALUE serializer_class, VALUE plan, VALUE object, VALUE into);
VALUE tj_close_plan(tj_writer *w);
void tj_drop_plan(tj_writer *w, VALUE error);

/* Finishes a document that one of the first two functions has opened: calls `serialize`, then
 * closes the document, or aborts it if an exception or a throw leaves. Runs Ruby, may raise. */
VALUE tj_run_opened(VALUE self, int argc, const VALUE *argv);

/* json! of a class for one object, without keywords or with `into` a String (else Qfalse). Returns
 * the String. It costs one call of Ruby, without rb_protect. Returns Qundef if the Plan has no
 * `document`, or if Ruby must be asked what kind of object it is. Runs Ruby, may raise. */
VALUE tj_run_one(tj_pool *pool, VALUE plan, VALUE object, VALUE into);

#endif
