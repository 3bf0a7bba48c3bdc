/* Glue. The dialects :json and :json2. */
#ifndef TJ_DIALECT_JSON_H
#define TJ_DIALECT_JSON_H

/* Says what they do; before the first Rules are made. */
void tj_dialect_json_init(void);

#endif
