/* Values. A document of our Writer becomes Ruby values again, for to_h and as_json. */
#ifndef TJ_PARSED_H
#define TJ_PARSED_H

#include "../writer/writer.h"

/* The Hash, Array, String, number, true, false or nil that the String `json` stands for. Keys are
 * Strings. Takes NaN, Infinity and -Infinity too, which Rules may write. Text that is no JSON, from
 * a Fragment with check: false, raises FragmentError. Raises NestingError where the stack ends. May
 * run Ruby: a long text is frozen first. */
VALUE tj_parsed(VALUE json);
/* The same for bytes that do not move or change meanwhile. */
VALUE tj_parsed_bytes(const uint8_t *bytes, size_t size);

#endif
