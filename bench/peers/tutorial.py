"""A plain AlphaZero loop in PyTorch, of the kind that tutorials teach: trains until it is ended, and answers positions.

    python bench/peers/tutorial.py train --game connect4 --out FOLDER
    python bench/peers/tutorial.py answer --game connect4 --checkpoint FILE --positions FILE --visits 200

Search and rules are Python objects; games run side by side so that the network evaluates them in one batch; each
iteration plays games, learns from them alone for some epochs, and saves the weights.  Nothing of Ludus is used.
"""

import json

import numpy as np
import torch
from options import train_or_answer
from torch import nn

GAMES = {"connect4": (6, 7, 4, 100), "tictactoe": (3, 3, 3, 60)}  # rows, columns, cells in a line, simulations
AT_ONCE, EPOCHS, BATCH = 100, 4, 128
CPUCT, NOISE, ALPHA, TEMPERATURE = 2.0, 0.25, 0.3, 1.25


class Rules:
    """Boards are arrays [rows, columns] of 1 (the mover), -1 and 0; the view changes after each move."""

    def __init__(self, name: str) -> None:
        self.rows, self.columns, self.line, self.simulations = GAMES[name]
        self.drops = name == "connect4"
        self.actions = self.columns if self.drops else self.rows * self.columns

    def legal(self, board):
        return board[0] == 0 if self.drops else board.reshape(-1) == 0

    def play(self, board, action):
        """Return the board after a move, seen by the next mover."""
        after = board.copy()
        if self.drops:
            after[np.flatnonzero(after[:, action] == 0)[-1], action] = 1
        else:
            after[divmod(action, self.columns)] = 1
        return -after

    def outcome(self, board):
        """Return -1 if the mover has lost, 0 for a draw, None if the game goes on."""
        theirs = board == -1
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for row in range(self.rows):
                for column in range(self.columns):
                    last = row + down * (self.line - 1), column + right * (self.line - 1)
                    fits = last[0] < self.rows and 0 <= last[1] < self.columns
                    if fits and all(theirs[row + k * down, column + k * right] for k in range(self.line)):
                        return -1.0
        return None if self.legal(board).any() else 0.0


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        layers = [nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels)]
        self.body = nn.Sequential(
            *layers, nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels)
        )

    def forward(self, x):
        return torch.relu(x + self.body(x))


