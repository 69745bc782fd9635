"""What all tests share: the command run in process, derandomised Hypothesis, the data that lies beside a checkout."""

from pathlib import Path

import pytest
from hypothesis import settings

from metameasure.cli import main

settings.register_profile("metameasure", derandomize=True, deadline=None)
settings.load_profile("metameasure")

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run(capsys):
    """Run the command: exit status, standard output, standard error."""

    def run_command(*arguments):
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_command


@pytest.fixture
def shared_data():
    """The folder of real data beside a checkout; tests skip where it is absent."""
    folder = ROOT.parent / "shared/data"
    if not folder.is_dir():
        pytest.skip("there is no ../shared/data")
    return folder
