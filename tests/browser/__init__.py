"""Tests in a real browser. A package, so that it is closed before the tests that run an event loop of their own."""
