/* Core, layer 1 of 10. The one vocabulary in which the native core answers.
 *
 * The core has no ruby.h and no VALUE. It never raises, never calls out and never prints: every
 * function that can fail returns a tj_status and leaves its arguments as they were, or says in its
 * own comment how far it came. writer/errors.c is the only place that turns a status into words. */
#ifndef TJ_STATUS_H
#define TJ_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
    TJ_OK = 0,
    TJ_FULL,              /* the buffer has no room: make some, then call again */
    TJ_NO_MEMORY,         /* the allocator refused */
    TJ_TOO_LARGE,         /* a size does not fit into size_t */
    TJ_INVALID_UTF8,      /* bytes that are no text */
    TJ_INVALID_JSON,      /* text that RFC 8259 does not allow */
    TJ_TOO_DEEP,          /* more than max_nesting containers are open */
    TJ_NEEDS_KEY,         /* a value where a key is due: the slot already holds pairs */
    TJ_NEEDS_VALUE,       /* a key where a value is due: the slot already holds values */
    TJ_SLOT_TAKEN,        /* a second value in a slot that takes one */
    TJ_TWO_ROOTS,         /* the same, at the root */
    TJ_NOTHING_OPEN,      /* close without open */
    TJ_UNCLOSED,          /* the document or block ended with containers open */
    TJ_CLOSED_LEVEL       /* a call in the middle of a value that is being written */
} tj_status;

#define TJ_LIKELY(x) __builtin_expect(!!(x), 1)
#define TJ_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TJ_NOINLINE __attribute__((noinline))
#define TJ_INLINE static inline __attribute__((always_inline))
#define TJ_COLD __attribute__((noinline, cold))

/* Debug builds (TO_JSON_DEBUG=1 at extconf) check what release builds promise. */
#ifdef TJ_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define TJ_ASSERT(condition)                                                                   \
    do {                                                                                       \
        if (TJ_UNLIKELY(!(condition))) {                                                       \
            fprintf(stderr, "%s:%d: to_json: broken promise: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                           \
        }                                                                                      \
    } while (0)
#else
#define TJ_ASSERT(condition) ((void)0)
#endif

#endif
