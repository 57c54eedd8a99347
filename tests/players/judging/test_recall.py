"""Searches read evaluations from files, row by row; missing ones are computed, and appended in mode `append`."""

import hashlib
import logging

import msgspec
import numpy as np
import pytest

import ludus
from ludus.errors import BadInput, Unavailable
from ludus.evaluations.file import EvaluationFile, FileInfo
from ludus.evaluations.index import Rows
from ludus.games import tictactoe
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.players.judging.recall import Recall, in_order, state_key
from ludus.players.thinking.group import Group
from ludus.players.thinking.mind import Mind, owner_of
from ludus.search.settings import SearchSettings

GAME = ludus.game("tictactoe")
SEARCH = SearchSettings(cache_entries=0, leaves=4)


class PlanesEvaluator:
    """An evaluator that computes results from a hash of the planes, and counts rows."""

    def __init__(self):
        self.rows = 0

    def lane(self, batch):
        return PlanesLane(self, batch)


class PlanesLane:
    def __init__(self, evaluator, batch):
        self.planes = np.zeros((batch, *GAME.planes), np.uint8)
        self._evaluator, self._count = evaluator, 0

    def submit(self, count):
        self._count = count
        self._evaluator.rows += count

    def answer(self):
        judged = [judge(planes) for planes in self.planes[: self._count]]
        return tuple(np.ascontiguousarray(np.stack(each)) for each in zip(*judged, strict=True))


def judge(planes):
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(planes.tobytes()).digest()[:8], "little"))
    return rng.standard_normal(GAME.num_actions).astype(np.float32), rng.dirichlet((1, 1, 1)).astype(np.float32)


def info():
    return FileInfo("tictactoe", "rules", "start", "model", "weights")


def searched(evaluator, visits=60):
    """Search three trees, and return the visits of the children of each root."""
    group = Group(GAME, evaluator, SEARCH, num_trees=3, max_visits=visits)
    for tree, position in enumerate((GAME.start(), GAME.start().play(4), GAME.start().play(0))):
        group.new_tree(tree, position.state.view(np.uint64))
        group.set_target(tree, visits)
    while group.step():
        pass
    trees = group.trees
    return [
        trees.child["visits"][g, trees.child["first_child"][g, 0] :][: trees.child["num_children"][g, 0]].tolist()
        for g in range(3)
    ]


def test_a_search_with_a_file_is_unchanged_and_its_repetition_evaluates_nothing(tmp_path):
    plain, kept, read = PlanesEvaluator(), PlanesEvaluator(), PlanesEvaluator()
    wanted = searched(plain)
    with EvaluationFile(tmp_path / "t.ev", "append", begin=info()) as file:
        first = searched(Recall(kept, [file]))
        again = searched(Recall(read, [file]))
    assert kept.rows <= plain.rows
    assert read.rows == 0
    for found in (first, again):
        differences = [
            abs(a - b)
            for tree, wanted_tree in zip(found, wanted, strict=True)
            for a, b in zip(tree, wanted_tree, strict=True)
        ]
        assert max(differences) <= 2, "the file rounds priors and values"
    with EvaluationFile(tmp_path / "t.ev") as file:
        assert searched(Recall(PlanesEvaluator(), [file])) == again


def wins_at_once(state):
    for cell in range(9):
        if int(state[cell]) == 0:
            after = state.copy()
            tictactoe.play(after, cell)
            if int(tictactoe.outcome(after)) == 1 + int(state[9]):
                return 1 + int(state[9])
    return 0


def test_a_root_with_restricted_actions_is_neither_looked_up_nor_appended(tmp_path):
    rules = ("start", "to_play", "legal", "play", "outcome", "encode")
    sizes = {"state_size": 10, "num_actions": 9, "planes": GAME.planes, "max_actions": 9}
    game = ludus.Game(
        name="tictactoe", foresee=wins_at_once, **{each: getattr(tictactoe, each) for each in rules}, **sizes
    )
    position = game.start().play(0).play(4).play(1).play(3)  # wins at 2
    for foresight, number in ((True, 0), (False, 1), (True, 1)):
        asked = PlanesEvaluator()
        with EvaluationFile(tmp_path / "t.ev", "append", begin=info()) as file:
            settings = SearchSettings(cache_entries=0, foresight=foresight)
            group = Group(game, Recall(asked, [file]), settings, num_trees=1, max_visits=9)
            group.new_tree(0, position.state.view(np.uint64))
            group.set_target(0, 1)
            while group.step():
                pass
            assert len(file) == number
        assert (asked.rows, int(group.trees.node["num_edges"][0, 0])) == ((1, 1) if foresight else (1, 5))


