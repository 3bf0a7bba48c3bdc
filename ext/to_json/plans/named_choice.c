/* Plans. Reads `only:` and `except:` as ToJson::Selection does, but into bits and without objects.
 * If it gives up, the caller asks Ruby. */
#include "named_choice.h"

#include "../writer/string.h"

/* The most objects whose fields one choice names: `author(name,town(zip))` names those of three. */
#define LEVELS 8
/* A longer String is left to Ruby. */
#define LONGEST_TEXT 1024
/* The most Arrays and Hashes inside each other. */
#define DEEPEST 16

enum { ONLY, EXCEPT };

/* What `only:` and `except:` say of the fields of one object. */
typedef struct {
    VALUE fields; /* NamedFields */
    uint64_t at; /* the bit of the association around it */
    int around; /* the level of that association */
    bool said[2]; /* by `only:`, by `except:` */
    uint64_t found[2]; /* bits of the fields that are named */
    uint64_t whole[2]; /* of these, the fields that are named without a part of theirs */
} level;

typedef struct {
    int count;
    bool ran_ruby; /* Ruby ran before all was read */
    level levels[LEVELS];
} choice;

/* The level inside the association of these bits, or -1. May run Ruby, may raise. */
static int inside(choice *c, int around, uint64_t bits, int which)
{
    VALUE fields = tj_named_inside(c->levels[around].fields, bits, &c->ran_ruby);
    if (NIL_P(fields)) return -1;
    uint64_t at = bits & tj_named_whole(tj_named_fields_get(c->levels[around].fields));
    int index = 0;
    while (index < c->count && (c->levels[index].around != around || c->levels[index].at != at))
        index++;
    if (index == LEVELS) return -1;
    if (index == c->count)
        c->levels[c->count++] = (level){.fields = fields, .at = at, .around = around};
    c->levels[index].said[which] = true;
    return index;
}

/* Notes a name. Returns the level inside it if `part`, else `at`, and -1 to give up. */
static int add(choice *c, int at, int which, const uint8_t *name, size_t size, bool part)
{
    level *l = &c->levels[at];
    uint64_t bits = tj_named_bits(tj_named_fields_get(l->fields), name, size);
    if (!bits) return -1;
    l->found[which] |= bits;
    if (part) return inside(c, at, bits, which);
    l->whole[which] |= bits;
    return at;
}

static bool add_symbol(choice *c, int at, int which, VALUE symbol)
{
    VALUE string = rb_sym2str(symbol);
    const uint8_t *name;
    size_t size;
    if (!tj_string_text(string, &name, &size)) return false; /* UTF-16 may look like another name */
    int added = add(c, at, which, name, size, false);
    RB_GC_GUARD(string);
    return added >= 0;
}

/* -- Strings ----------------------------------------------------------------------------------- */

/* The end is a zero byte, which no name has. */
static const uint8_t *skip_spaces(const uint8_t *cursor)
{
    while (*cursor == ' ') cursor++;
    return cursor;
}

/* `name`, `name(names)`, with commas between. Returns what follows, or NULL to give up. */
static const uint8_t *read_names(choice *c, int at, int which, const uint8_t *cursor)
{
    for (;; cursor++) {
        const uint8_t *name = cursor = skip_spaces(cursor);
        while (*cursor > ' ' && *cursor != ',' && *cursor != '(' && *cursor != ')') cursor++;
        size_t size = (size_t)(cursor - name);
        cursor = skip_spaces(cursor);
        bool part = *cursor == '(';
        int inner = size ? add(c, at, which, name, size, part) : -1;
        if (inner < 0) return NULL;
        if (part) {
            cursor = skip_spaces(cursor + 1);
            if (*cursor != ')') cursor = read_names(c, inner, which, cursor);
            if (!cursor || *cursor != ')') return NULL;
            cursor = skip_spaces(cursor + 1);
        }
        if (*cursor != ',') return cursor;
    }
}

