/* What a loop that waits for another core does in each turn. */
#ifndef TSR_SPIN_H
#define TSR_SPIN_H

/** Let the core rest for some ten cycles, so that the other thread of the core runs faster. */
static inline void tsr__cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
