/* Writer. The contexts of a document and who reads them, and its helpers. */
#ifndef TJ_CONTEXTS_H
#define TJ_CONTEXTS_H

#include "binding.h"

/* The document's helper of class `klass`, for methods and context of declared fields. There is one
 * for each class and context. */
VALUE tj_helper_of(tj_writer *w, VALUE klass, VALUE context);

/* Unbinds the helpers of `context`. Called when the association with this context is written. */
void tj_helpers_leave(tj_writer *w, VALUE context);

/* Unbinds the helpers whose contexts no frame has. A failed record may leave such helpers. A
 * serializer in place with a context of its own leaves them too, because the next serializer in
 * place may have the same context. */
void tj_helpers_leave_unused(tj_writer *w);

/* The first argument of the document. Envelopes (JSON:API, HAL) are documents of an internal
 * object, which tells the program's. */
VALUE tj_scope_of(const tj_writer *w);

/* The same for user code, whose Writer may be NULL. It notes that the context was read: the text of
 * a part that is being captured then depends on it, unless the key of the part contains it. If the
 * serializer read it before, it may have kept the context in an instance variable, so its later
 * parts depend on it too. */
VALUE tj_read_context(tj_writer *w, VALUE self);
void tj_note_read(tj_writer *w, VALUE self, VALUE context);

/* Whether text that the serializer `part` writes can be kept for other documents: not with a
 * layout, since it depends on where it stands, nor if `part` has state, nor in a document of a
 * serializer that may have kept what it saw in another context. `part` is nil if the key tells its
 * state. */
bool tj_text_is_plain(tj_writer *w, VALUE part);

/* Whether a Hash has no default, no instance variables and no methods of its own, so that its class
 * and its pairs tell all that can be read from it. May run Ruby, if Hash is patched. */
bool tj_has_pairs_only(VALUE hash);

/* Whether the context is nil or a Hash from which nothing can be read. May run Ruby as well. */
bool tj_context_says_nothing(VALUE context);

#endif
