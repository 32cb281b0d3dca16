"""Time series for ParaView, and the version."""
import os
import re
import tempfile
import xml.etree.ElementTree as tree

import numpy
import tessera as np
from support import Case


class Series(Case):
    def setUp(self):
        """A folder that all ranks know."""
        name = tempfile.mkdtemp() if np.rank() == 0 else ""
        name = np.asarray(numpy.frombuffer(name.encode().ljust(256), "uint8")).tobytes().decode().strip()
        self.folder, self.path = name, os.path.join(name, "heat.xdmf")

    def tearDown(self):
        np.barrier()
        if np.rank() == 0:
            for name in os.listdir(self.folder):
                os.remove(os.path.join(self.folder, name))
            os.rmdir(self.folder)

    def test_what_is_written(self):
        a = numpy.arange(1200.0).reshape(30, 40)
        u = np.asarray(a)
        with np.xdmf_open(self.path) as series:
            series.grid(origin=(1, 2), spacing=(0.5, 0.25))
            for k in range(3):
                series.write(0.5 * k, "u", u * k)
                series.write(0.5 * k, "half", np.astype(u, "float32"))
        np.barrier()
        root = tree.parse(self.path).getroot()
        self.assertEqual([float(time.get("Value")) for time in root.iter("Time")], [0.0, 0.5, 1.0])
        fields = list(root.iter("Attribute"))
        self.assertEqual([field.get("Name") for field in fields], ["u", "half"] * 3)
        for k, field in enumerate(fields):
            item = field.find("DataItem")
            self.assertEqual(item.get("Dimensions").split(), ["1", "30", "40"])
            of = "float32" if k % 2 else "float64"
            got = numpy.fromfile(os.path.join(self.folder, item.text.strip()), of).reshape(30, 40)
            numpy.testing.assert_array_equal(got, a.astype("float32") if k % 2 else a * (k // 2))
        places = [item.text.split() for item in root.iter("DataItem") if item.get("Format") == "XML"]
        self.assertEqual([list(map(float, p)) for p in places[:2]], [[0, 1, 2], [1, 0.5, 0.25]])

    def test_errors(self):
        u = np.ones((3, 4))
        with self.assertRaises(FileNotFoundError):
            np.xdmf_open("/nowhere/x.xdmf")
        with np.xdmf_open(self.path) as series:
            series.write(1.0, "u", u)
            for call, words in ((lambda: series.write(1.0, "u", u), "written twice"),
                                (lambda: series.write(0.5, "u", u), "time 0.5 after 1"),
                                (lambda: series.write(2.0, "a/b", u), "no field's name"),
                                (lambda: series.grid((0,), (0, 1)), "axes"),
                                (lambda: np.xdmf_open(self.path), "a series that is open writes its files")):
                with self.assertRaisesRegex(ValueError, words):
                    call()
            with self.assertRaises(TypeError):
                series.write("later", "u", u)
            series.write(2.0, "u", u)
        series.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            series.write(3.0, "u", u)

    def test_the_version(self):
        self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+.*", np.__version__))
        project = os.path.join(os.path.dirname(__file__), "..", "..", "pyproject.toml")
        with open(project) as file:
            self.assertIn(f'version = "{np.__version__}"', file.read())
