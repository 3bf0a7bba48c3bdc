/* Classes. The block form, ToJson::Serializer.json! { ... }. */
#ifndef TJ_BLOCK_CONTEXT_H
#define TJ_BLOCK_CONTEXT_H

#include "../documents/call.h"
#include "../writer/writer.h"

/* Writes a document with the block of the running C method. */
VALUE tj_block_document(int argc, const VALUE *argv, bool keywords);

/* Whether the self of a block has the words. Then the block keeps its self, and methods of that
 * object write into the same document. */
bool tj_block_has_words(VALUE caller);

/* `scope` and `context` of objects with the words. */
VALUE tj_scope_word(VALUE self);
VALUE tj_context_word(VALUE self);

/* For a document by a block whose self has the words. Unless the call has a context, *call gets
 * that of the document around the block, or else that which `new` got, so that helpers answer in
 * the block as outside of it. Likewise *scope, if the call has no arguments. `scope` may be
 * NULL. */
void tj_block_inherits(VALUE self, tj_call *call, int argc, const VALUE *argv, bool keywords,
                       VALUE *scope);

#endif
