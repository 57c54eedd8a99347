"""Go, loaded by `ludus.game("go:NxN[@FxF][:RULES][:OPTION...]")`, e.g. `go:9x9`, `go:19x19:chinese:handicap=4`.

NxN            the board, 2x2 to 19x19
@FxF           size of the frame for planes and actions; the board is at its top left (default: the board's size)
RULES          tromp-taylor (default), button, chinese, chinese-ogs, chinese-kgs, aga, bga, new-zealand, japanese,
               korean
ko=, scoring=, suicide=, bonus=, button=
               change a field of the rules: simple, positional, situational; area, territory; yes, no; 0, n-1, n;
               yes, no
komi=K         White's komi (default: 7.5; 6.5 under territory scoring; 0.5 with handicap)
handicap=N     stones at the usual points; free=N: stones that Black places freely
plies=N        the game ends after N plies and is scored as it stands (default: twice the points of the board in
               training and matches; no limit between people)
marking        after two passes, people mark dead stones, and agree or resume play
pass-lock      no pass while the number of neutral points changes, so self-play continues to the real end
liberties, history
               additional planes: groups with one to three liberties; the last seven boards
seed           the 18 planes of Leela Zero
"""

import re
from collections.abc import Callable

import numpy as np

from ludus.errors import BadGame
from ludus.games.about import STANDARD, About, Options, SetupField, Variant
from ludus.games.game import Game
from ludus.games.go import layout
from ludus.games.go.arrange import EDITOR
from ludus.games.go.count import final_maps
from ludus.games.go.describe import describe, handed, reason, terms
from ludus.games.go.heuristic import heuristic
from ludus.games.go.layout import first_hash, width_of
from ludus.games.go.planes import MASK, action_places, encoder, plane_names, plane_scale, score_weights
from ludus.games.go.ranks import rank_words
from ludus.games.go.renewal import renewer
from ludus.games.go.rules import rules
from ludus.games.go.rulesets import DEFAULT, FIELDS, KO_RULES, RULE_SETS, RuleSet, most_fixed_handicap
from ludus.games.go.start import MOST_KOMI, Defaults, setup_of, starter
from ludus.games.go.symmetry import symmetries
from ludus.games.go.view import action_text, parse_move
from ludus.games.packed import with_field, write_field
from ludus.games.rules import State
from ludus.games.themes import takes

__all__ = ["about", "make"]

FORM = "go:NxN[@FxF][:RULES][:OPTION...], e.g. go:9x9 or go:19x19:japanese:komi=6.5"
SWITCHES = ("marking", "pass-lock", "liberties", "history", "seed")
NUMBERS = ("komi", "handicap", "free", "plies")
MARKS_A_POINT = 4
"""Extra actions per point in the length cap, for marking dead stones and agreeing about them."""


def _records() -> object:
    from ludus.games.go.sgf_format import SGF  # not needed to play

    return SGF


about = About(
    title="Go",
    aim="Surround more of the board.",
    example="C5 G5 E3 E7 G3 C7 F6 F7 D6",
    variants=(
        Variant(STANDARD, "Tromp-Taylor", board=(9, 9)),
        Variant("chinese", "Chinese"),
        Variant("japanese", "Japanese"),
        Variant("aga", "AGA"),
        Variant("new-zealand", "New Zealand"),
        Variant("button", "Button Go", "Surround more of the board; the first pass takes half a point."),
        *(Variant(rules, listed=False) for rules in ("tromp-taylor", "chinese-ogs", "chinese-kgs", "bga", "korean")),
    ),
    sizes=((9, 9), (13, 13), (19, 19)),
    setup=(
        SetupField("handicap", "Handicap", "choice", ["0", *map(str, range(2, 10))]),
        SetupField("komi", "Komi", "number", hint="usual"),
    ),
    terms=terms,
    rank=rank_words,
    options=Options(
        planes=("liberties", "history", "seed"),
        people=("marking",),
        training=("pass-lock",),
        limits=("plies",),
        records=("marking", "pass-lock"),
    ),
    frames=True,
    editor=EDITOR,
    themes=(("Capture", takes(1, 3)), ("Life and death", takes(4))),
    engines=("gtp",),
    analysis_dialects=("katago",),
    lead=handed,
    records=_records,
)


def make(*parts: str) -> Game:
    """Return the Go variant of the options; raise BadGame if they are wrong."""
    spec = ":".join(("go", *parts))

    def refuse(what: str) -> BadGame:
        return BadGame(f"{spec}: {what}.")

    size, frame = _board(parts, refuse)
    rule_set, options, switches = _options(parts[1:], refuse)
    plies = _whole(options.get("plies", str(2 * size * size)), 1, layout.MAX_PLIES, "plies", refuse)
    defaults = _defaults(size, frame, plies, rule_set, options, switches, refuse)
    width = width_of(frame)
    has_history = rule_set.ko != "simple"
    room = max(plies, 2 * frame * frame if frame > size else 0)  # all boards in a frame share one state size
    shows = {plane: plane in switches for plane in ("liberties", "history", "seed")}
    names = plane_names(**shows, button=rule_set.button)
    cells = frame * frame
    game = Game(
        name=spec,
        state_size=first_hash(defaults.options, width) + (room + 1) * has_history,
        dtype="uint64",
        num_actions=cells + 1,
        planes=(len(names), frame, frame),
        plane_scale=plane_scale(len(names)),
        plane_names=names,
        mask_plane=None if "seed" in switches else MASK,
        action_places=action_places(frame),
        action_classes={"pass": (cells,)},
        max_actions=plies + MARKS_A_POINT * cells * ("marking" in switches),
        start=starter(defaults),
        **rules(width),
        encode=encoder(width),
        heuristic=heuristic(width),
        num_symmetries=8,
        **symmetries(width),
        num_maps=2,
        final_maps=final_maps(width),
        score_weights=score_weights(len(names), _handed(defaults)),
        players=("Black", "White"),
        action_text=action_text,
        parse_move=lambda state, text: parse_move(game.calls, state, text),
        describe=describe,
        reason=reason,
        setup=setup_of,
        for_search=_searched,
        renew=None if "plies" in options else renewer(width),
    )
    return game


