/* Worker threads that a machine's contexts share. A rank's own thread is worker 0 of each job it
 * starts; helpers join jobs while there are any. Waiting spins briefly, then sleeps; when the node
 * runs more threads than cores, it never spins but yields. */
#ifndef TSR_WORKERS_H
#define TSR_WORKERS_H

#include "tessera/base.h"

typedef struct tsr_workers tsr_workers;

/** A job: every thread that takes part calls work(arg, worker) once, 0 <= worker < n_threads of the
 * pool, worker 0 being the caller; numbers of a job are below its max_threads and not shared. work
 * returns when there is nothing left for it to do; the job ends when all have returned. */
typedef void (*tsr_work_fn)(void *arg, int worker);

/** n_threads >= 1 computing threads in all (n_threads - 1 helpers per job at most). cpus: borrowed;
 * the logical CPUs that helpers keep to (NULL: any). They keep to the set, not one to each: the
 * calling thread is the program's and not ours to bind, and a helper bound to the CPU where that
 * one happens to run would not run at all. oversubscribed: yield instead of spinning.
 * TSR_ERR_MEMORY if the system gives no more threads. */
tsr_status tsr__workers_create(int n_threads, const int *cpus, int n_cpus, bool oversubscribed,
                               tsr_workers **out);
void tsr__workers_destroy(tsr_workers *w);
int tsr__workers_count(const tsr_workers *w);
/** More threads than cores: whoever calls into MPI may lose its core there. */
bool tsr__workers_oversubscribed(const tsr_workers *w);
/** Run a job on the caller and up to max_threads - 1 helpers. Several threads may run jobs at the
 * same time. The caller's part starts at once, helpers join when they wake. Cost: ~1 us when
 * helpers spin. */
void tsr__workers_run(tsr_workers *w, int max_threads, tsr_work_fn work, void *arg);
/** One turn of waiting inside work(): pause, then yield, then (if oversubscribed) sleep 20 us, by
 * the count of fruitless turns (caller's counter, from 0). */
void tsr__workers_relax(const tsr_workers *w, unsigned *turns);

#endif
