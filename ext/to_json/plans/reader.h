/* Plans. Readers of put_fields: a list of fields met often enough becomes generated Ruby, once. */
#ifndef TJ_READER_H
#define TJ_READER_H

#include "../writer/pool.h"
#include "part.h"

/* The fields of one put_fields call: source and name of each, as given. */
typedef struct {
    int count;
    bool symbols; /* all of them Symbols */
    VALUE sources[TJ_PART_SLOTS], names[TJ_PART_SLOTS];
} tj_fields;

/* Up to so many fields are called from C: entering generated Ruby would cost more than its inline
 * caches save. */
#define TJ_DIRECT_FIELDS 4

typedef struct tj_reader {
    uint64_t hash;
    uint32_t seen;    /* calls until it was compiled */
    bool refused;     /* compiling it is not possible */
    int count;
    VALUE *list; /* sources, then names; marked once it is compiled, until then only compared */
    ID direct[TJ_DIRECT_FIELDS]; /* of the sources, if they are so few */
    VALUE module;     /* answers read(writer, part, object), or 0 */
    VALUE part;
} tj_reader;

void tj_reader_init(void);

/* The compiled reader of these fields, or NULL when the generic way has to do. May run Ruby. */
const tj_reader *tj_reader_of(tj_pool *pool, const tj_fields *fields);

/* Reads `object` through its inline caches and writes all fields by one native call. Runs Ruby. */
void tj_read_and_emit(const tj_reader *reader, tj_writer *w, VALUE object);

#endif
