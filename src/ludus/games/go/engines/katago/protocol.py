"""Messages of KataGo's analysis protocol: JSON lines that request analyses of Go positions, and return them.

Source: KataGo's documentation, docs/Analysis_Engine.md.  A query is a JSON object with `boardXSize`; an action has
`action`.  Which fields Ludus supports is documented in docs/reference/katago-analysis.md.
"""

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from ludus.errors import BadMessage

PlayerName = Annotated[str, Meta(pattern="^([BbWw]|[Bb]lack|[Ww]hite)$")]
Size = Annotated[int, Meta(ge=2, le=19)]
Seconds = Annotated[float, Meta(ge=0.001, le=1e6)]

DEFAULT_VISITS = 500


class BadField(BadMessage):
    """Raised for an invalid message; `field` names the field at fault, empty if there is none."""

    def __init__(self, text: str, name: str = "") -> None:
        """Create the error."""
        super().__init__(text)
        self.field = name


class Restriction(Struct, frozen=True, rename="camel"):
    """Moves that a player must avoid, or is restricted to."""

    player: PlayerName
    moves: list[str]
    until_depth: Annotated[int, Meta(ge=1)]


class KataGoQuery(Struct, frozen=True, rename="camel"):
    """Request to analyse positions of one game."""

    id: str
    board_x_size: Size
    board_y_size: Size
    moves: list[tuple[PlayerName, str]]
    rules: str | dict[str, Any]
    komi: Annotated[float, Meta(ge=-150, le=150)] | None = None
    white_handicap_bonus: Literal["0", "N", "N-1"] | None = None
    initial_stones: list[tuple[PlayerName, str]] = []
    initial_player: PlayerName | None = None
    analyze_turns: list[int] | None = None
    priority: int = 0
    priorities: list[int] | None = None
    max_visits: Annotated[int, Meta(ge=1)] | None = None
    include_ownership: bool = False
    include_moves_ownership: bool = False
    include_policy: bool = False
    include_pv_visits: bool = field(default=False, name="includePVVisits")
    analysis_pv_len: Annotated[int, Meta(ge=1, le=1000)] = field(default=15, name="analysisPVLen")
    avoid_moves: list[Restriction] = []
    allow_moves: list[Restriction] = []
    override_settings: dict[str, Any] = {}
    report_during_search_every: Seconds | None = None


class KataGoAction(Struct, frozen=True, rename="camel"):
    """Request that is not about a position."""

    id: str
    action: Literal["query_version", "query_models", "clear_cache", "terminate", "terminate_all"]
    terminate_id: str = ""
    turn_numbers: list[int] | None = None


class KataGoMove(Struct, frozen=True, rename="camel"):
    """A visited move, with its statistics."""

    move: str
    order: int
    visits: int
    prior: float
    win_share: float = field(name="winrate")
    lcb: float
    utility: float
    utility_lcb: float
    pv: list[str]
    score_lead: float | UnsetType = UNSET
    score_mean: float | UnsetType = UNSET
    score_selfplay: float | UnsetType = UNSET
    score_stdev: float | UnsetType = UNSET
    pv_visits: list[int] | UnsetType = UNSET
    ownership: list[float] | UnsetType = UNSET


class KataGoRoot(Struct, frozen=True, rename="camel"):
    """The statistics of the position itself."""

    mover: Literal["B", "W"] = field(name="currentPlayer")
    visits: int
    win_share: float = field(name="winrate")
    utility: float
    this_hash: str
    sym_hash: str
    score_lead: float | UnsetType = UNSET
    score_selfplay: float | UnsetType = UNSET
    score_stdev: float | UnsetType = UNSET


class TurnResult(Struct, frozen=True, rename="camel"):
    """The analysis of one position; the last one for a turn has `isDuringSearch` false."""

    id: str
    turn_number: int
    is_during_search: bool = False
    no_results: bool | UnsetType = UNSET
    """True if the search was terminated before it began."""
    move_infos: list[KataGoMove] | UnsetType = UNSET
    root_info: KataGoRoot | UnsetType = UNSET
    ownership: list[float] | UnsetType = UNSET
    policy: list[float] | UnsetType = UNSET


class _Shape(Struct, rename="camel"):
    """The fields by which the protocol is recognised."""

    type: Any = UNSET
    action: Any = UNSET
    board_x_size: Any = UNSET
    board_y_size: Any = UNSET
    rules: Any = UNSET


def is_katago(line: str) -> bool:
    """Return whether a line is in this protocol; requests of Ludus' own have a `type`."""
    try:
        found = msgspec.json.decode(line, type=_Shape)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    marks = (found.action, found.board_x_size, found.board_y_size, found.rules)
    return found.type is UNSET and any(mark is not UNSET for mark in marks)


def decode_katago(line: str) -> tuple[KataGoQuery | KataGoAction, dict[str, Any]]:
    """Parse a line as a message; return it, and its fields as they are; raises BadField."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, Any])
        if not isinstance(fields.get("id"), str):
            raise BadField('Request must have a string "id" field')
        return msgspec.convert(fields, KataGoAction if "action" in fields else KataGoQuery), fields
    except msgspec.ValidationError as error:
        raise BadField(str(error).partition(" - at ")[0], _field_in(str(error))) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadField(f"{str(error)[:300]} - could not parse input line as json request") from error


def unused_fields(fields: dict[str, Any]) -> list[str]:
    """Return the fields of a query that have no meaning here."""
    return sorted(fields.keys() - set(KataGoQuery.__struct_encode_fields__))


def _field_in(message: str) -> str:
    """Return the name of the field at fault in a message of msgspec; empty if there is none."""
    found = re.search(r"at `\$\.(\w+)", message) or re.search(r"required field `(\w+)`", message)
    return found[1] if found else ""


def encode_katago(answer: TurnResult | dict[str, Any]) -> str:
    """Encode an answer as a line of JSON, without line feed."""
    return msgspec.json.encode(answer).decode()
