/* Writer. The functions that later rooms set for it. */
#include "writer.h"

tj_hooks tj_later_rooms;
