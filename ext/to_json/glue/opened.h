/* Glue. A document without arguments of ours: what most calls of json! are. */
#ifndef TJ_OPENED_H
#define TJ_OPENED_H

#include "serializer.h"

void tj_opened_init(void);

/* Opens a document of `self`; false where that takes tj_run_document. Then generated entries (entry.rb), which call `serialize` themselves, must close
 * it, or drop it; C goes on by tj_run_opened. May run Ruby, may raise, and then none is open. */
bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope);
/* The same of a serializer that json! of that class makes, which it gives (a `new` of the user's may give any); else Qfalse. `kept`: its tj_plan_kept. */
VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE kept, VALUE scope);
/* Ends it: the String. May raise, then it is still to be dropped. */
VALUE tj_close_document(VALUE self);
/* The document that the calling method opened was left, by `error` or with nil by anything else. Does nothing where it has ended. */
void tj_drop_document(VALUE self, VALUE error);

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
