/* Documents. Many documents by one Writer into one Sink: NDJSON, and JSON text sequences (RFC
 * 7464). */
#include "records.h"

#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../delivery/flush.h"
#include "../values/collection.h"
#include "../values/value.h"
#include "../writer/protect.h"
#include "../writer/contexts.h"

#define RECORD_SEPARATOR 0x1E

static VALUE eDefinition, eCache;

void tj_records_init(void)
{
    eDefinition = rb_const_get(tj_mToJson, rb_intern("DefinitionError"));
    eCache = rb_const_get(tj_mToJson, rb_intern("CacheError"));
    rb_gc_register_mark_object(eDefinition);
    rb_gc_register_mark_object(eCache);
}

struct records {
    VALUE self;  /* the serializer of all records, or Qnil */
    VALUE many;
    VALUE *record; /* the first argument of `call` */
    tj_call call; /* the call of a document of one record */
    const tj_declared *declared; /* NULL: not by declared fields */
    const tj_record_options *options;
    bool values;
    size_t index; /* of the next record */
    size_t start; /* offset of the record that is being written; SIZE_MAX between records */
};

struct record {
    tj_writer *w;
    struct records *records;
};

/* -- one record -------------------------------------------------------------------------------- */

/* The record must be one line: line breaks of a Fragment, which can only be white space, become
 * spaces. */
static void on_one_line(tj_writer *w, size_t start)
{
    uint8_t *from = w->out.start + (start - w->out.flushed), *at;
    for (int i = 0; i < 2; i++)
        for (at = from; (at = memchr(at, i ? '\r' : '\n', (size_t)(w->out.cursor - at))) != NULL;
             at++)
            *at = ' ';
}

/* The block form: calls the block with the words of the DSL. */
static VALUE call_in_place(VALUE argument)
{
    const struct records *r = (const struct records *)argument;
    VALUE arguments = rb_ary_new_from_values(r->call.argc, r->call.argv);
    bool keywords = RTEST(r->call.keywords);
    if (keywords) rb_ary_push(arguments, r->call.keywords);
    int pass = keywords ? RB_PASS_KEYWORDS : RB_NO_KEYWORDS;
    if (r->options->caller) rb_proc_call_kw(r->options->block, arguments, pass);
    else
        rb_funcall_with_block_kw(r->self, rb_intern("instance_exec"), (int)RARRAY_LEN(arguments),
                                 RARRAY_CONST_PTR(arguments), r->options->block, pass);
    RB_GC_GUARD(arguments);
    return Qnil;
}

static VALUE write_body(VALUE argument)
{
    struct record *record = (struct record *)argument;
    tj_writer *w = record->w;
    struct records *r = record->records;
    if (TJ_UNLIKELY(RTEST(w->failed_ahead))) rb_exc_raise(w->failed_ahead);
    if (r->values) {
        tj_begin_value(w);
        tj_write_value(w, *r->record);
    } else {
        w->frames[0].scope = *r->record;
        if (r->options->caller) tj_runs_code(w, r->self);
        if (NIL_P(r->options->block)) tj_serialize(w, r->self, &r->call, r->declared);
        else if (r->options->receiver || r->options->caller)
            tj_variables_in_block(&w->variables, call_in_place, (VALUE)r);
        else {
            VALUE arguments[2] = {r->self, *r->record};
            rb_proc_call_kw(r->options->block, rb_ary_new_from_values(2, arguments),
                            RB_NO_KEYWORDS);
        }
    }
    /* the call may be parked in a Fiber and outlive the document: then `r` is gone */
    tj_check_alive(w);
    if (TJ_UNLIKELY(w->blocked)) tj_raise_blocked(r->self, w);
    tj_end_root(w);
    return Qnil;
}

/* Writes what on_error: returned for the record that failed. */
static VALUE instead_body(VALUE argument)
{
    struct record *record = (struct record *)argument;
    tj_begin_value(record->w);
    tj_write_value(record->w, *record->records->record);
    return Qnil;
}

static void begin(tj_writer *w, struct records *r, size_t start)
{
    w->delivery.hold_from = r->start = start;
    tj_grammar_reset(&w->grammar, w->grammar.max_nesting);
    if (r->options->sequence) tj_write_byte(w, RECORD_SEPARATOR);
}

static void end(tj_writer *w, struct records *r, size_t start)
{
    if (TJ_UNLIKELY(w->blocked & TJ_POISONED)) tj_raise_poisoned(w);
    if (TJ_UNLIKELY(!tj_buffer_holds(&w->out, start))) tj_raise_too_late();
    on_one_line(w, start);
    tj_write_byte(w, '\n');
    w->delivery.hold_from = r->start = SIZE_MAX;
    w->record = r->index;
    if (TJ_UNLIKELY(w->delivery.flush_interval != 0 || tj_buffer_used(&w->out) > tj_chunk_of(w)))
        tj_record_ended_cold(w);
}

/* Takes the record back to the mark before it. */
static void take_back(tj_writer *w, struct records *r, const tj_mark *mark)
{
    tj_mark_restore(w, mark);
    r->start = SIZE_MAX;
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    tj_helpers_leave_unused(w);
}

