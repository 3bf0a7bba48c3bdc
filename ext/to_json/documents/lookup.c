/* Documents. Follows the names that lib/to_json/declaring/lookup.rb takes apart, through Ruby's
 * constants. That file says which names are tried. */
#include "lookup.h"

#include "../values/collection.h"
#include "../writer/binding.h"
#include "../writer/string.h"

static VALUE cLookup;
static ID id_class, id_abstract_class;

void tj_lookup_init(void)
{
    cLookup = rb_define_class_under(tj_mToJson, "Lookup", rb_cObject);
    rb_gc_register_mark_object(cLookup);
    id_class = rb_intern("class");
    id_abstract_class = rb_intern("abstract_class?");
}

VALUE tj_class_of_value(VALUE value)
{
    VALUE real = rb_obj_class(value);
    if (TJ_LIKELY(rb_method_boundp(CLASS_OF(value), id_class, TJ_PUBLICLY)) &&
        TJ_LIKELY(rb_funcallv(value, id_class, 0, NULL) == real))
        return real;
    return rb_funcall(cLookup, rb_intern("class_of"), 1, value);
}

/* rb_method_basic_definition_p does not know Kernel#class, which is written in Ruby. */
bool tj_says_its_class(VALUE value)
{
    if (!rb_method_boundp(CLASS_OF(value), id_class, TJ_PUBLICLY)) return false;
    VALUE method = rb_obj_method(value, ID2SYM(id_class));
    return rb_funcall(method, rb_intern("owner"), 0) == rb_mKernel;
}

/* The name of the class, or of the nearest superclass that has one, or nil. */
static VALUE home_of(VALUE serializer_class)
{
    while (tj_allocates(serializer_class)) {
        VALUE name = rb_mod_name(serializer_class);
        if (!NIL_P(name) && !tj_string_begins_with(name, '#')) return name;
        serializer_class = rb_class_superclass(serializer_class);
    }
    return Qnil;
}

/* The path of two names: [count of scopes, *scopes, *names], Symbols all; or nil if no constant can
 * have such a name. A name is followed each time, but taken apart once. */
static VALUE path_of(tj_pool *pool, VALUE home, VALUE name)
{
    tj_route *route = tj_route_at(pool, home, name);
    if (TJ_LIKELY(route->name == name && route->home == home)) return route->path;
    VALUE path = rb_funcall(cLookup, rb_intern("path"), 2, home, name);
    *tj_route_at(pool, home, name) = (tj_route){home, name, path};
    return path;
}

/* The constant of that name in the scope itself, or Qundef. May run Ruby (autoload). */
static VALUE constant_at(VALUE scope, VALUE name)
{
    ID id = rb_sym2id(name);
    return rb_const_defined_at(scope, id) ? rb_const_get_at(scope, id) : Qundef;
}

static bool is_scope(VALUE v) { return RB_TYPE_P(v, T_MODULE) || RB_TYPE_P(v, T_CLASS); }

/* The serializer at the end of the path, in the innermost scope that has one; or Qfalse. Nothing is
 * inherited on the way: Api::String is not ::String. */
static VALUE follow(VALUE path)
{
    long outer = FIX2LONG(RARRAY_AREF(path, 0)), size = RARRAY_LEN(path), depth = 0;
    VALUE memory, found = Qfalse, *scopes = ALLOCV_N(VALUE, memory, outer + 1);
    scopes[0] = rb_cObject;
    while (depth < outer) {
        VALUE scope = constant_at(scopes[depth], RARRAY_AREF(path, depth + 1));
        if (scope == Qundef || !is_scope(scope)) break;
        scopes[++depth] = scope;
    }
    for (; depth >= 0 && found == Qfalse; depth--) {
        VALUE at = scopes[depth];
        for (long i = outer + 1; i < size && at != Qundef; i++)
            at = is_scope(at) ? constant_at(at, RARRAY_AREF(path, i)) : Qundef;
        if (at != Qundef && tj_allocates(at)) found = at;
    }
    ALLOCV_END(memory);
    RB_GC_GUARD(path);
    return found;
}

VALUE tj_follow_path(VALUE path)
{
    Check_Type(path, T_ARRAY);
    long size = RARRAY_LEN(path), outer = size > 0 ? NUM2LONG(RARRAY_AREF(path, 0)) : -1;
    if (outer < 0 || outer >= size) rb_raise(rb_eArgError, "a path is due");
    for (long i = 1; i < size; i++) Check_Type(RARRAY_AREF(path, i), T_SYMBOL);
    VALUE found = follow(path);
    return found == Qfalse ? Qnil : found;
}

/* Where the superclasses of a value's class end: see Lookup#each_name. */
static bool ends(VALUE type, VALUE name)
{
    if (type == rb_cObject || type == rb_cBasicObject || type == rb_cStruct || NIL_P(name))
        return true;
    if (TJ_LIKELY(!rb_method_boundp(CLASS_OF(type), id_abstract_class, TJ_PUBLICLY))) return false;
    return tj_string_is(name, "ActiveRecord::Base") ||
           RTEST(rb_funcallv(type, id_abstract_class, 0, NULL));
}

VALUE tj_serializer_for_class(tj_pool *pool, VALUE serializer_class, VALUE type)
{
    VALUE home = home_of(serializer_class);
    for (VALUE at = type; !NIL_P(at); at = rb_class_superclass(at)) {
        VALUE name = rb_mod_name(at);
        if (ends(at, name)) break;
        VALUE path = path_of(pool, home, name), found = NIL_P(path) ? Qfalse : follow(path);
        if (TJ_LIKELY(found != Qfalse)) return found;
        if (NIL_P(path)) break;
    }
    /* Ruby says what was tried */
    return rb_funcall(cLookup, rb_intern("of_class"), 3, serializer_class, Qnil, type);
}