class Network(nn.Module):
    def __init__(self, rules, blocks=4, channels=64):
        super().__init__()
        cells = rules.rows * rules.columns
        self.body = nn.Sequential(
            nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(),
            *(Residual(channels) for _ in range(blocks)),
        )  # fmt: skip
        self.policy = nn.Sequential(
            nn.Conv2d(channels, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(),
            nn.Linear(32 * cells, rules.actions),
        )  # fmt: skip
        self.value = nn.Sequential(
            nn.Conv2d(channels, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Linear(3 * cells, 1),
            nn.Tanh(),
        )  # fmt: skip

    def forward(self, planes):
        x = self.body(planes)
        return self.policy(x), self.value(x)

    @torch.no_grad()
    def judge(self, boards):
        """Return priors [B, A] and values [B] of boards."""
        self.eval()
        logits, values = self(planes_of(np.stack(boards)))
        return torch.softmax(logits, 1).numpy(), values[:, 0].numpy()


def planes_of(boards):
    return torch.from_numpy(np.stack([boards == 1, boards == 0, boards == -1], 1).astype(np.float32))


class Node:
    def __init__(self, board, prior=0.0, parent=None, action=-1):
        self.board, self.prior, self.parent, self.action = board, prior, parent, action
        self.children, self.visits, self.total = [], 0, 0.0

    def select(self):
        def score(child):
            value = -child.total / child.visits if child.visits else 0.0
            return value + CPUCT * child.prior * np.sqrt(self.visits) / (1 + child.visits)

        return max(self.children, key=score)

    def expand(self, rules, priors):
        for action in np.flatnonzero(priors):
            self.children.append(Node(rules.play(self.board, action), float(priors[action]), self, int(action)))

    def backup(self, value):
        node, seen = self, value
        while node is not None:
            node.visits, node.total = node.visits + 1, node.total + seen
            node, seen = node.parent, -seen


def masked(rules, board, priors):
    legal = priors * rules.legal(board)
    return legal / legal.sum()


def search(rules, network, boards, simulations, rng=None):
    """Search all boards side by side; return the shares of visits [B, A]. `rng` adds noise at the roots."""
    roots, (priors, _) = [Node(board) for board in boards], network.judge(boards)
    for root, prior in zip(roots, priors, strict=True):
        if rng is not None:
            prior = (1 - NOISE) * prior + NOISE * rng.dirichlet([ALPHA] * rules.actions)
        root.expand(rules, masked(rules, root.board, prior))
        root.visits = 1
    for _ in range(simulations):
        leaves = []
        for root in roots:
            node = root
            while node.children:
                node = node.select()
            ended = rules.outcome(node.board)
            if ended is None:
                leaves.append(node)
            else:
                node.backup(ended)
        if leaves:
            priors, values = network.judge([leaf.board for leaf in leaves])
            for leaf, prior, value in zip(leaves, priors, values, strict=True):
                leaf.expand(rules, masked(rules, leaf.board, prior))
                leaf.backup(float(value))
    shares = np.zeros((len(boards), rules.actions))
    for share, root in zip(shares, roots, strict=True):
        for child in root.children:
            share[child.action] = child.visits
    return shares / shares.sum(1, keepdims=True)


def play_games(rules, network, rng):
    """Play AT_ONCE games; return boards, policies and results for the movers."""
    boards = [np.zeros((rules.rows, rules.columns), np.int8) for _ in range(AT_ONCE)]
    pasts, memory = [[] for _ in boards], []
    while boards:
        shares = search(rules, network, boards, rules.simulations, rng)
        left = []
        for board, past, share in zip(boards, pasts, shares, strict=True):
            past.append((board, share))
            flat = share ** (1 / TEMPERATURE)
            after = rules.play(board, rng.choice(rules.actions, p=flat / flat.sum()))
            ended = rules.outcome(after)
            if ended is None:
                left.append((after, past))
                continue
            for number, (seen, policy) in enumerate(reversed(past)):  # the last mover won, or all drew
                memory.append((seen, policy, -ended if number % 2 == 0 else ended))
        boards, pasts = [each[0] for each in left], [each[1] for each in left]
    return memory


def train(arguments):
    """Train until somebody ends this process."""
    rules, rng = Rules(arguments.game), np.random.default_rng(0)
    torch.manual_seed(0)
    network = Network(rules)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-4)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for iteration in range(1_000_000):
        memory = play_games(rules, network, rng)
        network.train()
        for _ in range(EPOCHS):
            rng.shuffle(memory)
            for first in range(0, len(memory) - 1, BATCH):
                boards, policies, results = zip(*memory[first : first + BATCH], strict=True)
                logits, values = network(planes_of(np.stack(boards)))
                policy_loss = nn.functional.cross_entropy(logits, torch.tensor(np.array(policies)))
                value_loss = nn.functional.mse_loss(values[:, 0], torch.tensor(results, dtype=torch.float32))
                optimiser.zero_grad()
                (policy_loss + value_loss).backward()
                optimiser.step()
        partial = arguments.out / "partial"
        torch.save(network.state_dict(), partial)
        partial.replace(arguments.out / f"checkpoint-{iteration}.pt")


def answer(arguments):
    """Print one JSON line for each position: the move of the network alone, and after a search."""
    rules = Rules(arguments.game)
    network = Network(rules)
    network.load_state_dict(torch.load(arguments.checkpoint))
    boards = []
    for moves in json.loads(arguments.positions.read_text()):
        board = np.zeros((rules.rows, rules.columns), np.int8)
        for move in moves:
            board = rules.play(board, move)
        boards.append(board)
    priors, _ = network.judge(boards)
    shares = np.concatenate(
        [search(rules, network, boards[at : at + AT_ONCE], arguments.visits) for at in range(0, len(boards), AT_ONCE)]
    )
    for board, prior, share in zip(boards, priors, shares, strict=True):
        alone = masked(rules, board, prior)
        print(json.dumps({"alone": int(alone.argmax()), "searched": int(share.argmax())}))


if __name__ == "__main__":
    train_or_answer(__doc__, GAMES, train, answer)
