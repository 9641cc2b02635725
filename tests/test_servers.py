"""The guards around tests that need other programs: they skip where one is missing, and fail where it is required."""

import os
from pathlib import Path

import pytest

from tests.servers import need_network_namespaces, required


def test_a_missing_program_skips_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAMY_NGINX", raising=False)
    with pytest.raises(pytest.skip.Exception, match="not installed"):
        required("no-such-program", "GRAMY_NGINX")


def test_a_missing_program_that_is_required_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMY_NGINX", "required")
    with pytest.raises(AssertionError, match="GRAMY_NGINX=required"):
        required("no-such-program", "GRAMY_NGINX")


@pytest.mark.parametrize(("setting", "outcome"), [("", pytest.skip.Exception), ("required", AssertionError)])
def test_a_user_who_may_not_make_network_namespaces_skips_the_test(
    setting: str, outcome: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = tmp_path / "ip"
    refused.write_text("#!/bin/sh\necho 'Operation not permitted' >&2\nexit 1\n")
    refused.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("GRAMY_FAULTS", setting)
    with pytest.raises(outcome, match="network namespaces cannot be made"):
        need_network_namespaces()
