/* Classes. For serializer_class.c: the argument with which a new entry is warmed up. */
#ifndef TJ_ENTRY_CLASS_H
#define TJ_ENTRY_CLASS_H

#include <ruby.h>

/* json!(tj_entry_nothing) writes no document. */
extern VALUE tj_entry_nothing;

#endif
