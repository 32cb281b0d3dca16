"""save_png, picture, panels, load_png by their points; progress."""
import os
import pathlib
import sys
import tempfile
import unittest

import numpy
import tessera as np
from support import Case

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from png import decode  # noqa: E402


class Pictures(Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp() if np.n_ranks() == 1 else None
        self.path = os.path.join(self.folder or "/tmp", "tsr_test_python.png")
        try:
            np.save_png(self.path, np.zeros((1, 1, 3), dtype=np.uint8))
        except np.TesseraError as error:
            if "without libpng" in str(error):
                self.skipTest("the library has no libpng")
            raise

    def tearDown(self):
        np.barrier()
        if np.rank() == 0 and os.path.exists(self.path):
            os.remove(self.path)
        if self.folder:
            os.rmdir(self.folder)

    def test_what_is_saved_is_decoded_and_loaded(self):
        for channels in (3, 4):
            points = numpy.arange(7 * 5 * channels).reshape(7, 5, channels) * 3 % 256
            np.save_png(self.path, points.astype("uint8"))
            self.same(np.load_png(self.path), points.astype("uint8"))
            numpy.testing.assert_array_equal(decode(self.path), points)

    def test_keywords(self):
        x = numpy.array([[0.0, 1.0], [2.0, 4.0]])
        np.save_png(self.path, x, vmin=0, vmax=2, colours="grey", scale=2)
        grey = numpy.repeat(numpy.repeat([[0, 128], [255, 255]], 2, 0), 2, 1)
        numpy.testing.assert_array_equal(decode(self.path), numpy.stack([grey] * 3, -1))
        self.same(np.load_png(self.path), np.picture(x, 0, 2, "grey", 2).tolist()
                  and numpy.stack([grey] * 3, -1).astype("uint8"))
        plain, barred = np.picture(x, scale=64), np.picture(x, scale=64, colorbar=True, title="x")
        self.assertEqual(plain.shape, (128, 128, 3))
        self.assertGreater(barred.shape[0], 128)
        self.assertGreater(barred.shape[1], 128)
        self.assertEqual(np.picture(x).shape, (512, 512, 3))

    def test_panels(self):
        black, x = np.zeros((4, 6, 3), dtype=np.uint8), np.ones((8, 600))
        all = np.panels([black, x])
        self.assertEqual(all.shape, (8, 618, 3))
        got = numpy.asarray(all)
        self.assertTrue((got[:4, :6] == 0).all() and (got[4:, :6] == 255).all() and (got[:, 6:18] == 255).all())
        numpy.testing.assert_array_equal(got[:, 18:], numpy.asarray(np.picture(x)))
        self.assertEqual(np.panels([black, black], columns=1).shape, (20, 6, 3))

    def test_errors(self):
        x = np.ones((2, 2))
        for error, call in ((ValueError, lambda: np.picture(x, colours="red")),
                            (TypeError, lambda: np.picture(x, vmin="a")), (ValueError, lambda: np.picture(x, scale=0)),
                            (ValueError, lambda: np.picture(np.ones(3))),
                            (FileNotFoundError, lambda: np.load_png("/nonexistent/x.png")),
                            (IsADirectoryError, lambda: np.load_png("/")), (TypeError, lambda: np.panels(3)),
                            (OSError, lambda: np.save_png("/nonexistent/x.png", x)),
                            (ValueError, lambda: np.panels([])), (TypeError, lambda: np.progress(1))):
            self.assertRaises(error, call)
        for text, call in (("not ndarray: it is save_png.file, x, ", lambda: np.save_png(x, self.path)),
                           ("'cmap' .* it is save_png.*colours=", lambda: np.save_png(self.path, x, cmap="grey")),
                           ("'cmap' .* it is picture.x, vmin", lambda: np.picture(x, cmap="grey"))):
            self.assertRaisesRegex(TypeError, text, call)

    def test_what_is_damaged(self):
        if np.rank() == 0:
            with open(self.path, "wb") as file:
                file.write(b"no picture")
        np.barrier()
        with self.assertRaisesRegex(OSError, "it is no PNG file"):
            np.load_png(self.path)
        np.barrier()

    def test_progress_draws_on_terminals_only(self):
        self.assertIsNone(np.progress(1, 2))
        self.assertIsNone(np.progress(2, 2))


if __name__ == "__main__":
    unittest.main()
