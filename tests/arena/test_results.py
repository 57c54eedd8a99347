"""Results of several records: each game counts once, wherever the records are."""

import msgspec
import pytest

from ludus import lines
from ludus.arena.record import MatchPlan, Record, read_record, record_of, renamed
from ludus.arena.results import read_results
from ludus.arena.summary import MatchGame, summary

WEIGHTS = "98339f012e9480ef/11112222"


def a_game(pair, first, winner, actions, *, game="tictactoe"):
    second = "random" if first != "random" else "tiny"
    return MatchGame(game, pair, first, second, actions, opening=1, winner=winner, forfeit="")


GAMES = [
    a_game(0, "tiny", "tiny", [0, 3, 1, 4, 2]),
    a_game(0, "random", "tiny", [0, 3, 8, 4, 7, 5]),
    a_game(1, "tiny", "random", [1, 3, 8, 4, 7, 5]),
    a_game(1, "random", "random", [1, 3, 0, 4, 2]),
]


@pytest.fixture
def record(tmp_path):
    """Return a function that writes a record of games under the given names of the players."""

    def write(file, games, *, tiny="tiny", identity=WEIGHTS, seed=0, specs=("tictactoe",), turned=False):
        sides = (tiny, "random", identity, "")
        a, b, a_is, b_is = (sides[1], sides[0], sides[3], sides[2]) if turned else sides
        plan = MatchPlan(a, b, list(specs), seed, opening_actions=1, balanced=False, a_is=a_is, b_is=b_is)
        kept = Record(tmp_path / file, plan)
        for game in games:
            kept.add(renamed(game, {"tiny": tiny}))
        return kept.path

    return write


def read(*paths):
    said = []
    results = read_results(paths, said.append)
    return [(each.a, each.wins, each.draws, each.losses) for each in results], said


def test_a_match_repeated_under_another_name_counts_once_and_is_reported(record):
    old, again = record("1", GAMES), record("2", GAMES, tiny="tiny#98339f01")
    assert read(old, again) == (
        [("tiny", 2, 0, 2)],
        [
            "4 games are skipped because other records of the same two players contain the same actions; each of "
            "these counts once"
        ],
    )


def test_of_records_that_share_some_games_the_others_count(record):
    one, other = record("1", GAMES[:3]), record("2", GAMES[1:], seed=1)
    results, said = read(one, other)
    assert results == [("tiny", 2, 0, 1), ("tiny", 0, 0, 1)]
    assert [sentence.split(" because")[0] for sentence in said] == ["2 games are skipped"]


def test_the_order_of_the_players_does_not_matter(record):
    assert read(record("1", GAMES), record("2", GAMES, turned=True))[0] == [("tiny", 2, 0, 2)]


def test_a_single_skipped_game_is_reported_in_the_singular(record):
    assert read(record("1", GAMES), record("2", GAMES[:1]))[1][0].startswith("1 game is skipped because another record")


def test_other_players_openings_and_sides_are_other_games(record):
    changed = [
        [msgspec.structs.replace(GAMES[0], opening=0)],
        [msgspec.structs.replace(GAMES[0], first="random", second="tiny")],
        [msgspec.structs.replace(GAMES[0], game="other")],
    ]
    for number, games in enumerate(changed):
        assert len(read(record("1", GAMES[:1]), record(f"changed-{number}", games))[0]) == 2
    results, said = read(record("1", GAMES[:1]), record("namesake", GAMES[:1], identity="d910199ddf0d8472/11112222"))
    assert [name for name, *_ in results] == ["tiny#98339f01", "tiny#d910199d"]
    assert said == []


def test_games_of_one_record_that_repeat_each_other_all_count(record):
    path = record("1", [GAMES[0], msgspec.structs.replace(GAMES[0], pair=1)])
    assert read(path) == ([("tiny", 2, 0, 0)], [])
    assert read_results([path])[0].repeats == 1


@pytest.mark.parametrize(
    ("known", "missing"), [([0, 1, 2, 3], 0), ([0, 1], 0), ([0, 1, 3], 1), ([3], 3), ([2, 3], 2), ([0, 2], 2)]
)
def test_missing_games_of_an_interrupted_match_are_counted(record, known, missing):
    games = [GAMES[number] for number in known]
    assert [each.missing for each in read_results([record("1", games), record("2", games)])] == [missing]


def test_games_that_another_record_holds_are_not_missing(record):
    one, other = record("1", GAMES[:2]), record("2", GAMES[1:] + GAMES[:1])
    assert [each.missing for each in read_results([one, other])] == [0, 0]


