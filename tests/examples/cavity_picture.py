"""What examples/cavity draws: cavity_picture.py FILE. The speed with streamlines on the left, its bar, and on the right
two profiles over Ghia's points."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import png  # noqa: E402

points = png.decode(sys.argv[1])
assert points.shape[0] > 512 and points.shape[1] > 512 + 480, points.shape
speed = points[38:38 + 512, :512]
white, red = (points == 255).all(-1), (points == [200, 0, 0]).all(-1)
assert 3000 < white[38:38 + 512, :512].sum() < 30000, "streamlines"
# The fastest fluid is under the lid, and the slowest rests at the bottom: viridis from blue to yellow.
top, bottom = speed[2, 200:300], speed[-2, 200:300]
assert (top[~(top == 255).all(-1)][:, 0] > 150).all() and (bottom[~(bottom == 255).all(-1)][:, 0] < 80).all()
# Streamlines are closed: a row through the vortex's middle meets each an even number of times, some of them.
starts = np.diff(white[38 + 250, :512].astype(int)) == 1
assert starts.sum() >= 6, starts.sum()
# Of the 17 points of each profile some lie over each other.
assert not red[:, :600].any() and 2 * 8 * 49 < red.sum() <= 2 * 17 * 49, red.sum()
drawn = (points[:, 660:] == 0).all(-1) | red[:, 660:]
assert drawn.any(0).sum() == 480, "the profiles go through all columns"