def test_several_files_are_looked_up_in_order_and_the_one_in_append_mode_grows(tmp_path):
    with EvaluationFile(tmp_path / "whole.ev", "append", begin=info()) as whole:
        wanted = searched(Recall(PlanesEvaluator(), [whole]))
        with EvaluationFile(tmp_path / "part.ev", "append", begin=info()) as part:
            searched(Recall(PlanesEvaluator(), [part]), visits=12)
        with (
            EvaluationFile(tmp_path / "part.ev") as part,
            EvaluationFile(tmp_path / "new.ev", "append", begin=info()) as new,
        ):
            half, rest = PlanesEvaluator(), PlanesEvaluator()
            assert searched(Recall(half, [new, part])) == wanted
            assert 0 < half.rows == len(new) == len(whole) - len(part), "the second file is also used"
            assert searched(Recall(rest, [part, new])) == wanted
            assert rest.rows == 0


def test_the_first_file_with_a_position_is_used(tmp_path):
    keys, actions, counts = np.ones(1, np.uint64), np.arange(9, dtype=np.int16)[None], np.full(1, 9, np.int32)
    files = []
    for name, outcome in (("first", 1.0), ("second", 0.0)):
        outcomes = np.array([[outcome, 0.0, 1.0 - outcome]], np.float32)
        rows = Rows(keys, actions, counts, np.zeros((1, 9), np.float32), outcomes)
        files.append(EvaluationFile(tmp_path / f"{name}.ev", "append", begin=info()))
        files[-1].add(rows)
    for order, won in ((files, 1.0), (files[::-1], 0.0)):
        lane = Group(GAME, Recall(PlanesEvaluator(), order), SEARCH, num_trees=1, max_visits=2).lane
        asked = Rows(keys, actions, counts, np.zeros((1, 9), np.float32), np.zeros((1, 3), np.float32))
        assert lane._look_up(asked).all()
        assert asked.outcomes[0, 0] == pytest.approx(won)
        assert asked.counts[0] == 9
    for file in files:
        file.close()


def test_each_row_gets_the_evaluation_of_its_own_position(tmp_path):
    """Half of the positions are in the file, so that batches mix rows of the file and of the evaluator."""
    with EvaluationFile(tmp_path / "t.ev", "append", begin=info()) as file:
        searched(Recall(PlanesEvaluator(), [file]), visits=12)
        group = Group(GAME, Recall(PlanesEvaluator(), [file]), SEARCH, num_trees=3, max_visits=60)
        for tree, position in enumerate((GAME.start(), GAME.start().play(4), GAME.start().play(1))):
            group.new_tree(tree, position.state.view(np.uint64))
            group.set_target(tree, 60)
        mixed = 0
        while count := group._steps[0](GAME.rules, group.t, group.c, group.parameters, 0):
            shown = group.lane.planes[:count].copy()
            legal = [group.trees.row_legal[row, : group.trees.row["count"][row]].copy() for row in range(count)]
            group.lane.submit(count)
            mixed += 0 < len(group.lane._asked) < count
            logits, outcomes = group.lane.answer()
            for row in range(count):
                wanted_logits, wanted_outcome = judge(shown[row])
                actions = legal[row]
                assert np.abs(softmax(wanted_logits[actions]) - softmax(logits[row, actions])).max() < 2 / 2048
                assert np.abs(wanted_outcome - outcomes[row]).max() < 1e-4
            group._steps[1](group.t, group.c, count, logits, outcomes)
        assert mixed, "some batches use both the file and the evaluator"


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def test_actions_are_sorted_by_number():
    marks, ordered = np.zeros(3, np.uint64), np.zeros(8, np.int16)
    in_order(np.array([150, 3, 64, 0, 63], np.int16), 5, ordered, marks)
    assert ordered[:5].tolist() == [0, 3, 63, 64, 150]
    assert not marks.any()


def test_searching_continues_when_the_disk_is_full(tmp_path, caplog, monkeypatch):
    with EvaluationFile(tmp_path / "t.ev", "append", begin=info()) as file:

        def refuse(rows):
            raise Unavailable("The disk is full.")

        monkeypatch.setattr(file, "add", refuse)
        with caplog.at_level(logging.WARNING):
            assert searched(Recall(PlanesEvaluator(), [file])) == searched(PlanesEvaluator())
    assert caplog.text.count("The disk is full. Further evaluations are not written.") == 1


