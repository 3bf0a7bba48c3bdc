/* LowerBound::Words has `put`: each asks whether a document is open, whether its key is one from
 * the source, and for room. What a block began that is left early is taken back. Trusted are the
 * order of words (a pair in an array, a word after the end), Rules and the kinds of values. */
#include "buffer.h"

enum { KEY_SIZE = 32, KEYS = 1 << 16 };

/* By the Symbol's number, without collisions up to 65,536 Symbols. */
static struct key {
    VALUE symbol;
    size_t size;
    char text[KEY_SIZE]; /* `,"key":` */
} keys[KEYS];

static __attribute__((noinline, cold)) void learn_key(struct key *key, VALUE symbol)
{
    const char *name = rb_id2name(SYM2ID(symbol));
    key->size = (size_t)snprintf(key->text, KEY_SIZE, ",\"%s\":", name);
    if (key->size >= KEY_SIZE || strpbrk(name, "\"\\")) unwritable("such a key");
    key->symbol = symbol;
}

static inline char *write_key(char *at, VALUE symbol)
{
    struct key *key = &keys[(symbol >> 12) % KEYS];
    if (RB_UNLIKELY(key->symbol != symbol)) learn_key(key, symbol);
    memcpy(at, key->text, KEY_SIZE);
    return at + key->size;
}

static VALUE yield_nothing(VALUE unused) { return rb_yield_values(0); }

/* put(key, value), or put(key) { … }: the comma of the block's first pair becomes the brace. */
static VALUE put_into(buffer *b, int argc, const VALUE *argv)
{
    bool pair = b && argc >= 1 && argc <= 2 && RB_STATIC_SYM_P(argv[0]);
    if (RB_UNLIKELY(!pair)) unwritable("such a pair");
    if (RB_UNLIKELY(2 * KEY_SIZE > b->limit - b->cursor)) unwritable("room");
    char *at = write_key(b->cursor, argv[0]);
    if (argc == 2) {
        b->cursor = write_value(b, at, argv[1]);
        return Qnil;
    }
    size_t start = (size_t)(b->cursor - b->text), place = (size_t)(at - b->text);
    int left;
    b->cursor = at;
    rb_protect(yield_nothing, Qnil, &left);
    if (RB_UNLIKELY(left)) {
        if (b->at_work) b->cursor = b->text + start;
        rb_jump_tag(left);
    }
    if (RB_UNLIKELY(!b->at_work)) unwritable("block that ends the document");
    if (b->cursor == b->text + place) b->cursor++;
    b->text[place] = '{';
    *b->cursor++ = '}';
    return Qnil;
}

static VALUE finish_object(buffer *b)
{
    if (b->cursor == b->text) b->cursor++;
    b->text[0] = '{';
    *b->cursor++ = '}';
    return finished(b);
}

static void words_mark(void *data)
{
    if (data) rb_gc_mark(((buffer *)data)->self);
}

static const rb_data_type_t words_type = {
    .wrap_struct_name = "LowerBound words",
    .function = {.dmark = words_mark},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE words_allocate(VALUE klass)
{
    return rb_data_typed_object_wrap(klass, NULL, &words_type);
}

static VALUE words_restart(VALUE self)
{
    if (RTYPEDDATA_DATA(self)) unwritable("serializer that writes another document");
    buffer *b = take();
    RTYPEDDATA_DATA(self) = b;
    RB_OBJ_WRITTEN(self, Qundef, b->self);
    return self;
}

static VALUE words_start(VALUE klass) { return words_restart(words_allocate(klass)); }

static VALUE words_put(int argc, VALUE *argv, VALUE self)
{
    return put_into(RTYPEDDATA_DATA(self), argc, argv);
}

static VALUE words_left(VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    if (!b) return Qnil;
    give_back(b); /* which may collect garbage: until then self keeps it */
    RTYPEDDATA_DATA(self) = NULL;
    return Qnil;
}

static VALUE words_finish(VALUE self)
{
    if (RB_UNLIKELY(!RTYPEDDATA_DATA(self))) unwritable("document that is open");
    VALUE text = finish_object(RTYPEDDATA_DATA(self));
    words_left(self);
    return text;
}

static void define_words(VALUE base)
{
    VALUE words = rb_define_class_under(base, "Words", rb_cObject);
    rb_define_alloc_func(words, words_allocate);
    rb_define_singleton_method(words, "start", words_start, 0);
    rb_define_method(words, "restart", words_restart, 0);
    rb_define_method(words, "put", words_put, -1);
    rb_define_method(words, "finish", words_finish, 0);
    rb_define_method(words, "left", words_left, 0);
}
