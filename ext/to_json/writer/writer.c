/* Writer. What later rooms do for it. */
#include "writer.h"

tj_hooks tj_later_rooms;
