/* Documents. A document without arguments of ours: what most calls of json! are. */
#ifndef TJ_DIRECT_H
#define TJ_DIRECT_H

#include "document.h"

void tj_direct_init(void);

/* Tries to open a document of `self`. Returns false if the caller must use tj_run_document. Once it
 * is open, generated entries (entry.rb) call `serialize` and must close or drop it; C goes on by
 * tj_run_opened. May run Ruby. May raise, and then no document is open. */
bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope);
/* The same of a new serializer of that class, which it returns (a `new` of the user's may make any
 * object); else Qfalse. `kept`: the tj_plan_kept of the class. */
VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE kept, VALUE scope);
/* Ends it: the String. May raise, then it is still to be dropped. */
VALUE tj_close_document(VALUE self);
/* What an entry opened has a serial number: this one if `self` is a new serializer, which has one
 * such document in its life; else the pool's next, from 2 on. */
#define TJ_SERIAL_OF_NEW 1
/* Drops the document of that number: `error` left it, or with nil anything else. Does nothing if it
 * has ended, for another thread may have opened one of `self` since. */
void tj_drop_document(VALUE self, long serial, VALUE error);

/* The same for a Plan's code, whose `document` writes `object`, and drops it by itself: the Writer, or Qfalse where that takes
 * more. `into`: a String that takes the document, or Qfalse. May run Ruby, and raise. */
VALUE tj_open_plan(VALUE serializer_class, VALUE plan, VALUE object, VALUE into);
VALUE tj_close_plan(tj_writer *w);
void tj_drop_plan(tj_writer *w, VALUE error);

/* The rest of a json! by C, of a document that one of these two has just opened: calls `serialize`, and closes it, or drops it where anything leaves
 * early. Runs Ruby, may raise. */
VALUE tj_run_opened(VALUE self, int argc, const VALUE *argv);

/* json! of a class for one object, called without keywords, or with `into` a String (else Qfalse): the String, by one call of Ruby
 * and without rb_protect. Qundef where that takes more: a Plan without `document`, or an object that Ruby would have to be
 * asked about. Runs Ruby, may raise. */
VALUE tj_run_one(tj_pool *pool, VALUE plan, VALUE object, VALUE into);

#endif
