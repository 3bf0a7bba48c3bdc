/* Writer. The place in a document, in words. */
#ifndef TJ_PATH_H
#define TJ_PATH_H

#include "writer.h"

/* Where the document stands: "$.users[3].score". May run Ruby (to_s of a key that is no text). */
VALUE tj_path(const tj_writer *w);

#endif
