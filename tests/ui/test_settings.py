"""Settings: flags before the environment before the file; a wrong key is named; secrets stay secret."""

from pathlib import Path

import pytest

from ui.errors import SettingsError
from ui.settings import default_home, read_settings, without_password


def write(directory: Path, text: str) -> Path:
    (directory / "mailweave.toml").write_text(text)
    return directory


def test_flags_come_before_the_environment_and_the_environment_before_the_file(tmp_path: Path) -> None:
    directory = write(tmp_path, 'store = "from-file"\nchat_model = "from-file"\nembed_model = "from-file"\n')
    settings = read_settings(
        {"store": "from-flag", "chat_model": None},
        environment={"MAILWEAVE_STORE": "from-environment", "MAILWEAVE_CHAT_MODEL": "from-environment"},
        directory=directory,
    )
    assert (settings.store, settings.chat_model, settings.embed_model) == (
        "from-flag",
        "from-environment",
        "from-file",
    )


def test_an_unknown_key_is_named_with_the_one_that_was_meant(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"'chat_modell'.*Did you mean 'chat_model'"):
        read_settings(environment={}, directory=write(tmp_path, 'chat_modell = "x"\n'))


def test_a_file_that_is_no_toml_is_refused_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"mailweave\.toml is not valid TOML"):
        read_settings(environment={}, directory=write(tmp_path, "store =\n"))


@pytest.mark.parametrize(("line", "what"), [('gpu_layers = "many"', "gpu_layers"), ("store = 7", "store")])
def test_a_value_of_the_wrong_kind_is_refused_with_its_name(tmp_path: Path, line: str, what: str) -> None:
    with pytest.raises(SettingsError, match=what):
        read_settings(environment={}, directory=write(tmp_path, line))


def test_the_file_in_the_home_directory_counts_where_there_is_none_here(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, "gpu_layers = -1\n")
    settings = read_settings(environment={"MAILWEAVE_HOME": str(home)}, directory=tmp_path)
    assert settings.home == home
    assert settings.gpu_layers == -1
    assert settings.models == home / "models"


def test_root_does_not_keep_data_in_its_own_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert default_home({}) == Path("/var/lib/mailweave")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert default_home({"XDG_DATA_HOME": "/data"}) == Path("/data/mailweave")


@pytest.mark.parametrize(
    "dsn", ["postgresql://ana:hunter2@db.example/mail", "host=db.example user=ana password=hunter2", "pass hunter2 ="]
)
def test_a_password_is_never_shown(dsn: str, tmp_path: Path) -> None:
    settings = read_settings({"dsn": dsn}, environment={"MAILWEAVE_API_KEY": "hunter2"}, directory=tmp_path)
    assert "hunter2" not in repr(settings)
    assert "hunter2" not in without_password(dsn)
