/* Values. Hashes whose keys must be examined. */
#ifndef TJ_WATCHED_HASH_H
#define TJ_WATCHED_HASH_H

#include "../writer/writer.h"

/* Writes `hash` under Rules with watches_hashes. May run Ruby, may raise. */
void tj_write_watched_hash(tj_writer *w, VALUE hash);

#endif
