/* Documents. Many documents by one Writer into one Sink: NDJSON, and JSON text sequences (RFC
 * 7464). */
#ifndef TJ_RECORDS_H
#define TJ_RECORDS_H

#include "document.h"

void tj_records_init(void);

typedef struct {
    /* What is done about a record that fails. Qnil: the document is aborted. Qfalse: the record is
     * skipped. An object: it is called with (error, record, index), and its result is written in
     * place of the record. If the result is nil or false, nothing is written. */
    VALUE on_error;
    bool sequence;  /* RFC 7464: a record separator before each */
    VALUE block;    /* a Proc that gets (serializer, record), instead of `serialize`; or Qnil */
    /* The self of the block. At most one of these is set; then the block gets the record and the
     * other arguments. */
    VALUE caller; /* it has the words; or Qfalse */
    tj_block_receiver *receiver;
} tj_record_options;

/* Checks the arguments of tj_run_records, and raises the same errors. May run Ruby. */
void tj_check_records(VALUE klass, const tj_call *call);

/* Writes a line for each element of call->argv[0]. A serializer of `klass` writes the element; if
 * `klass` is Qnil, it is written as a value. Returns the String or the Sink. Whatever stops it,
 * only whole records are delivered. Runs Ruby, may raise. */
VALUE tj_run_records(VALUE klass, const tj_call *call, const tj_record_options *options);

#endif
