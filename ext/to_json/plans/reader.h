/* Plans. Readers of put_fields: a list of fields that is used often is compiled once. A long one is
 * compiled to Ruby. */
#ifndef TJ_READER_H
#define TJ_READER_H

#include "../writer/pool.h"
#include "part.h"

/* The fields of one put_fields call, each with its source and its name. */
typedef struct {
    int count;
    bool symbols; /* all of them Symbols */
    VALUE sources[TJ_PART_SLOTS], names[TJ_PART_SLOTS];
} tj_fields;

/* The most fields that C reads by itself. For so few, a call of generated Ruby costs more than its
 * inline caches save. */
#define TJ_DIRECT_FIELDS 4

typedef struct tj_reader {
    uint64_t hash;
    uint32_t seen;    /* number of calls before it was compiled */
    bool refused;     /* it cannot be compiled */
    int count;
    VALUE
        *list; /* the sources, then the names; GC marks the sources once `module` is compiled */
    ID direct[TJ_DIRECT_FIELDS]; /* the sources, if there are at most so many */
    VALUE module; /* has read(writer, part, object); Qtrue: C calls `direct`; 0: not compiled */
    VALUE part;
} tj_reader;

void tj_reader_init(void);

/* The compiled reader of these fields, or NULL if there is none (yet). May run Ruby. */
const tj_reader *tj_reader_of(tj_pool *pool, const tj_fields *fields);

/* Reads all fields of `object`, and writes them by one C call. Runs Ruby. */
void tj_read_and_emit(const tj_reader *reader, tj_writer *w, VALUE object);

#endif
