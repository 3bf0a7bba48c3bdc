/* Core. The results that functions of the core return.
 *
 * The core has no ruby.h and no VALUE. It never raises, never calls other rooms and never prints. A
 * function that can fail returns a tj_status and leaves its arguments unchanged, or its comment
 * says how far it came. writer/errors.c is the only file that turns a status into an exception. */
#ifndef TJ_STATUS_H
#define TJ_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
    TJ_OK = 0,
    TJ_FULL,              /* the buffer is full: make room and call again */
    TJ_NO_MEMORY,         /* an allocation failed */
    TJ_TOO_LARGE,         /* a size exceeds size_t */
    TJ_INVALID_UTF8,      /* the bytes are not UTF-8 */
    TJ_INVALID_JSON,      /* the text is not JSON (RFC 8259) */
    TJ_TOO_DEEP,          /* more than max_nesting open containers */
    TJ_NEEDS_KEY,         /* a value where a key is due: the slot holds pairs */
    TJ_NEEDS_VALUE,       /* a key where a value is due: the slot holds values */
    TJ_SLOT_TAKEN,        /* a second value in a slot that takes one */
    TJ_TWO_ROOTS,         /* a second value at the root */
    TJ_NOTHING_OPEN,      /* close without open */
    TJ_UNCLOSED,          /* the document or block ended with open containers */
    TJ_CLOSED_LEVEL       /* a call in the middle of a value that C is writing */
} tj_status;

#define TJ_LIKELY(x) __builtin_expect(!!(x), 1)
#define TJ_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TJ_NOINLINE __attribute__((noinline))
#define TJ_INLINE static inline __attribute__((always_inline))
#define TJ_COLD __attribute__((noinline, cold))

/* Debug builds (TO_JSON_DEBUG=1 for extconf.rb) check what the comments promise. */
#ifdef TJ_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define TJ_ASSERT(condition)                                                            \
    do {                                                                                \
        if (TJ_UNLIKELY(!(condition))) {                                                \
            fprintf(stderr, "%s:%d: to_json: broken promise: %s\n", __FILE__, __LINE__, \
                    #condition);                                                        \
            abort();                                                                    \
        }                                                                               \
    } while (0)
#else
#define TJ_ASSERT(condition) ((void)0)
#endif

#endif