def _handed(defaults: Defaults) -> float:
    """Return White's komi and compensation in a game without a setup, in points."""
    handicap = defaults.handicap or defaults.free
    return defaults.usual_komi(handicap) + defaults.rule_set.compensation(handicap)


def _searched(state: State) -> State:
    """Return the engine's state: dead stones stay as marked, two passes end the game, and the engine fills no eyes.

    Where dead stones are marked already, the engine agrees or resumes play.
    """
    state = state.copy()
    write_field(state, layout.SEARCHED, 1)
    return state


Refuse = Callable[[str], BadGame]


def _board(parts: tuple[str, ...], refuse: Refuse) -> tuple[int, int]:
    sides = re.fullmatch(r"(\d{1,2})x(\d{1,2})(?:@(\d{1,2})x(\d{1,2}))?", parts[0] if parts else "", re.ASCII)
    if not sides:
        raise refuse(f"the name lacks a board; write {FORM}")
    size, frame = int(sides[1]), int(sides[3] or sides[1])
    if size != int(sides[2]) or frame != int(sides[4] or sides[2]):
        raise refuse("boards and frames must be square")
    if not 2 <= size <= frame <= layout.MAX_SIZE:
        raise refuse(f"boards are 2x2 to {layout.MAX_SIZE}x{layout.MAX_SIZE}, and no larger than their frame")
    return size, frame


def _options(parts: tuple[str, ...], refuse: Refuse) -> tuple[RuleSet, dict[str, str], set[str]]:
    """Split the options into the rules, the options with values, and the switches."""
    named = [part for part in parts if part in RULE_SETS]
    rule_set, options, switches = RULE_SETS[named[0] if named else DEFAULT], dict[str, str](), set[str]()
    for part in parts:
        name, _, value = part.partition("=")
        if name in options or part in switches or (part in named and len(named) > 1):
            raise refuse(f"{part} is repeated, or excludes an earlier option")
        if part in SWITCHES:
            switches.add(part)
        elif (name in FIELDS and value in FIELDS[name]) or (name in NUMBERS and value):
            options[name] = value
        elif part not in RULE_SETS:
            fields = [f"{field}={'|'.join(values)}" for field, values in FIELDS.items()]
            known = ", ".join([*RULE_SETS, *fields, *(f"{number}=N" for number in NUMBERS), *SWITCHES])
            raise refuse(f"unknown option {part!r}; options are {known}")
    if "seed" in switches and switches & {"liberties", "history"}:
        raise refuse("seed has its own planes; leave out liberties and history")
    if "handicap" in options and "free" in options:
        raise refuse("handicap and free exclude each other")
    fields = {name: options[name] for name in FIELDS if name in options}
    return (
        RuleSet(
            ko=fields.get("ko", rule_set.ko),  # pyright: ignore[reportArgumentType]
            scoring=fields.get("scoring", rule_set.scoring),  # pyright: ignore[reportArgumentType]
            suicide=fields["suicide"] == "yes" if "suicide" in fields else rule_set.suicide,
            bonus=fields.get("bonus", rule_set.bonus),  # pyright: ignore[reportArgumentType]
            button=fields["button"] == "yes" if "button" in fields else rule_set.button,
        ),
        options,
        switches,
    )


def _whole(text: str, least: int, most: int, name: str, refuse: Refuse) -> int:
    if not text.isdecimal() or not least <= int(text) <= most:
        raise refuse(f"{name}={text} is not between {least} and {most}")
    return int(text)


def _defaults(
    size: int, frame: int, plies: int, rule_set: RuleSet, options: dict[str, str], switches: set[str], refuse: Refuse
) -> Defaults:
    handicap = free = 0
    if "handicap" in options and options["handicap"] != "0":
        if not most_fixed_handicap(size):
            raise refuse("this board size has no usual handicap points; write free=N")
        handicap = _whole(options["handicap"], 2, most_fixed_handicap(size), "handicap", refuse)
    if "free" in options:
        free = _whole(options["free"], 0, size * size // 2, "free", refuse)
    komi = None
    if "komi" in options:
        if not re.fullmatch(r"-?\d{1,3}(\.[05])?", options["komi"]) or abs(float(options["komi"])) > MOST_KOMI:
            raise refuse(f"komi={options['komi']} is not a multiple of 0.5 up to {MOST_KOMI:g}")
        komi = float(options["komi"])
    words = [np.uint64(0), np.uint64(0)]
    for where, value in (
        (layout.SIZE, size),
        (layout.FRAME, frame),
        (layout.LIMIT, plies),
        (layout.KO_RULE, KO_RULES[rule_set.ko]),
        (layout.SUICIDE, int(rule_set.suicide)),
        (layout.TERRITORY, int(rule_set.scoring == "territory")),
        (layout.MARKING, int("marking" in switches)),
        (layout.PASS_LOCK, int("pass-lock" in switches)),
        (layout.KOMI, layout.NO_KOMI),
        (layout.SHOWS_LIBERTIES, int("liberties" in switches)),
        (layout.SHOWS_HISTORY, int(bool({"history", "seed"} & switches))),
        (layout.SEED_PLANES, int("seed" in switches)),
    ):
        words[where[2]] = with_field(words[where[2]], where, value)
    return Defaults(words[layout.RULES], words[layout.OPTIONS], rule_set, komi, handicap, free)
