"""Searches for better search settings: optuna proposes them, and paired games against the defaults score them.

Proposals come from optuna's tree-structured Parzen estimator (Bergstra et al. 2011), an optional package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ludus.errors import BadInput, BadRecord, Unavailable, with_extra
from ludus.files import make_folder
from ludus.search.settings import SearchSettings
from ludus.seeding import stream

if TYPE_CHECKING:
    from optuna import Study, Trial

FILE = "sweep.log"
COSTLY = ("cache_entries", "root_symmetries")  # change the number of evaluations per visit
UNUSED = (  # settings of exploration, which matches do not use
    "noise_share",
    "noise_alpha",
    "noise_shaped",
    "root_temperature",
    "forced_playouts",
    "gumbel_actions",
    "gumbel_visits",
    "gumbel_scale",
)
NOT_SWEPT = (*UNUSED, "leaves", "proofs", "foresight")  # `leaves`: see `check_effort`; the others are not numeric
_FORM = "write NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=THIS|THAT, such as cpuct=1:4:log or choice=visits|bound"


class SweepAxis(msgspec.Struct, frozen=True):
    """A setting that varies between two numbers or among words."""

    name: str
    low: float = 0.0
    high: float = 0.0
    logarithmic: bool = False
    whole: bool = False
    words: tuple[str, ...] = ()

    def propose(self, trial: Trial) -> float | int | str:
        """Return a value proposed by optuna."""
        if self.words:
            return str(trial.suggest_categorical(self.name, self.words))
        if self.whole:
            return trial.suggest_int(self.name, int(self.low), int(self.high), log=self.logarithmic)
        return trial.suggest_float(self.name, self.low, self.high, log=self.logarithmic)


class Tried(NamedTuple):
    """A proposal and its score."""

    settings: dict[str, float | int | str]
    score: float
    """Share of the points against the default settings, in [0, 1]."""


def read_axis(text: str) -> SweepAxis:
    """Parse `NAME=LOW:HIGH[:log]` or `NAME=THIS|THAT`; raises BadInput, also for invalid values."""
    name, _, values = text.partition("=")
    if name not in SearchSettings.__struct_fields__:
        raise BadInput(f"--vary {text}: the search has no setting {name!r}; it has {', '.join(_names())}.")
    usual = getattr(SearchSettings(), name)
    words, numbers = tuple(values.split("|")), values.split(":")
    try:
        if isinstance(usual, str):
            axis, ends = SweepAxis(name, words=words), words
        else:
            low, high = float(numbers[0]), float(numbers[1])
            axis, ends = SweepAxis(name, low, high, numbers[2:] == ["log"], isinstance(usual, int)), (low, high)
            if not low < high or numbers[2:] not in ([], ["log"]) or (axis.logarithmic and low <= 0.0):
                raise ValueError("the first number must be below the second, and above 0 with log")
            if axis.whole and any(math.modf(end)[0] for end in ends):
                raise ValueError("both must be whole numbers")
        for end in ends:
            settings_with({name: int(end) if axis.whole else end})
    except (ValueError, OverflowError, IndexError, msgspec.ValidationError) as error:
        raise BadInput(f"--vary {text}: {_FORM} ({error}).") from error
    return axis


def check_effort(axes: Sequence[SweepAxis], seconds: float | None) -> None:
    """Check that equal visits, or equal `seconds` if given, compare each axis fairly; raises BadInput otherwise."""
    for name in (axis.name for axis in axes):
        if name in UNUSED:
            raise BadInput(
                f"--vary {name}: only self-play uses it, so matches cannot compare it; train with "
                "each value, and let the networks play each other."
            )
        if name in COSTLY and seconds is None:
            raise BadInput(
                f"--vary {name}: it changes the cost of a visit, so equal visits are not equal effort; give both "
                "sides equal time with --seconds."
            )
        if name == "leaves":  # larger values save time but cost some strength at equal visits
            raise BadInput(
                "--vary leaves: equal visits hide the time that it saves, and with --seconds players choose it "
                "themselves; measure it with python bench/leaves.py."
            )


def settings_with(changes: dict[str, Any]) -> SearchSettings:
    """Return the default settings with some changes; raises msgspec.ValidationError."""
    return msgspec.convert(msgspec.to_builtins(SearchSettings()) | changes, SearchSettings)


def sweep(
    axes: Sequence[SweepAxis],
    play: Callable[[SearchSettings], float],
    *,
    trials: int,
    folder: Path,
    plan: dict[str, Any],
    seed: int = 0,
    on_trial: Callable[[Tried], object] = lambda _tried: None,
) -> list[Tried]:
    """Try proposals until `trials` are finished, including those of earlier processes; return them, best first.

    Args:
        axes: the settings to vary.
        play: returns the share of points of the given settings against the defaults.
        trials: number of all trials.
        folder: folder of the record.
        plan: settings of the games; a record with another plan is refused.
        seed: determines the proposals.
        on_trial: called with each finished trial.

    Raises:
        Unavailable: optuna is not installed.
        BadInput: the record in the folder has another plan.
        BadRecord: the record cannot be read.
    """
    study = _open(folder, plan | {"axes": msgspec.to_builtins(axes)}, seed)

    def judge(trial: Trial) -> float:
        settings = {axis.name: axis.propose(trial) for axis in axes}
        score = play(settings_with(settings))
        on_trial(Tried(settings, score))
        return score

    study.optimize(judge, n_trials=max(0, trials - len(_finished(study))))
    return sorted(_finished(study), key=lambda tried: -tried.score)


def _open(folder: Path, plan: dict[str, Any], seed: int) -> Study:
    try:
        import optuna
        from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock
    except ImportError as error:
        raise Unavailable(f"Sweeping needs optuna; install it with {with_extra('sweep')}.") from error
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    file = str(folder / FILE)
    written = msgspec.json.encode(plan).decode()
    try:
        make_folder(folder)
        _cut_torn_line(folder / FILE)
        storage = optuna.storages.JournalStorage(JournalFileBackend(file, lock_obj=JournalFileOpenLock(file)))
        study = optuna.create_study(
            storage=storage, study_name="sweep", direction="maximize", load_if_exists=True
        )  # fmt: skip
    except OSError as error:
        raise Unavailable(f"{file}: cannot be written ({error.strerror}); name another folder.") from error
    except (ValueError, KeyError) as error:
        raise BadRecord(f"{file}: cannot be read ({error}); remove it, or name another folder.") from error
    tried = len(_finished(study))
    # A continued sweep needs another seed, or it would repeat its proposals.
    study.sampler = optuna.samplers.TPESampler(seed=int(stream(seed, "sweep", tried).integers(1 << 32)))
    if study.user_attrs.get("plan", written) != written:
        raise BadInput(f"{file}: belongs to another sweep (model, games or settings differ); name another folder.")
    study.set_user_attr("plan", written)
    return study


def _cut_torn_line(file: Path) -> None:
    """Remove a torn last line, since optuna would append to it."""
    if file.is_file():
        data = file.read_bytes()
        if not data.endswith(b"\n"):
            with file.open("r+b") as opened:
                opened.truncate(data.rfind(b"\n") + 1)


def _finished(study: Study) -> list[Tried]:
    return [Tried(dict(trial.params), trial.value) for trial in study.trials if trial.value is not None]


def _names() -> list[str]:
    return sorted(set(SearchSettings.__struct_fields__) - set(NOT_SWEPT))
