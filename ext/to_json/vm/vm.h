/* Vm. What the gem knows of CRuby's insides, and whether this Ruby is so.
 *
 * Here belongs where something stands in CRuby's memory that its public headers do not tell: one
 * pair of files for each such assumption. Each has a version gate, a probe at load that compares it
 * with the public API, and a way without it; docs/internals/vm.md has what each saves. What the
 * public headers tell does not belong here. Control frames, execution contexts, instruction
 * sequences and object shapes belong nowhere. */
#ifndef TJ_VM_H
#define TJ_VM_H

#include <ruby.h>
#include <ruby/version.h>
#include <stdbool.h>

/* For version gates. */
#define TJ_RUBY (RUBY_API_VERSION_MAJOR * 100 + RUBY_API_VERSION_MINOR)
#define TJ_RUBY_AT_LEAST(major, minor) (TJ_RUBY >= (major) * 100 + (minor))
#define TJ_RUBY_AT_MOST(major, minor) (TJ_RUBY <= (major) * 100 + (minor))

/* Compares the assumption with the public API. `spoilt`: it must compare with something that is not
 * so, for a test. May run Ruby. */
typedef bool tj_vm_probe(bool spoilt);

/* Whether the assumption of this name (a literal) holds: `known` of this version of Ruby, wanted by
 * TO_JSON_VM, and found by its probe. Notes the answer for tj_vm_report. At load only. */
bool tj_vm_holds(const char *name, bool known, tj_vm_probe *probe);

/* All assumptions as a frozen Hash: true, or a String that says why it is off. */
VALUE tj_vm_report(void);

/* Around all calls of tj_vm_holds: reads TO_JSON_VM, and warns if it names what there is not. */
void tj_vm_begin(void);
void tj_vm_end(void);

/* Probes all of them, as the environment's TO_JSON_VM says: "portable" wants none, "no:NAME,NAME"
 * all but these, "fail:NAME,NAME" lets the probes of these find something else. */
void tj_vm_init(void);

#endif
