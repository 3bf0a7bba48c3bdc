/* Documents. The fast paths: a document of a serializer that writes everything itself, and one of
 * one object by a Plan. */
#ifndef TJ_DIRECT_H
#define TJ_DIRECT_H

#include "../plans/plan.h"
#include "../writer/binding.h"

void tj_direct_init(void);

/* Tries to open a document of `self` for tj_continue_document. Returns false if the caller
 * must use tj_run_document. May run Ruby. May raise, and then no document is open. */
bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope);
/* The same for a new serializer of the class, which it returns, else Qfalse. It calls no `new` of
 * the user's, which is called once a document. `kept` is the tj_plan_kept of the class. */
VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE kept, VALUE scope);

/* Finishes a document that one of the two above has opened: calls `serialize`, then
 * closes the document, or aborts it if an exception or a throw leaves. Runs Ruby, may raise. */
VALUE tj_continue_document(VALUE self, int argc, const VALUE *argv);

/* One object that is all of a document. The caller keeps `mask` and `rules` alive. */
typedef struct {
    tj_writer *w; /* set by tj_run_one */
    VALUE plan, mask; /* nil unless the Plan is masked */
    VALUE object;
    VALUE root; /* the key around the object, or nil */
    VALUE context, rules;
    VALUE into; /* a String or a Buffer that passed tj_check_sink, or Qfalse for a new String */
    bool values; /* for to_h: a Hash will do instead of the String */
} tj_one;

/* Writes the document by one call of `document` of the Plan's code. Needs no rb_protect, unless
 * there is a root or a Buffer. Returns the String or Buffer; or a Hash, if `values` are asked for
 * and one Part is all of the document (tj_item_values); or Qundef if the Plan has no `document`, or
 * if only Ruby can tell what kind of object it is. Runs Ruby, may raise. */
VALUE tj_run_one(tj_pool *pool, tj_one *one);

/* Does the same for `json!(object, **keywords)` of a class. `plan` is its Plan without view or
 * Mask. Returns Qundef, too, if a keyword needs more than tj_run_one can do. The caller then reads
 * them with tj_call_split, which raises for wrong ones. Runs Ruby, may raise. */
VALUE tj_run_with_keywords(tj_pool *pool, VALUE plan, VALUE object, VALUE keywords);

/* What json! of a class writes, as Ruby values: to_h. One object becomes a Hash without a document,
 * where that is possible. Runs Ruby, may raise. */
VALUE tj_run_values(int argc, const VALUE *argv, VALUE klass, bool keywords);

/* Writes the document of `new(object)` as `json!(object)` of its class does, if no field calls the
 * instance. Returns Qundef if one may call it. Runs Ruby, may raise. */
VALUE tj_run_lone(tj_pool *pool, VALUE self);

/* End the document of a Plan's code: the first closes it and returns the String, the second leaves
 * it without text, the third aborts it. `error` is the exception that left it, or nil. */
VALUE tj_close_plan(tj_writer *w);
void tj_leave_plan(tj_writer *w);
void tj_drop_plan(tj_writer *w, VALUE error);

#endif
