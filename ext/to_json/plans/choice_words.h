/* Plans. The words of a choice as bytes: what `view:`, `only:` and `except:` of a call say.
 * choices.c finds a choice by these bytes, without Ruby. */
#ifndef TJ_CHOICE_WORDS_H
#define TJ_CHOICE_WORDS_H

#include "../writer/writer.h"

/* The most bytes of a choice that is kept: those of its names, and a few more for each name. */
#define TJ_LONGEST_CHOICE 1024

/* Two choices are the same if these bytes are. */
typedef struct {
    uint32_t size;
    uint8_t bytes[TJ_LONGEST_CHOICE];
} tj_words;

/* Returns false if a part is neither a Symbol, a String, nil, true, nor an Array or Hash of these,
 * or if all is too long. Runs no Ruby. */
bool tj_words_of(tj_words *words, bool pairs, VALUE view, VALUE only, VALUE except);

/* Copies a value that tj_words_of accepts. Runs no Ruby. */
VALUE tj_words_copy(VALUE given);

/* Does the same as tj_words_of, and replaces *view, *only and *except by copies. Nobody can change
 * the copies while Ruby reads them, so Ruby makes the same choice as the words say. */
bool tj_words_of_copies(tj_words *words, bool pairs, VALUE *view, VALUE *only, VALUE *except);

#endif
