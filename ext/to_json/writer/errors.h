/* Writer. Turns a status into an exception with the path, and stores the path of users'
 * exceptions. */
#ifndef TJ_ERRORS_H
#define TJ_ERRORS_H

#include "writer.h"

extern VALUE tj_mToJson, tj_eError, tj_eGrammar, tj_eNesting, tj_eEncoding, tj_eNumber,
    tj_eUnsupported, tj_eSerializerNotFound, tj_eFragment, tj_eDuplicateKey, tj_eSink;

/* Finds the classes of lib/to_json/errors.rb. */
void tj_errors_init(void);

/* Raises `klass` with the message "path: " and the formatted text; the exception keeps the path
 * too. If `w` is NULL there is no path. */
NORETURN(PRINTF_ARGS(void tj_raise(tj_writer *w, VALUE klass, const char *format, ...), 3, 4));

/* Raises the exception of a status. It must not be TJ_OK or TJ_FULL. */
NORETURN(void tj_raise_status(tj_writer *w, tj_status status));

TJ_INLINE void tj_check(tj_writer *w, tj_status status)
{
    if (TJ_UNLIKELY(status != TJ_OK)) tj_raise_status(w, status);
}

/* rb_protect, for all of this gem. While rb_protect takes away the frames that an exception has
 * left, it checks for interrupts. If the handler of a signal then rescues anything, Ruby forgets
 * the exception, and to go on with that state would crash. So an Error takes its place. */
void tj_replace_forgotten_cold(int *state);
TJ_INLINE VALUE tj_rb_protect(VALUE (*body)(VALUE), VALUE argument, int *state)
{
    VALUE result = rb_protect(body, argument, state);
    if (TJ_UNLIKELY(*state)) tj_replace_forgotten_cold(state);
    return result;
}

/* Stores the path of the document in a user's exception, once. Runs Ruby. Returns 0, or a state of
 * rb_protect if a kill, a throw or an interrupt came meanwhile. The caller then cleans up and
 * continues with that state instead of the exception, whose errinfo is set. */
int tj_locate(const tj_writer *w, VALUE error);
/* The same for what was read below that place: `below` is a String such as "relationships.tags". */
int tj_locate_below(const tj_writer *w, VALUE error, VALUE below);

/* Raises GrammarError: a Fiber was resumed after its document had ended. */
NORETURN(void tj_raise_too_late(void));

/* Raises PoisonedError: nothing more can be written. */
NORETURN(void tj_raise_poisoned(tj_writer *w));

TJ_INLINE void tj_check_alive(const tj_writer *w)
{
    if (TJ_UNLIKELY(w->blocked & TJ_IDLE)) tj_raise_too_late();
}

/* The class of a value as text, such as "Float" or "#<Class:0x...>". Calls no method of the
 * value. */
VALUE tj_class_words(VALUE value);

#endif
