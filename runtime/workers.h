/* Worker threads that a machine's contexts share. A rank's own thread is worker 0 of each job it starts; helpers
 * join jobs while there are any. Waiting spins briefly, then sleeps; when the node runs more threads than cores, it
 * never spins but yields. */
#ifndef TSR_WORKERS_H
#define TSR_WORKERS_H

#include "tessera/base.h"

typedef struct tsr_workers tsr_workers;

/** A job: every thread that takes part calls work(arg, worker) once, 0 <= worker < n_threads of the pool, worker 0 being
 *  the caller. work returns when there is nothing left for it to do; the job ends when all have returned. */
typedef void (*tsr_work_fn)(void *arg, int worker);

/** n_threads >= 1 computing threads in all (n_threads - 1 helpers per job at most). cpus: logical CPUs to bind them to
 *  (NULL: do not bind), worker w to cpus[w % n_cpus]. oversubscribed: yield instead of spinning. */
tsr_status tsr__workers_create(int n_threads, const int *cpus, int n_cpus, bool oversubscribed, tsr_workers **out);
void tsr__workers_destroy(tsr_workers *w);
int tsr__workers_count(const tsr_workers *w);
/** Run a job on the caller and up to max_threads - 1 helpers. Several threads may run jobs at the same time. The caller's part
 *  starts at once, helpers join when they wake. Cost: ~1 us when helpers spin. */
void tsr__workers_run(tsr_workers *w, int max_threads, tsr_work_fn work, void *arg);
/** One turn of waiting inside work(): pause, then yield, by the count of fruitless turns (caller's counter). */
void tsr__workers_relax(const tsr_workers *w, unsigned *turns);

#endif
