/* Core, private to escape*.c. Makes one function for each mode of the inline functions escape,
 * plain_prefix and copy_plain, so that the mode costs nothing at run time. The including file
 * defines these and TJ_TARGET, its function attribute. */
#ifndef TJ_TARGET
#define TJ_TARGET
#endif

#define TJ_ESCAPE_MODE(name, mode)                                                               \
    TJ_TARGET static uint8_t *escape_##name(uint8_t *at, const uint8_t *text, size_t size)       \
    {                                                                                            \
        return escape(at, text, size, mode);                                                     \
    }                                                                                            \
    TJ_TARGET static size_t plain_prefix_##name(const uint8_t *text, size_t size)                \
    {                                                                                            \
        return plain_prefix(text, size, mode);                                                   \
    }                                                                                            \
    TJ_TARGET static size_t copy_plain_##name(uint8_t *at, const uint8_t *text, size_t size)     \
    {                                                                                            \
        return copy_plain(at, text, size, mode);                                                 \
    }

TJ_ESCAPE_MODE(json, TJ_ESCAPE_JSON)
TJ_ESCAPE_MODE(html, TJ_ESCAPE_HTML)
TJ_ESCAPE_MODE(html_in_json, TJ_ESCAPE_HTML_IN_JSON)

#ifndef ESCAPE_PADDED
#define ESCAPE_PADDED NULL
#endif

#define TJ_ESCAPE_KERNELS                                                  \
    {                                                                      \
        {escape_json, escape_html, escape_html_in_json},                   \
        {plain_prefix_json, plain_prefix_html, plain_prefix_html_in_json}, \
        {copy_plain_json, copy_plain_html, copy_plain_html_in_json},       \
        ESCAPE_PADDED,                                                     \
    }
