"""Runs tests of this folder on every rank, and prints the counts of rank 0 as the last line: runner.py NAME…"""
import sys
import unittest

import tessera


def main():
    suite = unittest.defaultTestLoader.loadTestsFromNames([f"test_{name}" for name in sys.argv[1:]])
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped", flush=True)
    tessera.finalize()
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
