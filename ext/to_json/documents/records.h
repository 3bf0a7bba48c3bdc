/* Documents. Many documents by one Writer into one Sink: NDJSON, and JSON text sequences (RFC
 * 7464). */
#ifndef TJ_RECORDS_H
#define TJ_RECORDS_H

#include "document.h"

void tj_records_init(void);

typedef struct {
    /* called with (error, record, index): its result is written instead, nil or false write
     * nothing. Qnil: abort; Qfalse: skip the record */
    VALUE on_error;
    bool sequence;  /* RFC 7464: a record separator before each */
    VALUE block;    /* a Proc instead of `serialize`, called with (serializer, record); or Qnil */
    /* or NULL; the self of the block, which is called with the record and the other arguments */
    tj_block_receiver *receiver;
} tj_record_options;

/* Raises what tj_run_records would raise before it writes anything. May run Ruby. */
void tj_check_records(VALUE klass, const tj_call *call);

/* Writes a line for each element of call->argv[0]: by a serializer of `klass`, or with Qnil as
 * values. Returns the String or the Sink. Whatever stops it, only whole records are delivered. Runs
 * Ruby, may raise. */
VALUE tj_run_records(VALUE klass, const tj_call *call, const tj_record_options *options);

#endif
