"""Property tests print the line that reproduces a failure, and are never failed by a slow machine."""

from hypothesis import settings

settings.register_profile("gramy", print_blob=True, deadline=None)
settings.load_profile("gramy")
