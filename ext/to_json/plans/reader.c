/* Plans. The readers of put_fields. A client may choose the fields, so the number of lists has no
 * limit. A list is compiled after COMPILE_AFTER calls, and a Ractor compiles at most MOST_COMPILED
 * lists. The fields of all others are read one by one. What is compiled stays, because the YJIT of
 * Ruby 3.1 cannot free code. */
#include "reader.h"

#include "../writer/errors.h"
#include "item.h"
#include "../writer/string.h"

#define COMPILE_AFTER 3
#define MOST_COMPILED 128
#define PROBES 4

static VALUE mFieldReader, cPart;

static void mark_readers(tj_pool *pool)
{
    for (size_t i = 0; i < TJ_READER_SLOTS; i++) {
        const tj_reader *reader = &pool->readers[i];
        if (!reader->module) continue;
        rb_gc_mark(reader->module);
        rb_gc_mark(reader->part);
        for (int field = 0; field < reader->count; field++)
            rb_gc_mark(reader->list[field]); /* pins; the names are the part's */
    }
}

static void free_readers(tj_pool *pool)
{
    for (size_t i = 0; i < TJ_READER_SLOTS; i++) ruby_xfree(pool->readers[i].list);
    ruby_xfree(pool->readers);
}

void tj_reader_init(void)
{
    mFieldReader = rb_const_get(tj_mToJson, rb_intern("FieldReader"));
    cPart = rb_const_get(tj_mToJson, rb_intern("Part"));
    rb_gc_register_mark_object(mFieldReader); /* defined in Ruby: compaction would move them */
    rb_gc_register_mark_object(cPart);
    tj_later_rooms.mark_readers = mark_readers;
    tj_later_rooms.free_readers = free_readers;
}

static uint64_t hash_of(const tj_fields *fields)
{
    uint64_t hash = (uint64_t)fields->count;
    for (int i = 0; i < fields->count; i++) {
        hash = (hash ^ fields->sources[i]) * 0x9E3779B97F4A7C15u;
        hash = ((hash >> 29) ^ hash ^ (fields->names[i] << 1)) * 0xBF58476D1CE4E5B9u;
    }
    return hash ^ (hash >> 32);
}

static bool same(const tj_reader *reader, uint64_t hash, const tj_fields *fields)
{
    size_t bytes = (size_t)fields->count * sizeof(VALUE);
    return reader->hash == hash && reader->count == fields->count &&
           memcmp(reader->list, fields->sources, bytes) == 0 &&
           memcmp(reader->list + fields->count, fields->names, bytes) == 0;
}

static void remember(tj_reader *reader, uint64_t hash, const tj_fields *fields)
{
    size_t bytes = (size_t)fields->count * sizeof(VALUE);
    VALUE *list = ruby_xmalloc(2 * bytes + 1);
    memcpy(list, fields->sources, bytes);
    memcpy(list + fields->count, fields->names, bytes);
    ruby_xfree(reader->list);
    *reader = (tj_reader){.hash = hash, .count = fields->count, .list = list};
}

/* Generated code is UTF-8: names of other encodings are read field by field. */
static bool names_in_source(const tj_fields *fields)
{
    for (int i = 0; i < fields->count; i++) {
        VALUE name = rb_sym2str(fields->sources[i]);
        if (!rb_enc_str_asciionly_p(name) && !tj_string_known(name)) return false;
    }
    return true;
}

/* A module that reads the fields, Qtrue if C reads them, or Qfalse if they must be read one by one.
 * Each module has a singleton class, and two Ractors that make singleton classes at once corrupt
 * Ruby's memory (3.1 to 3.4). So only the main Ractor makes modules. May run Ruby. */
static VALUE module_for(const tj_pool *pool, const tj_fields *fields)
{
    if (fields->count <= TJ_DIRECT_FIELDS) return Qtrue;
    if (!pool->main || !names_in_source(fields)) return Qfalse;
    return rb_funcall(mFieldReader, rb_intern("build"), 1,
                      rb_ary_new_from_values(fields->count, fields->sources));
}

static TJ_COLD bool compile_cold(tj_pool *pool, tj_reader *reader, const tj_fields *fields)
{
    reader->refused = true;
    if (pool->readers_compiled >= MOST_COMPILED) return false;
    VALUE part = tj_part_of_names(cPart, fields->count, fields->names);
    VALUE module = NIL_P(part) ? Qfalse : module_for(pool, fields);
    if (!RTEST(module)) return false;
    if (!same(reader, hash_of(fields), fields))
        return false; /* another list took the slot while Ruby ran */
    pool->readers_compiled++;
    /* Makes dynamic Symbols immortal, as generated Ruby does. */
    for (int i = 0; i < fields->count && i < TJ_DIRECT_FIELDS; i++)
        reader->direct[i] = rb_sym2id(fields->sources[i]);
    reader->part = part;
    reader->module = module;
    reader->refused = false;
    return true;
}

const tj_reader *tj_reader_of(tj_pool *pool, const tj_fields *fields)
{
    if (!fields->symbols || fields->count < 2) return NULL;
    const tj_reader *recent = pool->recent_reader;
    if (TJ_LIKELY(recent != NULL && recent->list[0] == fields->sources[0] &&
                  same(recent, recent->hash, fields)))
        return recent;
    if (!pool->readers) pool->readers = ruby_xcalloc(TJ_READER_SLOTS, sizeof(tj_reader));
    uint64_t hash = hash_of(fields);
    tj_reader *reader = NULL;
    for (size_t probe = 0; probe < PROBES; probe++) {
        tj_reader *slot = &pool->readers[(hash + probe) & (TJ_READER_SLOTS - 1)];
        if (slot->list && same(slot, hash, fields)) {
            if (TJ_LIKELY(slot->module)) return pool->recent_reader = slot;
            reader = slot;
            break;
        }
        if (!reader && !slot->module)
            reader = slot; /* not compiled, so another list may take the slot */
    }
    if (!reader) return NULL;
    if (!reader->list || !same(reader, hash, fields)) remember(reader, hash, fields);
    if (reader->refused || ++reader->seen < COMPILE_AFTER) return NULL;
    return compile_cold(pool, reader, fields) ? reader : NULL;
}

void tj_read_and_emit(const tj_reader *reader, tj_writer *w, VALUE object)
{
    VALUE module = reader->module, part = reader->part, writer = w->self;
    w->running++; /* an exception leaves this count too high; then the pool does not keep that
                     Writer */
    if (reader->count <= TJ_DIRECT_FIELDS) {
        int count = reader->count;
        VALUE values[TJ_DIRECT_FIELDS];
        for (int i = 0; i < count; i++)
            values[i] = rb_funcallv_public(object, reader->direct[i], 0, NULL);
        tj_check_alive(w);
        if (TJ_UNLIKELY(w->blocked & TJ_POISONED)) tj_raise_poisoned(w);
        tj_item(w, RTYPEDDATA_DATA(part), count, values);
    } else {
        VALUE arguments[3] = {writer, part, object};
        rb_funcallv(module, rb_intern("read"), 3, arguments);
    }
    w->running--;
    RB_GC_GUARD(part);
    RB_GC_GUARD(writer);
}
