"""The journal returns whole games even if its end is torn, and belongs to one generation and its rules."""

import numpy as np
import pytest

from ludus.errors import BadRecord, Unavailable
from ludus.loop.directory.journal import Journal, read_journal
from ludus.store import Samples
from ludus.store.samples import DTYPES


def game(number, length=3):
    """Return the samples of a random game with `length` positions."""
    rng = np.random.default_rng(number)
    arrays = {name: rng.integers(0, 2, length).astype(dtype) for name, dtype in DTYPES.items()}
    arrays |= {
        "states": rng.integers(0, 1 << 60, (length, 2)).astype(np.uint64),
        "policy_start": np.arange(length + 1, dtype=np.int32),
        "game_id": np.full(length, number, np.int64),
    }
    return Samples(**arrays)


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in DTYPES)


def filled(path, numbers, generation=3):
    journal = Journal(path, generation, "rules")
    for number in numbers:
        journal.add(game(number, 1 + number % 4))
    journal.close()
    return path


def test_games_are_read_as_they_were_written(tmp_path):
    path = filled(tmp_path / "run" / "games.journal", [4, 0, 9])
    kept = read_journal(path)
    assert kept.generation == 3
    assert [int(each.game_id[0]) for each in kept.games] == [4, 0, 9]
    assert all(same(each, game(number, 1 + number % 4)) for each, number in zip(kept.games, [4, 0, 9], strict=True))


def test_each_process_that_continues_a_generation_is_counted(tmp_path):
    path = tmp_path / "games.journal"
    for attempt in range(3):
        journal = Journal(path, 3, "rules")
        assert journal.attempt == attempt
        assert len(journal.games) == attempt
        journal.add(game(attempt))
        journal.close()


def test_a_truncated_journal_keeps_its_whole_games(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1, 2])
    whole = path.read_bytes()
    counts = set()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        games = read_journal(path).games
        assert all(same(each, game(number, 1 + number % 4)) for number, each in enumerate(games))
        counts.add(len(games))
    assert counts == {0, 1, 2, 3}
    path.write_bytes(whole[:-1])
    journal = Journal(path, 3, "rules")
    journal.add(game(7))
    journal.close()
    assert [int(each.game_id[0]) for each in read_journal(path).games] == [0, 1, 7]


def test_games_after_a_changed_byte_are_not_read(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1])
    data = bytearray(path.read_bytes())
    data[-3] ^= 4
    path.write_bytes(bytes(data))
    assert [int(each.game_id[0]) for each in read_journal(path).games] == [0]


def test_the_journal_of_another_generation_is_replaced(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1], generation=2)
    journal = Journal(path, 3, "rules")
    assert (journal.games, journal.attempt) == ([], 0)
    journal.close()
    assert read_journal(path) == (3, [])


def test_games_that_are_not_wanted_are_dropped(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1])
    journal = Journal(path, 3, "rules", keep=False)
    assert (journal.games, journal.attempt) == ([], 0)
    journal.remove()
    assert not path.exists()


def test_other_rules_are_refused(tmp_path):
    path = filled(tmp_path / "games.journal", [0])
    with pytest.raises(BadRecord, match="written under other rules"):
        Journal(path, 3, "others")


def test_an_unwritable_folder_is_reported(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot be written"):
        Journal(tmp_path / "file" / "games.journal", 0, "rules")


def test_a_damaged_record_before_others_is_reported(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1, 2])
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(bytes(data))
    for opening in (read_journal, lambda path: Journal(path, 3, "rules")):
        with pytest.raises(BadRecord, match=r"is damaged at byte \d+; restore it from a backup, or remove it"):
            opening(path)
    assert path.read_bytes() == bytes(data)


def test_zeros_at_the_end_are_torn(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1])
    whole = path.read_bytes()
    for zeros in (3, 8, 500):
        path.write_bytes(whole + bytes(zeros))
        assert len(read_journal(path).games) == 2
        path.write_bytes(whole[:-20] + bytes(20 + zeros))
        assert len(read_journal(path).games) == 1


def test_the_journal_of_a_later_generation_is_not_thrown_away(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1], generation=4)
    with pytest.raises(BadRecord, match="holds games of generation 4, but generation 3 is still missing"):
        Journal(path, 3, "rules")
    assert len(read_journal(path).games) == 2


def test_a_wrong_bit_anywhere_never_drops_a_game_in_silence(tmp_path):
    path = filled(tmp_path / "games.journal", [0, 1, 2, 3, 4])
    whole = path.read_bytes()
    last = len(filled(tmp_path / "shorter.journal", [0, 1, 2, 3]).read_bytes())
    for at in (*range(8 + 8 + 40), *range(last - 8, last)):  # the first records, and around the last whole game
        for bit in range(8):
            data = bytearray(whole)
            data[at] ^= 1 << bit
            path.write_bytes(bytes(data))
            for opening in (read_journal, lambda path: Journal(path, 3, "rules")):
                with pytest.raises(BadRecord, match=r"is damaged at byte \d+; restore it from a backup, or remove it"):
                    opening(path)
            assert path.read_bytes() == bytes(data), "nothing is cut off"


@pytest.mark.parametrize("start", [b"", b"LUDUS", bytes(3), bytes(500), b"LUDUS" + bytes(100), b"LUDUS\x00JO"])
def test_a_journal_that_was_torn_as_it_began_is_replaced(tmp_path, start):
    path = tmp_path / "games.journal"
    path.write_bytes(start)
    assert read_journal(path) == (None, [])
    filled(path, [0])
    assert len(read_journal(path).games) == 1


def test_a_file_that_is_no_journal_is_not_overwritten(tmp_path):
    path = tmp_path / "games.journal"
    path.write_bytes(b"notes of mine")
    with pytest.raises(BadRecord, match="is damaged at byte 0"):
        Journal(path, 3, "rules")
    assert path.read_bytes() == b"notes of mine"