static bool add_string(choice *c, int at, int which, VALUE string)
{
    const uint8_t *bytes;
    size_t size;
    if (!tj_string_text(string, &bytes, &size) || size >= LONGEST_TEXT) return false;
    uint8_t text[LONGEST_TEXT]; /* a copy: tj_named_inside may run Ruby */
    memcpy(text, bytes, size);
    text[size] = 0;
    RB_GC_GUARD(string);
    const uint8_t *cursor = skip_spaces(text);
    if (cursor < text + size) cursor = read_names(c, at, which, cursor);
    return cursor == text + size;
}

/* -- other lists ------------------------------------------------------------------------------- */

static bool add_list(choice *c, int at, int which, VALUE given, int depth);

struct adding {
    choice *choice;
    int at, which, depth;
    bool added;
};

/* `name => part` */
static bool add_pair(const struct adding *a, VALUE name, VALUE part)
{
    VALUE string = RB_SYMBOL_P(name) ? rb_sym2str(name) : name;
    if (!tj_is_exact_string(string)) return false;
    const uint8_t *bytes;
    size_t size;
    if (!tj_string_text(string, &bytes, &size)) return false;
    bool whole = NIL_P(part) || part == Qtrue;
    int inner = add(a->choice, a->at, a->which, bytes, size, !whole);
    RB_GC_GUARD(string);
    if (inner < 0) return false;
    return whole || add_list(a->choice, inner, a->which, part, a->depth + 1);
}

static int add_pair_i(VALUE name, VALUE part, VALUE argument)
{
    struct adding *adding = (struct adding *)argument;
    adding->added = add_pair(adding, name, part);
    return adding->added ? ST_CONTINUE : ST_STOP;
}

static bool add_list(choice *c, int at, int which, VALUE given, int depth)
{
    if (RB_SYMBOL_P(given)) return add_symbol(c, at, which, given);
    if (RB_SPECIAL_CONST_P(given) || depth > DEEPEST) return false;
    VALUE klass = RBASIC_CLASS(given);
    if (klass == rb_cString) return add_string(c, at, which, given);
    if (klass == rb_cArray) {
        for (long i = 0; i < RARRAY_LEN(given); i++)
            if (!add_list(c, at, which, RARRAY_AREF(given, i), depth + 1)) return false;
        return true;
    }
    if (klass != rb_cHash) return false;
    struct adding adding = {c, at, which, depth, true};
    rb_hash_foreach(given, add_pair_i, (VALUE)&adding);
    return adding.added;
}

/* -- the Mask ---------------------------------------------------------------------------------- */

/* The Mask of a level. `said` tells whether its `only:` and its `except:` count. Runs Ruby. */
static VALUE mask_of(const choice *c, int at, const bool said[2])
{
    const level *l = &c->levels[at];
    uint64_t bits = tj_named_whole(tj_named_fields_get(l->fields)), parts_at[LEVELS];
    if (said[ONLY]) bits &= l->found[ONLY];
    if (said[EXCEPT]) bits &= ~l->whole[EXCEPT];
    VALUE parts[LEVELS];
    uint32_t count = 0;
    for (int i = at + 1; i < c->count; i++) {
        const level *inner = &c->levels[i];
        if (inner->around != at || !(bits & inner->at)) continue;
        bool counts[2];
        for (int which = ONLY; which <= EXCEPT; which++)
            counts[which] = said[which] && inner->said[which] && !(l->whole[which] & inner->at);
        if (!counts[ONLY] && !counts[EXCEPT]) continue;
        parts_at[count] = inner->at;
        parts[count++] = mask_of(c, i, counts);
    }
    return tj_named_mask(l->fields, bits, count, parts_at, parts);
}

VALUE tj_named_choice(VALUE fields, VALUE only, VALUE except, bool *ran_ruby)
{
    choice c;
    c.count = 1;
    c.ran_ruby = false;
    c.levels[0] = (level){.fields = fields, .around = -1, .said = {!NIL_P(only), !NIL_P(except)}};
    if (!NIL_P(only) && !add_list(&c, 0, ONLY, only, 1)) return Qundef;
    if (!NIL_P(except) && !add_list(&c, 0, EXCEPT, except, 1)) return Qundef;
    *ran_ruby |= c.ran_ruby;
    return mask_of(&c, 0, c.levels[0].said);
}
