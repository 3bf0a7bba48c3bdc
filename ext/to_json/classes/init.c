/* Classes. Load order is the architecture: what stands lower may use what stands above. */
#include "classes.h"

#include "../glue/blank.h"
#include "../glue/dialect_json.h"
#include "../glue/dialect_oj.h"
#include "../glue/dialect_rails.h"
#include "../glue/declared.h"
#include "../glue/delivering.h"
#include "../glue/document.h"
#include "../glue/flush.h"
#include "../glue/in_place.h"
#include "../glue/item.h"
#include "../glue/item_cold.h"
#include "../glue/many.h"
#include "../glue/opened.h"
#include "../glue/plan.h"
#include "../glue/records.h"
#include "../glue/reader.h"
#include "../glue/serializer.h"
#include "../glue/sink.h"
#include "../glue/string.h"
#include "../glue/time_value.h"
#include "../glue/value_cold.h"
#include "../vm/vm.h"

#include <ruby/ractor.h>
#include <stdlib.h>

__attribute__((visibility("default"))) void Init_to_json(void);
void Init_to_json(void)
{
    rb_ext_ractor_safe(true);
    tj_simd_init(getenv("TO_JSON_SIMD"));
    tj_vm_init();
    tj_mToJson = rb_define_module("ToJson");
    tj_errors_init();
    tj_document_init();
    tj_string_init();
    tj_time_value_init();
    tj_many_init();
    tj_value_cold_init();
    tj_sink_init();
    tj_flush_init();
    tj_pool_init();
    tj_dialect_json_init();
    tj_dialect_oj_init();
    tj_dialect_rails_init();
    tj_define_rules();
    tj_define_fragment();
    tj_define_text();
    tj_define_reflection();
    tj_define_held();
    tj_define_buffer();
    tj_define_part();
    tj_define_plan();
    tj_define_writer();
    tj_define_dsl();
    tj_define_serializer();
    tj_define_entry();
    tj_define_block_context();
    tj_define_generate();
    tj_define_rails();
    tj_blank_init();
    tj_part_init();
    tj_reader_init();
    tj_delivering_init();
    tj_call_init();
    tj_pointing_init();
    tj_plan_init();
    tj_item_init();
    tj_item_cold_init();
    tj_declared_init();
    tj_serializer_init();
    tj_in_place_init();
    tj_opened_init();
    tj_records_init();
}
