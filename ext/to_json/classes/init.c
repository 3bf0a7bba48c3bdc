/* Classes. Initializes all units, in the order in which one may use another. */
#include "classes.h"

#include "../values/blank.h"
#include "../dialects/dialect_json.h"
#include "../dialects/dialect_oj.h"
#include "../dialects/dialect_rails.h"
#include "../documents/declared.h"
#include "../delivery/delivery_options.h"
#include "../delivery/flush.h"
#include "../documents/in_place.h"
#include "../plans/item.h"
#include "../plans/item_cold.h"
#include "../values/collection.h"
#include "../documents/direct.h"
#include "../plans/choices.h"
#include "../plans/named_fields.h"
#include "../documents/lookup.h"
#include "../documents/value_site.h"
#include "../plans/plan.h"
#include "../documents/records.h"
#include "../plans/reader.h"
#include "../documents/document.h"
#include "../delivery/sink.h"
#include "../writer/string.h"
#include "../values/string_value.h"
#include "../values/cell.h"
#include "../values/time_value.h"
#include "../values/value_cold.h"
#include "../vm/vm.h"
#include "../writer/protect.h"
#include "../writer/binding.h"
#include "../writer/pool.h"

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
    tj_protect_init();
    tj_string_init();
    tj_cell_init();
    tj_time_value_init();
    tj_collection_init();
    tj_library_value_init();
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
    tj_define_cell();
    tj_define_buffer();
    tj_define_part();
    tj_define_plan();
    tj_define_plan_cache();
    tj_define_writer();
    tj_define_pool();
    tj_define_dsl();
    tj_define_dsl_fields();
    tj_define_serializer();
    tj_define_document();
    tj_define_block_context();
    tj_define_generate();
    tj_define_rails();
    tj_blank_init();
    tj_part_init();
    tj_reader_init();
    tj_delivery_options_init();
    tj_call_init();
    tj_binding_init();
    tj_plan_init();
    tj_named_fields_init();
    tj_choices_init();
    tj_item_init();
    tj_item_cold_init();
    tj_declared_init();
    tj_direct_init();
    tj_in_place_init();
    tj_lookup_init();
    tj_value_site_init();
    tj_records_init();
}
