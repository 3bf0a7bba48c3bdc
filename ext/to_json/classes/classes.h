/* Classes. The Ruby side of the extension: each file defines one class or module, checks arguments,
 * and calls the other rooms.
 *
 * This is the last room, so it may call all others, and none calls it. What does more than check
 * and delegate does not belong here. */
#ifndef TJ_CLASSES_H
#define TJ_CLASSES_H

#include "../writer/errors.h"
#include "../writer/writer.h"

void tj_define_writer(void);
void tj_define_pool(void);
void tj_define_dsl(void);
void tj_define_dsl_fields(void);
void tj_define_buffer(void);
void tj_define_part(void);
void tj_define_plan(void);
void tj_define_plan_cache(void);
void tj_define_rules(void);
void tj_define_fragment(void);
void tj_define_text(void);
void tj_define_reflection(void);
void tj_define_cell(void);
void tj_define_document(void);
void tj_define_serializer(void);
void tj_define_block_context(void);
void tj_define_generate(void);
void tj_define_rails(void);

#endif
