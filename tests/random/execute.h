/* A program through Tessera's public interface, on one rank. */
#ifndef RANDOM_EXECUTE_H
#define RANDOM_EXECUTE_H

#include "random.h"

/* Run p in the calling thread's context; out (r->n_bytes) takes the blob. counters: what the
 * program did, without the reads at its end. Returns the bytes written, other than r->n_bytes if a
 * shape or dtype is not as expected. */
size_t execute(const program *p, const result *r, uint8_t *out, tsr_counters *counters);

/* The parts of it for calls.h; x: the operands. */
tsr_operand execute_box(const scalar *s);
tsr_array execute_call(const tsr_location *at, const node *n, const tsr_operand *x);
tsr_array execute_task(const tsr_location *at, const node *n, const tsr_operand *x);
tsr_array execute_arrange(const tsr_location *at, const node *n, tsr_array x);

#endif
