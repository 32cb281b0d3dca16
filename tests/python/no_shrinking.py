"""A plug-in of pytest: Hypothesis reports the first failing example as it is, since making it small takes a minute for
each test; and nothing that it draws depends on time or on files, so that all ranks draw the same."""
import random
import tempfile

from hypothesis import HealthCheck, Phase, settings
from hypothesis.configuration import set_hypothesis_home_dir

_home = tempfile.TemporaryDirectory()
set_hypothesis_home_dir(_home.name)
settings.register_profile("no_shrinking", phases=[Phase.explicit, Phase.generate], database=None,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("no_shrinking")


def pytest_runtest_setup(item):
    random.seed(1)  # a strategy's example() is the first of a shuffled list
