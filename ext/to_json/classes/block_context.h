/* Classes. The block form: ToJson::Serializer.json! { ... } as seen from its caller. */
#ifndef TJ_BLOCK_CONTEXT_H
#define TJ_BLOCK_CONTEXT_H

#include "../glue/writer.h"

/* Runs the block of the method at work in a document. *instance is what kept its self. */
VALUE tj_block_document(int argc, const VALUE *argv, bool keywords, VALUE *instance);

#endif
