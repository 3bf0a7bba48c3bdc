/* Vm. Which assumptions are on, and why the others are off. */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* Each pair of files in this room has one. Written at load only. */
#define MOST_ASSUMPTIONS 8
static struct {
    const char *name, *why_off; /* NULL: it is on */
} assumptions[MOST_ASSUMPTIONS];
static size_t count;

static const char *wishes; /* TO_JSON_VM; at load only */

/* Whether TO_JSON_VM is "VERB:NAME,NAME" with this verb and this name. */
static bool is_wished(const char *verb, const char *name)
{
    size_t length = strlen(verb);
    if (!wishes || strncmp(wishes, verb, length) != 0 || wishes[length] != ':') return false;
    for (const char *at = wishes + length + 1; *at; at += *at == ',') {
        size_t size = strcspn(at, ",");
        if (size == strlen(name) && memcmp(at, name, size) == 0) return true;
        at += size;
    }
    return false;
}

static bool wants_none(void) { return wishes && strcmp(wishes, "portable") == 0; }

struct probing {
    tj_vm_probe *probe;
    bool spoilt;
};

static VALUE run_probe(VALUE argument)
{
    const struct probing *probing = (const struct probing *)argument;
    return probing->probe(probing->spoilt) ? Qtrue : Qfalse;
}

/* A method of Ruby that the probe calls may have been redefined, and raised: the assumption is
 * off. */
static VALUE found_nothing(VALUE argument, VALUE error)
{
    (void)argument;
    (void)error;
    return Qfalse;
}

bool tj_vm_holds(const char *name, bool known, tj_vm_probe *probe)
{
    struct probing probing = {probe, is_wished("fail", name)};
    const char *why_off = NULL;
    if (wants_none() || is_wished("no", name)) why_off = "switched off by TO_JSON_VM";
    else if (!known) why_off = "not checked on this version of Ruby";
    else if (!RTEST(rb_rescue(run_probe, (VALUE)&probing, found_nothing, Qnil)))
        why_off = "its probe failed on this Ruby";
    if (count == MOST_ASSUMPTIONS) rb_bug("to_json: MOST_ASSUMPTIONS is too small");
    assumptions[count].name = name;
    assumptions[count++].why_off = why_off;
    return !why_off;
}

VALUE tj_vm_report(void)
{
    VALUE report = rb_hash_new();
    for (size_t i = 0; i < count; i++) {
        const char *why_off = assumptions[i].why_off;
        VALUE answer = why_off ? rb_obj_freeze(rb_str_new_cstr(why_off)) : Qtrue;
        rb_hash_aset(report, ID2SYM(rb_intern(assumptions[i].name)), answer);
    }
    return rb_obj_freeze(report);
}

/* Warns about a name in TO_JSON_VM that does not exist: it would switch nothing off. */
static void check_wishes(void)
{
    if (!wishes || !*wishes || wants_none()) return;
    const char *names = strchr(wishes, ':');
    size_t wished = 0, known = 0;
    for (const char *at = names; at && *at; at++) wished += *at == ':' || *at == ',';
    for (size_t i = 0; i < count; i++)
        known += is_wished("no", assumptions[i].name) || is_wished("fail", assumptions[i].name);
    if (!names || known != wished)
        rb_warn("TO_JSON_VM=%s is not understood: it is \"portable\", \"no:NAME,NAME\" or "
                "\"fail:NAME,NAME\" with names of ToJson::Writer.vm", wishes);
}

void tj_vm_begin(void) { wishes = getenv("TO_JSON_VM"); }

void tj_vm_end(void)
{
    check_wishes();
    wishes = NULL;
}