# ---- models with files -----------------------------------------------------------------------------------------------


def mind_of(weights=1.0, evaluator=None):
    described = ModelInfo("plain", NetworkSettings(), Shapes.of(GAME), {"tictactoe": behaviour(GAME)})
    arrays = {"stem": np.full(3, weights, np.float32)}
    return Mind(Checkpoint(described, arrays), evaluator or PlanesEvaluator(), SEARCH)


def test_a_model_reads_evaluations_from_its_file(tmp_path):
    path, first, second = tmp_path / "t.ev", PlanesEvaluator(), PlanesEvaluator()
    mind = mind_of(evaluator=first)
    file = mind.attach(path, "append")
    thought = mind.think(GAME.start(), visits=100)
    assert 0 < len(file) <= first.rows
    mind.close()
    mind = mind_of(evaluator=second)
    mind.attach(path)
    again = mind.think(GAME.start(), visits=100)
    mind.close()
    assert second.rows < first.rows / 4, "nearly all positions are in the file; the order of two lanes may differ"
    assert again.best == thought.best


def test_a_file_attached_after_the_first_search_serves_later_seats(tmp_path):
    path, writer = tmp_path / "t.ev", mind_of()
    writer.attach(path, "append")
    writer.think(GAME.start(), visits=100)
    writer.close()
    evaluator = PlanesEvaluator()
    mind = mind_of(evaluator=evaluator)
    before = mind.seat(GAME.start())
    before.think(visits=100)
    rows = evaluator.rows
    mind.attach(path)
    mind.think(GAME.start(), visits=100)
    assert evaluator.rows - rows < rows / 4, "nearly all positions are in the file; the order of two lanes may differ"
    before.play(before.think(visits=120).best[0])  # the earlier seat still works
    mind.close()
    with pytest.raises(Unavailable):
        before.think(visits=200)


def test_a_model_reads_all_files_of_a_board_and_appends_to_the_first(tmp_path):
    for name, visits in (("short.ev", 20), ("long.ev", 100)):
        writer = mind_of()
        writer.attach(tmp_path / name, "append")
        writer.think(GAME.start(), visits=visits)
        writer.close()
    evaluator = PlanesEvaluator()
    mind = mind_of(evaluator=evaluator)
    short, long = (mind.attach(tmp_path / name, "append") for name in ("short.ev", "long.ev"))
    assert (short.mode, long.mode) == ("append", "read")
    before = len(short), len(long)
    mind.think(GAME.start(), visits=100)
    assert evaluator.rows < before[1] / 4, "nearly all positions are in the file; the order of two lanes may differ"
    assert (len(short) - before[0], len(long)) == (evaluator.rows, before[1])
    with pytest.raises(BadInput, match=r"new\.ev: there is no such file"):
        mind.attach(tmp_path / "new.ev", "append")
    mind.close()


def test_a_file_of_another_network_is_refused_and_its_owner_is_found(tmp_path):
    path = tmp_path / "t.ev"
    own, other = mind_of(1.0), mind_of(2.0)
    own.attach(path, "append")
    own.close()
    with pytest.raises(BadInput, match=r"contains evaluations of plain, generation 0 .* not of plain, generation 0"):
        other.attach(path)
    assert owner_of(path, [other, own]) is own
    assert owner_of(tmp_path / "new.ev", [other, own]) is other


@pytest.mark.parametrize("change", [{"rules": "0123456789abcdef"}, {"start": "0123456789abcdef"}])
def test_a_file_of_other_rules_is_refused(tmp_path, change):
    path = tmp_path / "t.ev"
    mind = mind_of()
    mind.attach(path, "append")
    mind.close()
    with EvaluationFile(path) as file:
        changed = msgspec.structs.replace(file.info, **change)
    EvaluationFile(tmp_path / "changed.ev", begin=changed).close()
    with pytest.raises(BadInput, match="the rules of tictactoe have changed"):
        mind_of().attach(tmp_path / "changed.ev")


def test_searches_and_state_key_use_the_same_keys(tmp_path):
    with EvaluationFile(tmp_path / "t.ev", "append", begin=info()) as file:
        searched(Recall(PlanesEvaluator(), [file]), visits=2)
        keys = {state_key(GAME.start().play(move).state.view(np.uint64)) for move in (4, 0)}
        place = file.old.tobytes() + file.new[: file.num_new].tobytes()
        assert all(key.to_bytes(8, "little") in place for key in keys)
