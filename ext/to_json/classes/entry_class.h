/* Classes. What serializer_class.c tells the entries. */
#ifndef TJ_ENTRY_CLASS_H
#define TJ_ENTRY_CLASS_H

#include <ruby.h>

/* Of json!(tj_entry_nothing) nothing comes: a call that a new entry is warmed by. */
extern VALUE tj_entry_nothing;

#endif
