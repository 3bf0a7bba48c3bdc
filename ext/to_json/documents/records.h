/* Documents. Many documents by one Writer into one Sink: NDJSON, and the sequences of RFC 7464. */
#ifndef TJ_RECORDS_H
#define TJ_RECORDS_H

#include "document.h"

void tj_records_init(void);

typedef struct {
    VALUE on_error; /* called with (error, record, index): what it gives stands for the record, nil or false for nothing. Qnil: abort; Qfalse: skip */
    bool sequence;  /* RFC 7464: a record separator before each */
    VALUE block;    /* a Proc in place of the serializer's `serialize`, called with (serializer, record); or Qnil */
    tj_block_receiver *receiver; /* or NULL. The block's self: it is called with the record and the
                                  * call's other arguments */
} tj_record_options;

/* Raises what tj_run_records would raise before it writes anything. May run Ruby. */
void tj_check_records(VALUE klass, const tj_call *call);

/* A line for each of the many that call->argv[0] is: by a serializer of `klass`, or with Qnil as the values that they are.
 * Returns the String or the Sink. What was delivered consists of whole records, whatever stops it. Runs Ruby, may raise. */
VALUE tj_run_records(VALUE klass, const tj_call *call, const tj_record_options *options);

#endif