/* Calls on_error:. No word of the DSL may write meanwhile, because the place of the record is
 * taken. Runs Ruby. */
static VALUE said_of(tj_writer *w, struct records *r, VALUE error)
{
    if (r->options->on_error == Qfalse) return Qnil;
    VALUE arguments[3] = {error, *r->record, SIZET2NUM(r->index - 1)};
    w->blocked |= TJ_VALUE_DUE;
    tj_variables_give(&w->variables);
    VALUE instead = rb_funcallv(r->options->on_error, rb_intern("call"), 3, arguments);
    tj_check_alive(w);
    tj_variables_take(&w->variables);
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    return instead;
}

/* Whether the error concerns this record only. An error of the serializer or of the cache store
 * concerns all. */
static bool is_of_record(VALUE error)
{
    if (!RTEST(rb_obj_is_kind_of(error, rb_eStandardError))) return false;
    return !RTEST(rb_obj_is_kind_of(error, eDefinition)) &&
           !RTEST(rb_obj_is_kind_of(error, eCache)) &&
           !RTEST(rb_attr_get(error, rb_intern("@__to_json_store")));
}

/* A record failed: asks on_error: what to write instead. */
static void write_instead(tj_writer *w, struct records *r, const tj_mark *mark, int state,
                          VALUE errinfo)
{
    VALUE error = rb_errinfo();
    bool ours = state == TJ_STATE_RAISE && !(w->blocked & (TJ_IDLE | TJ_POISONED)) &&
                !w->delivery.failed && is_of_record(error);
    if (!ours) rb_jump_tag(state);
    int left = tj_locate(w, error);
    take_back(w, r, mark);
    if (TJ_UNLIKELY(left)) rb_jump_tag(left);
    rb_set_errinfo(errinfo);
    VALUE instead = said_of(w, r, error);
    if (!RTEST(instead)) {
        w->record = r->index;
        return;
    }
    *r->record = instead;
    begin(w, r, mark->offset);
    struct record record = {w, r};
    instead_body((VALUE)&record);
    end(w, r, mark->offset);
    RB_GC_GUARD(error);
    RB_GC_GUARD(instead);
}

static void write_record(tj_writer *w, VALUE item, void *data)
{
    struct records *r = *(struct records **)data;
    struct record record = {w, r};
    size_t start = tj_buffer_offset(&w->out);
    *r->record = item;
    w->record = r->index++;
    if (TJ_LIKELY(NIL_P(r->options->on_error))) {
        begin(w, r, start);
        write_body((VALUE)&record);
        end(w, r, start);
        return;
    }
    tj_grammar_reset(&w->grammar, w->grammar.max_nesting);
    tj_mark mark = tj_mark_take(w);
    VALUE errinfo = rb_errinfo();
    int state = 0;
    begin(w, r, start);
    state = tj_try(w, write_body, (VALUE)&record);
    if (TJ_LIKELY(state == 0)) end(w, r, start);
    else write_instead(w, r, &mark, state, errinfo);
}

/* -- all records ------------------------------------------------------------------------------- */

/* Writes a record whose cached parts were looked up with those of others. */
static void write_looked_up(tj_writer *w, VALUE item, void *data)
{
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    write_record(w, item, data);
    w->blocked |= TJ_VALUE_DUE;
}

/* Uses a PartCache, which yields the records in turn. No word of the DSL may write while it looks
 * up their parts. */
static void write_cached(tj_writer *w, struct records *r)
{
    const tj_declared *declared = r->declared;
    VALUE arguments[] = {w->self, r->self, r->many, declared->mask,
                         NIL_P(r->options->on_error) ? Qfalse : Qtrue};
    w->blocked |= TJ_VALUE_DUE;
    tj_each_yielded(w, tj_plan_get(declared->plan)->code, rb_intern("records"), 5, arguments,
                    write_looked_up, &r, sizeof r);
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
}

static void write_rows(tj_writer *w, VALUE list, void *data)
{
    long size = NUM2LONG(rb_funcallv(list, rb_intern("size"), 0, NULL));
    for (long i = 0; i < size; i++) {
        VALUE index = LONG2FIX(i);
        write_record(w, rb_funcallv(list, rb_intern("[]"), 1, &index), data);
    }
}

/* Whether nobody gets the records but the Plan. */
static bool may_be_rows(const struct records *r)
{
    return r->declared && !tj_plan_get(r->declared->plan)->imperative &&
           (NIL_P(r->options->on_error) || r->options->on_error == Qfalse);
}

static VALUE all_body(VALUE argument)
{
    struct record *all = (struct record *)argument;
    struct records *r = all->records;
    if (may_be_rows(r)) r->many = tj_rows_of(all->w, &r->call, r->declared);
    if (tj_is_row_list(r->many)) tj_each_list(all->w, r->many, write_rows, &all->records);
    else if (r->declared && tj_plan_get(r->declared->plan)->cached) write_cached(all->w, r);
    else tj_each(all->w, r->many, write_record, &all->records, sizeof all->records);
    return Qnil;
}

