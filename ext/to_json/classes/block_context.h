/* Classes. The block form, ToJson::Serializer.json! { ... }. */
#ifndef TJ_BLOCK_CONTEXT_H
#define TJ_BLOCK_CONTEXT_H

#include "../writer/writer.h"

/* Writes a document with the block of the running C method. *instance becomes the block
 * receiver. */
VALUE tj_block_document(int argc, const VALUE *argv, bool keywords, VALUE *instance);

#endif
