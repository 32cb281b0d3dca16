"""What the scripts share: their command line, how long a run takes, and a sum that tells two runs apart."""
import argparse

import cupynumeric as np
from legate.timing import time


def main(description, run, num, iterations):
    """Run run(num, iterations), numbers that the command line may change."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-n", "--num", type=int, default=num, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=iterations, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")
