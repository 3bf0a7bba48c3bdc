/* Dialects. What a :rails document depends on: ActiveSupport's current settings, and which methods
 * are still its own. */
#ifndef TJ_RAILS_H
#define TJ_RAILS_H

#include "../writer/pool.h"
#include "../writer/writer.h"

/* The classes whose as_json need not be called if it is the original. */
enum tj_rails_own {
    OWN_NIL,
    OWN_TRUE,
    OWN_FALSE,
    OWN_INTEGER,
    OWN_FLOAT,
    OWN_STRING,
    OWN_SYMBOL,
    OWN_ARRAY,
    OWN_HASH,
    OWN_TIME,
    OWN_DATE,
    OWN_DECIMAL,
    OWN_ZONED,
    OWN_NONE
};

/* The state of a document. The Rules are a copy, changed by ActiveSupport's settings. */
typedef struct tj_rails {
    tj_rules rules;
    const tj_rules *given;
    /* Bits of enum tj_rails_own. `examined`: this document has looked at the as_json of the class.
     * `stands`: it is ActiveSupport's. */
    unsigned examined, stands;
    int digits;             /* of the fraction of a second; -1: as_json of times is called */
    uint8_t met[OWN_NONE];  /* how many values of each kind had as_json called, see write_inner */
    bool inner;             /* a key of a Hash of the inner pass is being written */
    bool loaded;            /* ActiveSupport's encoder is loaded */
    bool coder;             /* the encoder uses a JSON::Coder, as in ActiveSupport 8.1 */
    bool frozen_options;    /* as_json gets one frozen Hash; before 8.1 each call gets a copy */
} tj_rails;

void tj_rails_init(void);

/* The module ToJson::Dialects::Rails, which treats the rare cases in Ruby. */
VALUE tj_rails_module(void);

/* `begin` of the family: reads the settings. */
unsigned tj_rails_begin(tj_writer *w);

/* Sets which characters are escaped from here on. */
void tj_rails_escape_by(tj_writer *w, bool markup, bool separators);

/* Whether as_json would change nothing in `tree`, an Array or a Hash: it has only nil, true, false,
 * numbers, Strings, Symbols, and a few levels of Arrays and Hashes with keys of one kind. *hashes:
 * it contains a Hash, from which options may remove pairs. Runs only Ruby's own methods. */
bool tj_rails_is_plain(tj_writer *w, VALUE tree, bool *hashes);

/* The kind of `v` if its class is exactly one of those of enum tj_rails_own. OWN_NONE for all other
 * values, and for objects with a singleton class. */
enum tj_rails_own tj_rails_own_of(tj_writer *w, VALUE v);

/* Whether `as_json` of this class, and what it calls, is that of ActiveSupport. Checked once in a
 * document. Runs only Ruby's own methods. */
bool tj_rails_stands(tj_writer *w, enum tj_rails_own own);

#endif
