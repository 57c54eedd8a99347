"""A slow and simple reference implementation of chess, on a dictionary of squares."""

import pytest

import ludus
from ludus.seeding import stream

ROOK = [(0, 1), (1, 0), (0, -1), (-1, 0)]
BISHOP = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STEPS = {"N": KNIGHT, "K": ROOK + BISHOP, "R": ROOK, "B": BISHOP, "Q": ROOK + BISHOP}


def name(square):
    return "abcdefgh"[square[0]] + "12345678"[square[1]]


class Reference:
    """A game of chess; squares are (file, rank) from 0."""

    def __init__(self, fen):
        pieces, player, castling, en_passant, clock, number = fen.split()
        self.pieces = {}
        for rank, row in zip(range(7, -1, -1), pieces.split("/"), strict=True):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    self.pieces[file, rank] = letter
                    file += 1
        self.player = "wb".index(player)
        self.castlers = {
            ("abcdefgh".index(letter.lower()), 0 if letter.isupper() else 7) for letter in castling if letter != "-"
        }
        self.passed = None if en_passant == "-" else ("abcdefgh".index(en_passant[0]), int(en_passant[1]) - 1)
        self.clock, self.number = int(clock), int(number)
        self.seen = [self.identity()]

    def copy(self):
        other = Reference.__new__(Reference)
        other.__dict__ = self.__dict__ | {"pieces": dict(self.pieces), "castlers": set(self.castlers)}
        return other

    def identity(self):
        en_passant = any(move[4:] == "ep" for move in self.legal(marked=True))
        return (
            frozenset(self.pieces.items()),
            self.player,
            frozenset(self.castlers),
            self.passed if en_passant else None,
        )

    def own(self, square, player):
        return square in self.pieces and self.pieces[square].isupper() == (player == 0)

    def walk(self, square, player):
        """Yield the squares that a piece attacks."""
        letter = self.pieces[square].upper()
        if letter == "P":
            for side in (-1, 1):
                yield square[0] + side, square[1] + (1 if player == 0 else -1)
            return
        for file, rank in STEPS[letter]:
            there = square[0] + file, square[1] + rank
            while 0 <= there[0] < 8 and 0 <= there[1] < 8:
                yield there
                if there in self.pieces or letter in "NK":
                    break
                there = there[0] + file, there[1] + rank

    def attacked(self, square, by):
        return any(square in self.walk(here, by) for here in list(self.pieces) if self.own(here, by))

    def king(self, player):
        return next(square for square, letter in self.pieces.items() if letter == "Kk"[player])

    def in_check(self, player):
        return self.attacked(self.king(player), 1 - player)

    def candidates(self):
        """Yield pseudo-legal moves as (from, to, promotion or `ep` or `castle`)."""
        forward, first, last = ((1, 1, 7), (-1, 6, 0))[self.player]
        for here in [square for square in self.pieces if self.own(square, self.player)]:
            if self.pieces[here] not in "Pp":
                for there in self.walk(here, self.player):
                    if not self.own(there, self.player):
                        yield here, there, ""
                continue
            ends = []
            one, two = (here[0], here[1] + forward), (here[0], here[1] + 2 * forward)
            if one not in self.pieces:
                ends.append(one)
                if here[1] == first and two not in self.pieces:
                    ends.append(two)
            ends += [there for there in self.walk(here, self.player) if self.own(there, 1 - self.player)]
            for there in ends:
                for promotion in "qrbn" if there[1] == last else [""]:
                    yield here, there, promotion
            if self.passed in self.walk(here, self.player):
                yield here, self.passed, "ep"

    def castlings(self):
        king = self.king(self.player)
        for rook in self.castlers:
            if rook[1] != 7 * self.player or self.in_check(self.player):
                continue
            right = rook[0] > king[0]
            king_to, rook_to = (6 if right else 2, king[1]), (5 if right else 3, king[1])
            ways = [
                {(file, king[1]) for file in range(min(a[0], b[0]), max(a[0], b[0]) + 1)}
                for a, b in ((king, king_to), (rook, rook_to))
            ]
            if any(square in self.pieces for square in (ways[0] | ways[1]) - {king, rook}):
                continue
            bare = self.copy()
            del bare.pieces[king]
            if not any(bare.attacked(square, 1 - self.player) for square in ways[0]):
                yield king, rook, "castle"

    def legal(self, marked=False):
        """Return the legal moves in UCI notation; castling is the king taking its rook."""
        found = []
        for move in [*self.candidates(), *self.castlings()]:
            after = self.copy()
            after.make(*move)
            if not after.in_check(self.player):
                promotion = move[2] if marked or move[2] in "qrbn" else ""
                found.append(name(move[0]) + name(move[1]) + promotion)
        return sorted(found)

    def make(self, here, there, special):
        """Move pieces and update castling rights."""
        letter = self.pieces.pop(here)
        if special == "castle":
            rook = self.pieces.pop(there)
            right = there[0] > here[0]
            self.pieces[6 if right else 2, here[1]] = letter
            self.pieces[5 if right else 3, here[1]] = rook
        else:
            if special == "ep":
                del self.pieces[there[0], here[1]]
            special = special if special in "qrbn" else ""
            self.pieces[there] = letter if not special else special.upper() if self.player == 0 else special
        if letter in "Kk":
            self.castlers = {rook for rook in self.castlers if rook[1] != 7 * self.player}
        self.castlers -= {here, there}

    def play(self, text):
        """Play a legal move in UCI notation."""
        moves = [*self.candidates(), *self.castlings()]
        here, there, special = next(
            move for move in moves if name(move[0]) + name(move[1]) + (move[2] if move[2] in "qrbn" else "") == text
        )
        quiet = special == "castle" or (there not in self.pieces and self.pieces[here] not in "Pp")
        two = self.pieces[here] in "Pp" and abs(here[1] - there[1]) == 2
        self.make(here, there, special)
        self.passed = (here[0], (here[1] + there[1]) // 2) if two else None
        self.clock = self.clock + 1 if quiet else 0
        self.number += self.player
        self.player = 1 - self.player
        self.seen = [*self.seen, self.identity()]

    def outcome(self, clock, occurrences):
        """Return `1-0`, `0-1`, `1/2-1/2` or an empty string; the arguments are the limits for draws."""
        if not self.legal():
            return ("0-1", "1-0")[self.player] if self.in_check(self.player) else "1/2-1/2"
        rest = {square: letter.upper() for square, letter in self.pieces.items() if letter not in "Kk"}
        shades = {sum(square) % 2 for square in rest}
        dead = not set(rest.values()) - set("BN") and (
            len(rest) < 2 or (set(rest.values()) == {"B"} and len(shades) == 1)
        )
        drawn = dead or self.clock >= clock or self.seen.count(self.seen[-1]) >= occurrences
        return "1/2-1/2" if drawn else ""


@pytest.fixture(scope="session")
def reference():
    return Reference


@pytest.fixture(scope="session")
def chess():
    return ludus.game("chess").compile()


@pytest.fixture(scope="session")
def chess960():
    return ludus.game("chess:960").compile()


@pytest.fixture
def rng():
    return stream(0, "test", "chess")
