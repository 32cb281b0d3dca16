/* Worker threads, which the contexts of a machine share. A rank's own thread is worker 0 of each
 * job that it starts; helpers join jobs while there are any. Waiting spins briefly, then sleeps. On
 * a node that runs more threads than cores it never spins but yields. */
#ifndef TSR_WORKERS_H
#define TSR_WORKERS_H

#include "tessera/base.h"

typedef struct tsr_workers tsr_workers;

/** The function of a job. Every thread that takes part calls work(arg, worker) once. 0 <= worker <
 * n_threads of the pool; the caller is worker 0; the numbers of a job are below its max_threads and
 * not shared. work returns when it finds nothing left to do; the job ends when all have returned.
 */
typedef void (*tsr_work_fn)(void *arg, int worker);

/** Create a pool of n_threads >= 1 computing threads, the caller's included, so of at most
 * n_threads - 1 helpers per job. cpus: borrowed; the logical CPUs that helpers keep to (NULL: any).
 * They keep to the set, not to one CPU each: the calling thread is not ours to bind, and a helper
 * bound to the CPU where that thread happens to run would not run at all. oversubscribed: yield
 * instead of spinning. TSR_ERR_MEMORY if the system gives no more threads. */
tsr_status tsr__workers_create(int n_threads, const int *cpus, int n_cpus, bool oversubscribed,
                               tsr_workers **out);
void tsr__workers_destroy(tsr_workers *w);
int tsr__workers_count(const tsr_workers *w);
/** Are there more threads than cores? Then a thread that calls into MPI may lose its core there. */
bool tsr__workers_oversubscribed(const tsr_workers *w);
/** Run a job on the caller and up to max_threads - 1 helpers. Several threads may run jobs at once.
 * The caller's part starts at once, helpers join when they wake: those that spin at once, too. */
void tsr__workers_run(tsr_workers *w, int max_threads, tsr_work_fn work, void *arg);
/** One turn of waiting inside work(). By the count of fruitless turns (the caller's counter, from
 * 0) it pauses, then yields, then, if oversubscribed, sleeps a moment. */
void tsr__workers_relax(const tsr_workers *w, unsigned *turns);

#endif
