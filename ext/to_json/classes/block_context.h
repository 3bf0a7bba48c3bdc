/* Classes. The block form, ToJson::Serializer.json! { ... }. */
#ifndef TJ_BLOCK_CONTEXT_H
#define TJ_BLOCK_CONTEXT_H

#include "../writer/writer.h"

/* Writes a document with the block of the running C method. */
VALUE tj_block_document(int argc, const VALUE *argv, bool keywords);

/* Whether the self of a block has the words. Then the block keeps its self, and methods of that
 * object write into the same document. */
bool tj_block_has_words(VALUE caller);

#endif