static VALUE deliver_body(VALUE argument)
{
    tj_deliver_all((tj_writer *)argument);
    return Qnil;
}

/* Delivers the whole records before the one that failed, and then the exception continues. Not for
 * an error of the Sink itself, nor for a kill, a throw or an interrupt. */
static void deliver_whole(tj_writer *w, const struct records *r)
{
    VALUE error = rb_errinfo();
    if ((w->blocked & (TJ_IDLE | TJ_DELIVERING)) || w->delivery.failed || !RTEST(w->sink) ||
        !RTEST(rb_obj_is_kind_of(error, rb_eStandardError)))
        return;
    int left = tj_locate(w, error);
    if (TJ_UNLIKELY(left)) rb_jump_tag(left);
    if (r->start != SIZE_MAX && !tj_take_back(w, r->start)) return;
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    int failed = 0;
    tj_rb_protect(deliver_body, (VALUE)w, &failed);
    if (failed &&
        (failed != TJ_STATE_RAISE || !RTEST(rb_obj_is_kind_of(rb_errinfo(), rb_eStandardError))))
        rb_jump_tag(failed);
    rb_set_errinfo(error); /* report the first error */
    RB_GC_GUARD(error);
}

static void write_all(tj_writer *w, void *data)
{
    struct record all = {w, data};
    int state = 0;
    tj_lay_out(w, NULL); /* a record is one line */
    w->record = 0;
    tj_rb_protect(all_body, (VALUE)&all, &state);
    if (TJ_LIKELY(state == 0)) return;
    if (state == TJ_STATE_RAISE) deliver_whole(w, data);
    rb_jump_tag(state);
}

static void check_many(VALUE klass, const tj_call *call)
{
    if (call->argc == 0)
        rb_raise(rb_eArgError,
                 "pass an Array, a relation or another Enumerable: its elements are the records");
    if (call->argc > 1 && NIL_P(klass)) rb_error_arity(call->argc, 1, 1);
    bool many = call->collection != Qundef && !NIL_P(call->collection) ? RTEST(call->collection)
                                                                       : tj_is_many(call->argv[0]);
    if (!many && RTEST(rb_obj_is_kind_of(call->argv[0], tj_mSerialize)))
        tj_raise(
            NULL, tj_eUnsupported,
            "a serializer is one document, but many records are expected. "
            "Call its class: %" PRIsVALUE
            ".ndjson(posts).",
            rb_obj_class(call->argv[0]));
    if (!many)
        tj_raise(
            NULL, tj_eUnsupported,
            "%" PRIsVALUE
            " is not a collection. "
            "Pass an Array, a relation or another Enumerable, or [object] for one record.",
            tj_class_words(call->argv[0]));
}

/* Finds out what writes the records; returns true for declared fields. The root of a class is not
 * used; root: is used for each record. */
static bool records_of(VALUE klass, tj_call *call, tj_declared *declared)
{
    check_many(klass, call);
    if (NIL_P(klass)) return false;
    if (call->meta != Qundef && RTEST(call->meta))
        rb_raise(
            rb_eArgError,
            "meta: is written beside the data of one document, and these are many. "
            "Write it as a separate record.");
    call->collection = call->meta = Qundef;
    bool root = call->root != Qundef && !NIL_P(call->root);
    if (!tj_declared_of(klass, call, declared)) {
        tj_refuse_declared_keywords(call);
        return false;
    }
    tj_check_count(declared, call);
    if (!root) declared->root_one = Qnil;
    declared->meta = Qnil;
    declared->many = 0;
    return true;
}

void tj_check_records(VALUE klass, const tj_call *call)
{
    tj_call copy = *call;
    tj_declared declared;
    records_of(klass, &copy, &declared);
    tj_check_delivery(klass, call);
}

VALUE tj_run_records(VALUE klass, const tj_call *call, const tj_record_options *options)
{
    struct records r = {
        .self = Qnil, .call = *call, .options = options, .values = NIL_P(klass), .start = SIZE_MAX};
    tj_declared declared;
    if (records_of(klass, &r.call, &declared)) r.declared = &declared;
    VALUE kept = Qfalse; /* on the heap, because the stack of a Fiber is small */
    r.record = ALLOCV_N(VALUE, kept, call->argc);
    memcpy(r.record, call->argv, sizeof(VALUE) * (size_t)call->argc);
    r.call.argv = r.record;
    r.many = call->argv[0];
    if (options->receiver) r.self = options->receiver->self;
    else if (options->caller) {
        r.self = options->caller;
        tj_arguments_of(r.self); /* as tj_bind_serializer needs them */
        klass = rb_obj_class(r.self);
    } else if (!r.values && (!r.declared || tj_plan_get(declared.plan)->serializer))
        r.self = tj_fresh_serializer(call->pool, klass);
    VALUE result = tj_run_other(r.self, klass, &r.call, r.declared, options->receiver, write_all,
                                &r);
    if (r.declared) RB_GC_GUARD(declared.mask);
    RB_GC_GUARD(r.many);
    RB_GC_GUARD(r.self);
    ALLOCV_END(kept);
    return result;
}
