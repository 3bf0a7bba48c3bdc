/* Writer. How much of the machine stack is left. */
#include "stack.h"

#include <alloca.h>

#include "errors.h"

/* Ruby does not check the stack for recursion in C, so tj_check_stack does from a certain depth on.
 * If the stack overflows inside malloc, the process hangs in the signal handler, because glibc
 * holds a lock. */
/* for making the exception, or for one more call of Ruby */
#define STACK_TO_RAISE ((size_t)64 * 1024)

TJ_NOINLINE bool tj_stack_ends(void)
{
    uint8_t *room = alloca(STACK_TO_RAISE);
    /* so that the call below is measured from beyond the array */
    __asm__ volatile("" : : "r"(room) : "memory");
    return ruby_stack_check() != 0;
}

void tj_check_stack_cold(tj_writer *w)
{
    if (tj_stack_ends())
        tj_raise(
            w, tj_eNesting,
            "nested %u deep, which is all that this thread's stack holds. "
            "Pass less deep data, or use a Thread with a larger stack "
            "(RUBY_THREAD_MACHINE_STACK_SIZE).",
            w->grammar.nesting + w->conversions);
}

void tj_check_stack_of_documents_cold(tj_pool *pool)
{
    if (tj_pool_at_work(pool) > TJ_UNWATCHED_DEPTH && tj_stack_ends())
        tj_raise(
            NULL, tj_eNesting,
            "documents inside documents have used up this thread's stack. "
            "Does a serializer call json! of itself? Pass the serializer as a value instead, or "
            "use a Thread with a larger stack (RUBY_THREAD_MACHINE_STACK_SIZE).");
}
