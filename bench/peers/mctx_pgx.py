"""Measures mctx and pgx: AlphaZero's search and rules compiled together by XLA, here on a CPU.

Run it with a Python environment that has `jax mctx pgx`: `python bench/peers/mctx_pgx.py --visits 100`.  One compiled
call per move searches all games; finished games restart.  The network has the form and size of Ludus's (residual
blocks, 3x3 convolutions, linear heads; batch normalisation folded, as for inference).
"""

# pyright: reportMissingImports=false

import json
import time

import jax
import jax.numpy as jnp
import mctx
import pgx
from options import selfplay_options

ACTIONS, HEAD = 7, 32


def draw_network(key: jax.Array, planes: int, blocks: int, channels: int) -> list[jax.Array]:
    """Return random weights: stem, blocks, two head convolutions, two linear layers."""
    keys = iter(jax.random.split(key, 2 * blocks + 6))

    def convolution(inputs: int, outputs: int) -> jax.Array:
        return jax.random.normal(next(keys), (3, 3, inputs, outputs)) * (2 / 9 / inputs) ** 0.5

    trunk = [convolution(planes, channels), *(convolution(channels, channels) for _ in range(2 * blocks))]
    heads = [convolution(channels, HEAD), convolution(channels, HEAD)]
    linear = [jax.random.normal(next(keys), (42 * HEAD, outputs)) * 0.05 for outputs in (ACTIONS, 3)]
    return trunk + heads + linear


def judge(network: list[jax.Array], planes: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return logits [B, 7] and values [B] of planes [B, 6, 7, C]."""
    *trunk, policy_head, value_head, policy, value = network

    def convolve(x: jax.Array, w: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    x = jax.nn.relu(convolve(planes.astype(jnp.float32), trunk[0]))
    for first, second in zip(trunk[1::2], trunk[2::2], strict=True):
        x = jax.nn.relu(x + convolve(jax.nn.relu(convolve(x, first)), second))
    flat = lambda head: jax.nn.relu(convolve(x, head)).reshape(len(planes), -1)  # noqa: E731
    outcome = jax.nn.softmax(flat(value_head) @ value)
    return flat(policy_head) @ policy, outcome[:, 0] - outcome[:, 2]


def main() -> None:
    parser = selfplay_options(__doc__)
    parser.add_argument("--games", type=int, default=128, help="concurrent games")
    arguments = parser.parse_args()
    env = pgx.make("connect_four")
    start, step = jax.vmap(env.init), jax.vmap(env.step)

    def expand(network, _key, action, state):
        mover = state.current_player
        state = step(state, action)
        logits, value = judge(network, state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        reward = state.rewards[jnp.arange(len(mover)), mover]
        value = jnp.where(state.terminated, 0.0, value)
        discount = jnp.where(state.terminated, 0.0, -1.0)
        return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), state

    @jax.jit
    def move(network, key, state):
        """Search every game, play one move in each, and restart finished games."""
        searching, starting = jax.random.split(key)
        logits, value = judge(network, state.observation)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        found = mctx.muzero_policy(
            network, searching, root, expand, arguments.visits, invalid_actions=~state.legal_action_mask
        )
        state = step(state, found.action)
        fresh = start(jax.random.split(starting, arguments.games))
        ended = state.terminated
        return jax.tree.map(lambda a, b: jnp.where(ended.reshape(-1, *[1] * (a.ndim - 1)), a, b), fresh, state)

    key = jax.random.PRNGKey(0)
    state = start(jax.random.split(key, arguments.games))
    network = draw_network(key, state.observation.shape[-1], arguments.blocks, arguments.channels)
    state = jax.block_until_ready(move(network, key, state))  # compiles
    moves, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < arguments.seconds:
        key, own = jax.random.split(key)
        state = jax.block_until_ready(move(network, own, state))
        moves += arguments.games
    seconds = time.perf_counter() - begun
    rate = moves * arguments.visits / seconds
    print(
        json.dumps(
            {
                "program": f"mctx {mctx.__version__} with pgx",
                "evaluations_per_s": rate + moves / seconds,
                "simulations_per_s": rate,
            }
        )
    )


if __name__ == "__main__":
    main()
