/* Whether a sanitizer runs with the tests, which makes their code up to ten times slower. It judges
 * how memory and threads are used. So a test that does the same for many values, of which other
 * builds compare all bits, then takes some of them. */
#ifndef TSR_TESTS_SANITIZED_H
#define TSR_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

#endif
