/* Tests of the native core, layer 2: what must hold of tj_validate for any bytes at all. For the
 * fuzzer's entry (fuzz_validate.c) and for the tests that feed it. */
#ifndef TJ_FUZZ_VALIDATE_H
#define TJ_FUZZ_VALIDATE_H

#include "escape.h"
#include "naive_json.h"
#include "validate.h"

/* NULL when the validator agrees with the naive one on verdict and place; else what is wrong. */
static const char *validate_disagrees(const uint8_t *text, size_t size, size_t max_nesting)
{
    naive_json j = {text, size, 0, 0, max_nesting, false};
    bool valid = naive_document(&j);
    tj_defect defect = {(size_t)-1, NULL};
    tj_status status = tj_validate(text, size, max_nesting, &defect);

    if (valid != (status == TJ_OK))
        return valid ? "refused what is JSON" : "accepted what is not JSON";
    if (valid) return defect.message ? "set a defect for what is JSON" : NULL;
    if (j.too_deep != (status == TJ_TOO_DEEP)) return "told nesting from grammar wrongly";
    if (defect.offset != j.at) return "pointed at the wrong byte";
    if (!defect.message || !*defect.message) return "gave no message";
    if (status != TJ_INVALID_JSON && status != TJ_INVALID_UTF8 && status != TJ_TOO_DEEP)
        return "gave another status";
    return NULL;
}

#endif
