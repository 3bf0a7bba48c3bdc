/* Writer. Debug builds only: collects garbage at each call of Ruby's API that may allocate, whether
 * or not Ruby would. extconf.rb includes this header into every file outside core/. So a test finds
 * an object that is not kept alive between two calls. */
#ifndef TJ_FORCED_GC_H
#define TJ_FORCED_GC_H

#include <ruby.h>
#include <ruby/encoding.h>

/* Counts the call, and collects garbage after ToJson::Writer.collecting = true. */
void tj_may_allocate(void);

/* Defines ToJson::Writer.collecting= and ToJson::Writer.allocating_calls, the count. */
void tj_collecting_init(VALUE cWriter);

#define TJ_MAY_ALLOCATE(call) (tj_may_allocate(), call)

#undef rb_funcall
#undef rb_funcallv
#undef rb_funcallv_public
#undef rb_str_new
#undef rb_str_new_cstr
#undef rb_ary_new_from_args
#undef rb_yield_values
#define rb_funcall(...) TJ_MAY_ALLOCATE((rb_funcall)(__VA_ARGS__))
#define rb_funcallv(...) TJ_MAY_ALLOCATE((rb_funcallv)(__VA_ARGS__))
#define rb_funcallv_public(...) TJ_MAY_ALLOCATE((rb_funcallv_public)(__VA_ARGS__))
#define rb_str_new(...) TJ_MAY_ALLOCATE((rb_str_new)(__VA_ARGS__))
#define rb_str_new_cstr(...) TJ_MAY_ALLOCATE((rb_str_new_cstr)(__VA_ARGS__))
#define rb_str_new_frozen(...) TJ_MAY_ALLOCATE((rb_str_new_frozen)(__VA_ARGS__))
#define rb_ary_new() TJ_MAY_ALLOCATE((rb_ary_new)())
#define rb_ary_new_capa(...) TJ_MAY_ALLOCATE((rb_ary_new_capa)(__VA_ARGS__))
#define rb_ary_new_from_args(...) TJ_MAY_ALLOCATE((rb_ary_new_from_args)(__VA_ARGS__))
#define rb_ary_new_from_values(...) TJ_MAY_ALLOCATE((rb_ary_new_from_values)(__VA_ARGS__))
#define rb_ary_push(...) TJ_MAY_ALLOCATE((rb_ary_push)(__VA_ARGS__))
#define rb_hash_new() TJ_MAY_ALLOCATE((rb_hash_new)())
#define rb_hash_aset(...) TJ_MAY_ALLOCATE((rb_hash_aset)(__VA_ARGS__))
#define rb_ivar_set(...) TJ_MAY_ALLOCATE((rb_ivar_set)(__VA_ARGS__))
#define rb_obj_alloc(...) TJ_MAY_ALLOCATE((rb_obj_alloc)(__VA_ARGS__))
#define rb_obj_dup(...) TJ_MAY_ALLOCATE((rb_obj_dup)(__VA_ARGS__))
#define rb_block_proc() TJ_MAY_ALLOCATE((rb_block_proc)())
#define rb_yield(...) TJ_MAY_ALLOCATE((rb_yield)(__VA_ARGS__))
#define rb_yield_values(...) TJ_MAY_ALLOCATE((rb_yield_values)(__VA_ARGS__))
#define rb_obj_instance_exec(...) TJ_MAY_ALLOCATE((rb_obj_instance_exec)(__VA_ARGS__))
#define rb_data_typed_object_wrap(...) TJ_MAY_ALLOCATE((rb_data_typed_object_wrap)(__VA_ARGS__))
#define ruby_xmalloc(...) TJ_MAY_ALLOCATE((ruby_xmalloc)(__VA_ARGS__))
#define ruby_xcalloc(...) TJ_MAY_ALLOCATE((ruby_xcalloc)(__VA_ARGS__))

#endif