def test_a_sequential_gate_match_is_skipped(tmp_path):
    whole = summary(["tictactoe"], "gen-0001", "gen-0000", [])
    ended = msgspec.structs.replace(whole, sequential=True)
    lines.begin(tmp_path / "matches.jsonl", ended)
    lines.append(tmp_path / "matches.jsonl", whole)
    assert read_results([tmp_path]) == [whole]


def test_a_record_that_a_test_has_ended_is_marked(record, tmp_path):
    path = record("1", GAMES)
    plan, games = read_record(path)
    tested = Record(tmp_path / "tested", msgspec.structs.replace(plan, test="0,20,0.05,0.05"))
    for game in games:
        tested.add(game)
    (plain,), (marked,) = read_results([path]), read_results([tested.path])
    assert marked == msgspec.structs.replace(plain, sequential=True)


def test_records_are_read_without_the_files_of_their_games(record):
    there = [msgspec.structs.replace(game, game="gone.py" if game.pair == 0 else "tictactoe") for game in GAMES]
    (result,) = read_results([record("1", there, specs=("gone.py", "tictactoe"))])
    assert result == summary(["gone.py", "tictactoe"], "tiny", "random", there)
    assert result.by_game == {"gone.py": (2, 0, 0), "tictactoe": (0, 0, 2)}


def test_a_board_is_named_by_its_games_or_by_its_spec(record):
    there = [msgspec.structs.replace(game, game="full name") for game in GAMES[:2]]
    (result,) = read_results([record("1", there, specs=("short", "other"))])
    assert result.games == ["full name", "other"]
    assert result.by_game == {"full name": (2, 0, 0), "other": (0, 0, 0)}


# ---- the files of a league -------------------------------------------------------------------------------------------


def plan(a, b, *, a_is="", b_is=""):
    return MatchPlan(a, b, ["tictactoe"], 0, opening_actions=1, balanced=False, a_is=a_is, b_is=b_is)


def test_players_without_weights_are_named_in_full(tmp_path):
    assert record_of(tmp_path, plan("minimax@3", "random")) == tmp_path / "minimax@3--random.jsonl"


def test_the_file_of_a_match_does_not_depend_on_the_marks_of_names(tmp_path):
    alone, marked = (record_of(tmp_path, plan("random", name, b_is=WEIGHTS)) for name in ("tiny", "tiny#98339f01"))
    assert alone == marked
    assert alone.name.startswith("random--tiny_")


def test_different_players_have_different_files(tmp_path):
    players = [
        ("my net", WEIGHTS),
        ("my_net", WEIGHTS),
        ("my net", ""),
        ("my_net", ""),
        ("my/net", ""),
        ("my_net", "98339f012e9480ef/33334444"),
    ]
    files = {record_of(tmp_path, plan(name, "random", a_is=identity)) for name, identity in players}
    assert len(files) == len(players)


@pytest.mark.parametrize("old", ["random--tiny.jsonl", "random--tiny_98339f01.jsonl"])
@pytest.mark.parametrize("name", ["tiny", "tiny#98339f01"])
def test_a_record_of_the_same_players_under_an_earlier_name_continues(tmp_path, old, name):
    there = "tiny#98339f01" if "_" in old else "tiny"
    Record(tmp_path / old, plan("random", there, b_is=WEIGHTS)).add(
        MatchGame("tictactoe", 0, there, "random", [4, 0], opening=1, winner=there, forfeit=f"{there} played 9.")
    )
    wanted = plan("random", name, b_is=WEIGHTS)
    path = record_of(tmp_path, wanted)
    assert path == tmp_path / old
    kept = Record(path, wanted)
    assert [(game.first, game.second, game.winner) for game in kept.games] == [(name, "random", name)]
    kept.add(MatchGame("tictactoe", 0, "random", name, [4, 1], opening=1, winner=None, forfeit=""))
    assert [(game.first, game.second) for game in kept.games] == [(name, "random"), ("random", name)]
    assert Record(path, wanted).games == kept.games
    assert len(Record(path, plan("random", there, b_is=WEIGHTS)).games) == 2
    results = read_results([path])
    assert [(each.a, each.b, each.wins, each.draws, each.losses) for each in results] == [("random", "tiny", 0, 1, 1)]


def test_the_record_of_a_namesake_is_not_used(tmp_path):
    Record(tmp_path / "random--tiny.jsonl", plan("random", "tiny", b_is="d910199ddf0d8472/11112222"))
    (tmp_path / "random--tiny_98339f01.jsonl").write_bytes(b'{"torn')
    assert record_of(tmp_path, plan("random", "tiny", b_is=WEIGHTS)).name.startswith("random--tiny_")
    assert not record_of(tmp_path, plan("random", "tiny", b_is=WEIGHTS)).exists()
