/* Dialects. What a document of :rails goes by: ActiveSupport's settings as they are now, and which methods are still its own. */
#ifndef TJ_RAILS_H
#define TJ_RAILS_H

#include "../writer/pool.h"
#include "../writer/writer.h"

/* The classes whose as_json we know how to do without. */
enum tj_rails_own {
    OWN_NIL, OWN_TRUE, OWN_FALSE, OWN_INTEGER, OWN_FLOAT, OWN_STRING, OWN_SYMBOL, OWN_ARRAY, OWN_HASH, OWN_TIME, OWN_DATE, OWN_DECIMAL,
    OWN_ZONED, OWN_NONE
};

/* What a document goes by. The Writer's Rules are a copy with what ActiveSupport's settings say now. */
typedef struct tj_rails {
    tj_rules rules;
    const tj_rules *given;
    unsigned looked_at, stands; /* a bit for each of enum own: looked at in this document, and found to be ActiveSupport's */
    int digits;             /* of a second's fraction; -1: times go through their as_json */
    uint8_t met[OWN_NONE];  /* values of each that were asked, see write_inner */
    bool inner;             /* the key of a Hash within as_json is being written */
    bool loaded;            /* ActiveSupport's encoder is there */
    bool coder;             /* the encoder is that of ActiveSupport 8.1, a JSON::Coder */
    bool frozen_options;    /* as_json is given one frozen Hash; before 8.1 each call has a copy */
} tj_rails;

void tj_rails_init(void);

/* ToJson::Dialects::Rails, for what is rare enough to be asked in Ruby. */
VALUE tj_rails_module(void);

/* The `begin` of the family: reads the settings. */
unsigned tj_rails_begin(tj_writer *w);

/* What is escaped from here on. */
void tj_rails_escape_by(tj_writer *w, bool markup, bool separators);

/* Whether `tree`, an Array or a Hash, holds nothing whose as_json gives another thing than it is written as anyway: nil, true, false, numbers,
 * Strings, Symbols, and a few levels of Arrays and Hashes with keys of one kind. *hashes: whether there is a Hash, which options may
 * narrow. Runs Ruby's own methods only. */
bool tj_rails_is_plain(tj_writer *w, VALUE tree, bool *hashes);

/* Exact classes only: an object with a singleton class is OWN_NONE. */
enum tj_rails_own tj_rails_own_of(tj_writer *w, VALUE v);

/* Whether `as_json` of this class, and what it calls, is what ActiveSupport made it. Seen once a document. Runs Ruby's own
 * methods only. */
bool tj_rails_stands(tj_writer *w, enum tj_rails_own own);

#endif
