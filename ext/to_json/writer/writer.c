/* Writer. The functions that later rooms set for it, and its first memory. */
#include "writer.h"

#define FIRST_FRAMES 8

tj_hooks tj_later_rooms;

tj_status tj_first_frames(tj_writer *w)
{
    w->frames = tj_realloc(NULL, FIRST_FRAMES * sizeof *w->frames);
    w->frame_capacity = w->frames ? FIRST_FRAMES : 0;
    return w->frames ? TJ_OK : TJ_NO_MEMORY;
}
