/* Documents. Many documents by one Writer into one Sink: NDJSON, and JSON text sequences (RFC
 * 7464). */
#ifndef TJ_RECORDS_H
#define TJ_RECORDS_H

#include "document.h"

void tj_records_init(void);

typedef struct {
    /* An object that is called with (error, record, index). Its result is written in place of the
     * record, but nothing for nil and false. Qnil aborts the document, Qfalse skips the record. */
    VALUE on_error;
    bool sequence;  /* RFC 7464: a record separator before each */
    VALUE block;    /* a Proc instead of `serialize`, which gets (serializer, record); or Qnil */
    /* The self of the block, or NULL. The block gets the record and the other arguments. */
    tj_block_receiver *receiver;
} tj_record_options;

/* Checks the arguments of tj_run_records, and raises the same errors. May run Ruby. */
void tj_check_records(VALUE klass, const tj_call *call);

/* Writes a line for each element of call->argv[0]: by a serializer of `klass`, or with Qnil as
 * values. Returns the String or the Sink. Whatever stops it, only whole records are delivered. Runs
 * Ruby, may raise. */
VALUE tj_run_records(VALUE klass, const tj_call *call, const tj_record_options *options);

#endif
