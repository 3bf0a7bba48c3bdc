/* Values. Tells which values are blank, for skip_blank: and put_fields_unless_blank. */
#ifndef TJ_BLANK_H
#define TJ_BLANK_H

#include "../writer/writer.h"

void tj_blank_init(void);

/* May run Ruby (blank?, empty?). */
bool tj_is_blank(VALUE v);

#endif
