/* Dialects. The dialects :oj and :oj_strict. */
#ifndef TJ_DIALECT_OJ_H
#define TJ_DIALECT_OJ_H

/* Registers the functions of both dialects; called before the first Rules are made. */
void tj_dialect_oj_init(void);

#endif
