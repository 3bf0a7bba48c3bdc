/* Vm. Probes all assumptions when the gem is loaded. */
#include "hash_pairs.h"
#include "time_struct.h"
#include "vm.h"

void tj_vm_init(void)
{
    tj_vm_begin();
    tj_hash_pairs_init();
    tj_time_struct_init();
    tj_vm_end();
}
