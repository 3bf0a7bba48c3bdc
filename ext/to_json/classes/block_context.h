/* Classes. The block form: ToJson::Serializer.json! { ... } as seen from its caller. */
#ifndef TJ_BLOCK_CONTEXT_H
#define TJ_BLOCK_CONTEXT_H

#include "../writer/writer.h"

/* Runs the block of the C method at work in a document. *instance is the object
 * that it ran on. */
VALUE tj_block_document(int argc, const VALUE *argv, bool keywords, VALUE *instance);

#endif
