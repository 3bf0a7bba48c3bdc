/* Writer. The place in a document as text. */
#ifndef TJ_PATH_H
#define TJ_PATH_H

#include "writer.h"

/* Where the document is now: "$.users[3].score". May run Ruby (to_s of a key). */
VALUE tj_path(const tj_writer *w);

#endif
