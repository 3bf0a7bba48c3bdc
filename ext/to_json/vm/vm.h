/* Vm. What the gem knows about CRuby's memory, and whether it is true of this Ruby.
 *
 * Each assumption about something that CRuby's public headers do not show has one pair of files
 * here. Each has a version gate, a probe at load that compares it with the public API, and a
 * fallback; docs/internals/vm.md says what each saves. What the public headers show does not belong
 * here. Control frames, execution contexts, instruction sequences and object shapes are used
 * nowhere. */
#ifndef TJ_VM_H
#define TJ_VM_H

#include <ruby.h>
#include <ruby/version.h>
#include <stdbool.h>

/* For version gates. */
#define TJ_RUBY (RUBY_API_VERSION_MAJOR * 100 + RUBY_API_VERSION_MINOR)
#define TJ_RUBY_AT_LEAST(major, minor) (TJ_RUBY >= (major) * 100 + (minor))
#define TJ_RUBY_AT_MOST(major, minor) (TJ_RUBY <= (major) * 100 + (minor))

/* Compares the assumption with the public API. `spoilt`: a test asks it to compare with something
 * wrong. May run Ruby. */
typedef bool tj_vm_probe(bool spoilt);

/* Whether the assumption `name` (a literal) is on: it is `known` for this version of Ruby,
 * TO_JSON_VM does not switch it off, and its probe succeeds. Notes the result for tj_vm_report. At
 * load only. */
bool tj_vm_holds(const char *name, bool known, tj_vm_probe *probe);

/* A frozen Hash of all assumptions: true, or a String that says why one is off. */
VALUE tj_vm_report(void);

/* Called before and after all calls of tj_vm_holds: read TO_JSON_VM, and warn about unknown names
 * in it. */
void tj_vm_begin(void);
void tj_vm_end(void);

/* Probes all assumptions. TO_JSON_VM=portable switches all off, "no:NAME,NAME" these.
 * "fail:NAME,NAME" makes the probes of these fail. */
void tj_vm_init(void);

#endif
