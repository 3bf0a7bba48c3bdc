/* Writer. Turns a status into an exception that names the path; keeps where a user's exception happened. */
#ifndef TJ_ERRORS_H
#define TJ_ERRORS_H

#include "writer.h"

extern VALUE tj_mToJson, tj_eError, tj_eGrammar, tj_eNesting, tj_eEncoding, tj_eNumber, tj_eUnsupported,
    tj_eSerializerNotFound, tj_eFragment, tj_eDuplicateKey, tj_eSink, tj_ePoisoned;

/* Finds the classes that lib/to_json/errors.rb defines. */
void tj_errors_init(void);

/* Raise `klass`, its message "path: " and the formatted text; `path` is kept too. `w` NULL: no path. */
NORETURN(PRINTF_ARGS(void tj_raise(tj_writer *w, VALUE klass, const char *format, ...), 3, 4));

/* Raise what a status means. TJ_OK and TJ_FULL never come here. */
NORETURN(void tj_raise_status(tj_writer *w, tj_status status));

TJ_INLINE void tj_check(tj_writer *w, tj_status status)
{
    if (TJ_UNLIKELY(status != TJ_OK)) tj_raise_status(w, status);
}

/* Keeps the document's path with an exception of the user's that passes through, once. Runs Ruby.
 * Returns 0, or a state of rb_protect if a kill, a throw or an interrupt came meanwhile. The caller
 * then cleans up and goes on with that state, in place of the exception: errinfo is its own. */
int tj_locate(const tj_writer *w, VALUE error);

/* Raises GrammarError where the document ended while user code ran: a Fiber came back too late. */
NORETURN(void tj_raise_too_late(void));

/* Raises PoisonedError: nothing more may be written. */
NORETURN(void tj_raise_poisoned(tj_writer *w));

TJ_INLINE void tj_check_alive(const tj_writer *w)
{
    if (TJ_UNLIKELY(w->blocked & TJ_IDLE)) tj_raise_too_late();
}

/* "Float", "#<Class:0x...>": the class of a value in words, without running methods of the value. */
VALUE tj_class_words(VALUE value);

#endif
