"""A plug-in of pytest: Hypothesis reports the first failing example as it is. Making it small takes a minute for each test."""
from hypothesis import Phase, settings

settings.register_profile("no_shrinking", phases=[Phase.explicit, Phase.reuse, Phase.generate], database=None)
settings.load_profile("no_shrinking")
