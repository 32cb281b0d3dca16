/* How long arrays live: scopes, and moving an array between them.
 *
 * An array belongs to the innermost scope that is open when it is made and is released with it. The
 * root scope ends with tsr_finalize. tsr_assign, tsr_exec, tsr_item_*, tsr_to_host, tsr_iadd … and
 * tsr_replace open a statement scope around their arguments, so that the temporaries of one
 * statement die with it. Scope ends, keep, hold, release and replace are part of the program: every
 * rank makes the same ones in the same order. */
#ifndef TESSERA_LIFETIME_H
#define TESSERA_LIFETIME_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open scope, as TSR_SCOPE() declares it. */
typedef struct tsr_scope {
  uint64_t context; /* number of the context that it belongs to */
  uint64_t serial;  /* of no other scope of that context */
  int depth;
  const tsr_location *where;
} tsr_scope;

/** Open and close by hand (bindings); TSR_SCOPE() does both. Closing releases what belongs to the
 * scope, and to scopes inside that are still open (TSR_ERR_SCOPE; device scopes end, too), and may
 * run the window. */
TSR_API tsr_scope tsr_scope_open(const tsr_location *where);
TSR_API void tsr_scope_close(tsr_scope *scope);

/* Statement scopes. */
TSR_API void tsr_statement_begin(void);
/* Close; a place where the window may run (unless a TSR_SCOPE is open). Returns status, or the
 * run's own. */
TSR_API tsr_status tsr_statement_end(tsr_status status);
/* Close; no place where the window runs. */
TSR_API void tsr_statement_drop(void);
/* A statement ends before the next call that asks for its record by tsr_site: of languages whose
 * temporaries die after the call that writes. The window may run there. */
TSR_API void tsr_statement_end_later(void);

/** Is x an array (not a null handle)? */
static inline bool tsr_ok(tsr_array x)
{
  return (uint32_t)x.id != 0;
}

/** The null handle of an array that is missing on purpose. A call that gets it gives it back, or
 * TSR_ERR_HANDLE, in silence; so do calls that get what a failed call returned. A variable that was
 * never given a value, or that tsr_release has emptied, is no array either, but a mistake: in the
 * error mode ABORT its first use is TSR_ERR_HANDLE with a message, but for tsr_ok, tsr_release and
 * the target of tsr_replace. */
static inline tsr_array tsr_null(void)
{
  tsr_array x;
  x.id = (uint64_t)1 << 32;
  return x;
}

/** How many arrays view the elements that x has, x among them. The same on every rank; not
 * collective. What views alone can be replaced by a copy without anybody seeing it. 0 of a null
 * handle, and without a context. */
TSR_API int tsr_n_views(tsr_array x);
/** Says that `copy`, just made, is a copy of elements of `of` where a program may take it for a
 * view. Writes to it are TSR_ERR_READONLY while arrays of the elements of `of` live. tsr_reshape,
 * tsr_ravel, tsr_real and tsr_imag say so where they copy and NumPy's do not; a binding does where
 * its functions copy. The same on every rank; not collective. Null handles are ignored. */
TSR_API void tsr_stand_for_view(tsr_array copy, tsr_array of);
/** Is x a copy that stands for a view of an array that still lives, so that a write to it is
 * TSR_ERR_READONLY? A binding asks before a write, to drop what only its garbage still holds. The
 * same on every rank; not collective. False of a null handle. */
TSR_API bool tsr_stands_for_view(tsr_array x);
/** Says that `made`, just made, lies column by column where a program takes it to, as with
 * order="F" of NumPy: whether a reshape of it stands for a view follows from that. Elements stay
 * where they are. The same on every rank; not collective. A null handle is ignored. */
TSR_API void tsr_note_column_major(tsr_array made);
/** Would x's elements lie row by row (or column by column) without gaps in NumPy's memory?
 * Transposes, slices, what tsr_note_column_major said and the order of computed results count;
 * where Tessera's elements lie does not. The same on every rank; not collective. False of a null
 * handle. */
TSR_API bool tsr_lies_in_order(tsr_array x, bool column_major);

/** Let x go at a time that differs between ranks, as where another thread or a collector of garbage
 * decides it: x is released on every rank once all ranks have let it go, which they learn in a read
 * or a barrier, and lives until then. The program does not use x any more. Any thread may call it,
 * not after the context's end. Not collective. Null handles and a NULL context are ignored. */
TSR_API void tsr_release_later(tsr_context *context, tsr_array x);

#ifndef __cplusplus
/** Move x to the scope around the innermost open one, and return it: `return tsr_keep(q);`. An
 * array that belongs further out already stays there. Returns the null handle for it, and on
 * TSR_ERR_HANDLE. */
TSR_API tsr_array tsr_keep(tsr_array x);
/** Move x out of all scopes: it lives until tsr_release (or tsr_finalize). Returns x. */
TSR_API tsr_array tsr_hold(tsr_array x);
/** Release *x now and write a null handle. Recorded operations that read it are not affected; its
 * views stay valid. A null handle is ignored. */
TSR_API void tsr_release(tsr_array *x);
/** Release *x and put y in its place and in its scope: `tsr_replace(&u, tsr_add(u, v))`. Where *x
 * is a null handle, y goes to the innermost open scope. Temporaries of y's expression die. */
TSR_API void tsr_replace(tsr_array *x, tsr_array y);

/** A declaration, the first line of a block: arrays made from here on are released when the block
 * ends, also by break, continue, return or goto. */
#define TSR_SCOPE() TSR__SCOPE(TSR__PASTE(tsr_scope_, __COUNTER__))
#define TSR__SCOPE(id) TSR__SCOPE_(id)
#define TSR__SCOPE_(id)                                                                            \
  TSR__SITE(id##_at, "TSR_SCOPE", "");                                                             \
  __attribute__((cleanup(tsr_scope_close), unused)) tsr_scope id = tsr_scope_open(&id##_at)

#endif

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

/** A scope: arrays made while it lives are released with it. */
class scope {
public:
  explicit scope(place at = place()) : scope_(tsr_scope_open(at.record("tessera::scope")))
  {
  }
  ~scope()
  {
    tsr_scope_close(&scope_);
  }
  scope(const scope &) = delete;
  scope &operator=(const scope &) = delete;

private:
  tsr_scope scope_;
};

/* A statement scope, for the macros of calls that open one: lives to the end of the full
 * expression. */
class statement {
public:
  explicit statement(bool writes) : writes_(writes)
  {
    tsr_statement_begin();
  }
  ~statement()
  {
    if (writes_)
      (void)tsr_statement_end(TSR_OK);
    else
      tsr_statement_drop();
  }
  statement(const statement &) = delete;
  statement &operator=(const statement &) = delete;

private:
  bool writes_;
};

} /* namespace tessera */

#define TSR_SCOPE() ::tessera::scope TSR__PASTE(tsr_scope_, __COUNTER__)
#endif

#include "tessera/generated/lifetime.h"

#endif
