/* Classes. ToJson::Part: opaque to Ruby. The compiler makes it, Writer#item reads it. */
#include "classes.h"

#include "../plans/part.h"

static VALUE part_size(VALUE self)
{
    const tj_part *part = rb_check_typeddata(self, &tj_part_type);
    return UINT2NUM(part->values);
}

static VALUE part_s_new(VALUE klass, VALUE flags, VALUE ops)
{
    return tj_part_new(klass, flags, ops);
}

/* -- TABLE: ops.h for Ruby --------------------------------------------------------------------- */

static VALUE symbol(const char *name) { return ID2SYM(rb_intern(name)); }

static VALUE text(const char *words) { return rb_obj_freeze(rb_utf8_str_new_cstr(words)); }

static void row(VALUE table, const char *name, int number, const char *shown, const char *words,
                const char *means)
{
    VALUE row = rb_hash_new();
    rb_hash_aset(row, symbol("number"), INT2FIX(number));
    rb_hash_aset(row, symbol("shown"), text(shown));
    rb_hash_aset(row, symbol("words"), text(words));
    rb_hash_aset(row, symbol("means"), text(means));
    rb_hash_aset(table, symbol(name), rb_obj_freeze(row));
}

static VALUE table_of_ops(void)
{
    VALUE ops = rb_hash_new(), flags = rb_hash_new(), part_flags = rb_hash_new();
    VALUE as = rb_hash_new(), operands = rb_ary_new(), table = rb_hash_new();
#define OP_ROW(NAME, name, shown, words, means) row(ops, #name, TJ_OP_##NAME, shown, words, means);
    TJ_OP_TABLE(OP_ROW)
#define FLAG_ROW(NAME, name, words, means) row(flags, #name, TJ_OP_##NAME, "", words, means);
    TJ_OP_FLAG_TABLE(FLAG_ROW)
#define PART_FLAG_ROW(NAME, name) rb_hash_aset(part_flags, symbol(#name), INT2FIX(TJ_PART_##NAME));
    TJ_PART_FLAG_TABLE(PART_FLAG_ROW)
#define AS_ROW(NAME, name, function) rb_hash_aset(as, symbol(#name), INT2FIX(TJ_AS_##NAME));
    TJ_AS_TABLE(AS_ROW)
#define OPERAND_ROW(NAME, name) rb_ary_push(operands, symbol(#name));
    TJ_OPERAND_TABLE(OPERAND_ROW)
    rb_hash_aset(table, symbol("ops"), rb_obj_freeze(ops));
    rb_hash_aset(table, symbol("flags"), rb_obj_freeze(flags));
    rb_hash_aset(table, symbol("part_flags"), rb_obj_freeze(part_flags));
    rb_hash_aset(table, symbol("as"), rb_obj_freeze(as));
    rb_hash_aset(table, symbol("operands"), rb_obj_freeze(operands));
    rb_hash_aset(table, symbol("most_values"), INT2FIX(TJ_PART_SLOTS));
    return rb_obj_freeze(table);
}

void tj_define_part(void)
{
    VALUE klass = rb_define_class_under(tj_mToJson, "Part", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_const(klass, "TABLE", table_of_ops());
    rb_define_singleton_method(klass, "new", part_s_new, 2);
    rb_define_method(klass, "size", part_size, 0);
}
