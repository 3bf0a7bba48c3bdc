/* Glue. What the block of the running C method is, without making a Proc of it. */
#ifndef TJ_BLOCK_FRAME_H
#define TJ_BLOCK_FRAME_H

#include "writer.h"

/* Finds out whether this Ruby's frames are as we know them. Until then, and where not, Procs are made. */
void tj_block_frame_init(void);

/* The self of the block that the running C method was given; `receiver` is that method's own self. May
 * make a Proc. */
VALUE tj_block_self(VALUE receiver);

/* How many of (item, index) that block is given: 2, or 1 for a lambda, method or Symbol that takes one. */
int tj_block_wants(VALUE receiver);

#endif
