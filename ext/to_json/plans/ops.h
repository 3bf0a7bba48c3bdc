/* Plans. The one table of what a Part is made of. The enums of C come from it, and the dispatch of
 * item.c and item_cold.c. Ruby has it as ToJson::Part::TABLE (classes/part_class.c), for the
 * compiler and `explain`. test/plans/ops_test.rb compares docs/internals/plans.md with it. The
 * number of an entry is its place. */
#ifndef TJ_OPS_H
#define TJ_OPS_H

/* OP(NAME, name, what `explain` shows after the key, its words in `explain`, what it writes) */
#define TJ_OP_TABLE(OP) \
    OP(VALUE, value, "…", "read and written in one go", "a key and a value") \
    OP(OPEN, open, "{", "fused: part of this object's native call", \
       "a key and an object of the next ops; for nil `null`, and these are skipped") \
    OP(END, end, "", "", "the end of that object") \
    OP(LIST, list, "…", "a loop, one native call an element or more", \
       "a key and an array that stays open; the last op") \
    OP(SLOT, slot, "…", "by code of its own", \
       "a key whose value another call writes; the last op") \
    OP(IDENTIFIERS, identifiers, "…", "written as identifiers", \
       "a key, and an identifier for an id, an array of these for an Array, `null` for nil") \
    OP(IDENTIFIER, identifier, "", "", \
       "the text before each of these ids; follows `identifiers`, takes no value")

/* FLAG(NAME, name, its words in `explain`, what it means). The options of a field, in the order in
 * which they are applied. flags.h has a function for each. */
#define TJ_FIELD_FLAG_TABLE(FLAG) \
    FLAG(DEFAULT, default, "a default for nil", "nil is written as the default") \
    FLAG(OPTIONAL, optional, "", \
         "no pair for `SKIP`, the value of a condition that does not hold") \
    FLAG(SKIP_NIL, skip_nil, "no key for nil", "no pair for nil") \
    FLAG(SKIP_BLANK, skip_blank, "no key for a blank value", "no pair for a blank value")

/* The same for facts that part_layout.rb computes about an op. */
#define TJ_LAYOUT_FLAG_TABLE(FLAG) \
    FLAG(DYNAMIC, dynamic, "", "whether the comma is due depends on the ops before") \
    FLAG(SAME, same, "", "of `open`: the object is the one around it")

#define TJ_OP_FLAG_TABLE(FLAG) TJ_FIELD_FLAG_TABLE(FLAG) TJ_LAYOUT_FLAG_TABLE(FLAG)

/* AS(NAME, name, the function of item.c that writes the values that need no Ruby). All others are
 * converted by the method of that name in lib/to_json/values/conversion.rb. */
#define TJ_AS_TABLE(AS) \
    AS(STRING, string, as_string) \
    AS(INTEGER, integer, as_integer) \
    AS(FLOAT, float, as_float) \
    AS(BOOLEAN, boolean, as_boolean) \
    AS(DATE, date, as_ruby_has_it) \
    AS(TIME, time, as_time) \
    AS(FRAGMENT, fragment, as_ruby_has_it)

/* OPERAND(NAME, name): the members of the description of an op, which part_layout.rb makes. `plain`
 * and `safe`: the text before its value, and the same text HTML-safe. `source`: the key in a Hash,
 * nil if Ruby must read the value. */
#define TJ_OPERAND_TABLE(OPERAND) \
    OPERAND(KIND, kind) \
    OPERAND(PLAIN, plain) \
    OPERAND(SAFE, safe) \
    OPERAND(NAME, name) \
    OPERAND(AS, as) \
    OPERAND(FLAGS, flags) \
    OPERAND(SOURCE, source) \
    OPERAND(FORMAT, format) \
    OPERAND(DEFAULT, default)

/* FLAG(NAME, name) of a Part. */
#define TJ_PART_FLAG_TABLE(FLAG) \
    FLAG(BEGINS, begins) /* the object begins here, at an empty level */ \
    FLAG(ENDS, ends)     /* and ends here */

#define TJ_KIND(NAME, ...) TJ_OP_##NAME,
enum tj_op_kind { TJ_OP_TABLE(TJ_KIND) TJ_OP_KINDS };

#define TJ_BIT(NAME, ...) TJ_BIT_##NAME,
enum { TJ_OP_FLAG_TABLE(TJ_BIT) TJ_OP_FLAGS };
#define TJ_FLAG(NAME, ...) TJ_OP_##NAME = 1 << TJ_BIT_##NAME,
enum tj_op_flags { TJ_OP_FLAG_TABLE(TJ_FLAG) };
#define TJ_OR(NAME, ...) | TJ_OP_##NAME
enum { TJ_FIELD_FLAGS = 0 TJ_FIELD_FLAG_TABLE(TJ_OR) };

#define TJ_AS(NAME, ...) TJ_AS_##NAME,
enum tj_as { TJ_AS_IS, TJ_AS_TABLE(TJ_AS) TJ_AS_KINDS };

#define TJ_AT(NAME, name) TJ_AT_##NAME,
enum tj_operand { TJ_OPERAND_TABLE(TJ_AT) TJ_OPERANDS };

enum { TJ_PART_FLAG_TABLE(TJ_BIT) TJ_PART_FLAGS };
#define TJ_PART_FLAG(NAME, name) TJ_PART_##NAME = 1 << TJ_BIT_##NAME,
enum tj_part_flags {
    TJ_PART_FLAG_TABLE(TJ_PART_FLAG)
    TJ_PART_WHOLE = (1 << TJ_PART_FLAGS) - 1,
    TJ_PART_PLAIN = 1 << TJ_PART_FLAGS /* WHOLE, of bare values behind short texts: part.c */
};

#endif
