/* Documents. Follows the names that lib/to_json/declaring/lookup.rb takes apart, through Ruby's
 * constants. That file says which names are tried. */
#include "lookup.h"

#include "../values/collection.h"
#include "../writer/binding.h"
#include "../writer/string.h"

static VALUE cLookup, cData;
static ID id_class, id_abstract_class;

void tj_lookup_init(void)
{
    cLookup = rb_define_class_under(tj_mToJson, "Lookup", rb_cObject);
    rb_gc_register_mark_object(cLookup);
    ID data = rb_intern("Data"); /* Ruby >= 3.2 */
    cData = rb_const_defined(rb_cObject, data) ? rb_const_get(rb_cObject, data) : Qnil;
    rb_gc_register_mark_object(cData);
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

/* The constant of that name in the scope itself, or Qundef. May run Ruby (autoload).
 *
 * `waits`: also a constant that another thread loads now. Ruby does not call it defined then, nor
 * in the child of a fork that came meanwhile: there rb_autoload_load loads it. */
static VALUE constant_at(VALUE scope, VALUE name, bool waits)
{
    ID id = rb_sym2id(name);
    if (rb_const_defined_at(scope, id)) return rb_const_get_at(scope, id);
    if (!waits || !RTEST(rb_funcall(cLookup, rb_intern("awaited?"), 2, scope, name))) return Qundef;
    rb_autoload_load(scope, id);
    return rb_const_defined_at(scope, id) ? rb_const_get_at(scope, id) : Qundef;
}

static bool is_scope(VALUE v) { return RB_TYPE_P(v, T_MODULE) || RB_TYPE_P(v, T_CLASS); }

/* Like tj_follow, from `scope`, to which the first `depth` scopes of the path lead: looks in the
 * scopes inside it first, the innermost of all before the others, and then in `scope`. */
static VALUE follow_in(VALUE scope, VALUE path, long depth, bool waits)
{
    long outer = FIX2LONG(RARRAY_AREF(path, 0)), size = RARRAY_LEN(path), i = outer + 1;
    VALUE at = scope;
    if (depth < outer) {
        VALUE within = RARRAY_AREF(path, depth + 1), inner = constant_at(scope, within, waits);
        if (is_scope(inner)) {
            VALUE found = follow_in(inner, path, depth + 1, waits);
            if (found != Qfalse) return found;
            if (RARRAY_AREF(path, i) == within) { /* often: an Api::User in Api::PostSerializer */
                at = inner;
                i++;
            }
        }
    }
    for (; i < size && at != Qundef; i++)
        at = is_scope(at) ? constant_at(at, RARRAY_AREF(path, i), waits) : Qundef;
    return at != Qundef && tj_allocates(at) ? at : Qfalse;
}

/* Nothing is inherited on the way: Api::String is not ::String. */
VALUE tj_follow(VALUE path, bool waits)
{
    VALUE found = follow_in(rb_cObject, path, 0, waits);
    RB_GC_GUARD(path);
    return found;
}

VALUE tj_follow_path(VALUE path)
{
    Check_Type(path, T_ARRAY);
    long size = RARRAY_LEN(path), outer = size > 0 ? NUM2LONG(RARRAY_AREF(path, 0)) : -1;
    if (outer < 0 || outer + 1 >= size) rb_raise(rb_eArgError, "a path is due");
    for (long i = 1; i < size; i++) Check_Type(RARRAY_AREF(path, i), T_SYMBOL);
    VALUE found = tj_follow(path, tj_pool_current()->main);
    return found == Qfalse ? Qnil : found;
}

/* Whether the search ends before this superclass of a value's class: see Lookup#each_name. */
static bool is_abstract(VALUE type, VALUE name)
{
    if (TJ_LIKELY(!rb_method_boundp(CLASS_OF(type), id_abstract_class, TJ_PUBLICLY))) return false;
    return tj_string_is(name, "ActiveRecord::Base") ||
           RTEST(rb_funcallv(type, id_abstract_class, 0, NULL));
}

static bool is_root(VALUE type)
{
    return type == rb_cObject || type == rb_cBasicObject || type == rb_cStruct || type == cData;
}

/* Whether every later search for the class begins with this path, which is made of `home` and the
 * name of the class. Ruby never changes a name that a constant can have. If `home` is the name of a
 * superclass, the path changes when the serializer class gets a name of its own. */
static bool is_final(VALUE path, VALUE home, VALUE serializer_class)
{
    return RARRAY_AREF(path, 0) != INT2FIX(0) && rb_mod_name(serializer_class) == home;
}

VALUE tj_serializer_for_class(tj_pool *pool, VALUE serializer_class, VALUE type, VALUE *final)
{
    VALUE home = rb_funcall(cLookup, rb_intern("home_of"), 1, serializer_class);
    *final = Qnil;
    for (VALUE at = type; !NIL_P(at) && !is_root(at); at = rb_class_superclass(at)) {
        VALUE name = rb_mod_name(at);
        if (NIL_P(name) || (at != type && is_abstract(at, name))) break;
        VALUE path = path_of(pool, home, name);
        VALUE found = NIL_P(path) ? Qfalse : tj_follow(path, pool->main);
        if (TJ_LIKELY(found != Qfalse)) {
            if (at == type && is_final(path, home, serializer_class)) *final = path;
            return found;
        }
        if (NIL_P(path)) break;
    }
    /* Ruby says what was tried */
    return rb_funcall(cLookup, rb_intern("of_class"), 3, serializer_class, Qnil, type);
}
