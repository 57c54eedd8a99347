// The compiled rules of a game; a state is a copy of its bytes.
import { missing } from "./layout.ts";
import type { Block, Machine } from "./module.ts";

export const ONGOING = 0;
export const DRAW = 3;

export class Rules {
  /** The game's start. */
  readonly start: Uint8Array;
  private readonly machine: Machine;
  private readonly block: Block;
  private readonly actions: Block;

  constructor(machine: Machine) {
    this.machine = machine;
    this.start = decoded(machine.game.start, machine.game.stateWords);
    this.block = machine.desk.get("state") ?? missing("state");
    this.actions = machine.desk.get("actions") ?? missing("actions");
  }

  /** Return a state from base64; throws an Error if it has another size. */
  read(text: string): Uint8Array {
    return decoded(text, this.machine.game.stateWords);
  }

  /** Return the state after some actions from the start, or from the state `start` in base64; throws an Error if one is not legal. */
  state(actions: readonly number[], start = ""): Uint8Array {
    return actions.reduce((state, action) => this.apply(state, action), start ? this.read(start) : this.start);
  }

  /** Return 0 or 1, the player of the next action. */
  toPlay(state: Uint8Array): number {
    this.put(state);
    return this.machine.call("to_play", 0, ...this.machine.argument("state"));
  }

  /** Return 0 while the game goes on, 1 or 2 if player 0 or 1 has won, 3 for a draw. */
  outcome(state: Uint8Array): number {
    this.put(state);
    return this.machine.call("outcome", 0, ...this.machine.argument("state"));
  }

  /** Return the legal actions of a state in which the game goes on. */
  legal(state: Uint8Array): number[] {
    this.put(state);
    const count = this.machine.call("legal", 0, ...this.machine.argument("state"), ...this.machine.argument("actions"));
    return Array.from({ length: count }, (_, index) => this.machine.data.getInt16(this.actions.at + 2 * index, true));
  }

  /** Return the state after an action; throws an Error if it is not legal. */
  apply(state: Uint8Array, action: number): Uint8Array {
    if (this.outcome(state) !== ONGOING || !this.legal(state).includes(action))
      throw new Error(`Action ${action} may not be played here.`);
    this.put(state);
    this.machine.call("apply", 0, ...this.machine.argument("state"), BigInt(action));
    return this.got(state.length);
  }

  /** Return whether an action ends the game with an outcome. */
  canEnd(state: Uint8Array, outcome: number): boolean {
    return this.legal(state).some((action) => {
      this.put(state);
      this.machine.call("apply", 0, ...this.machine.argument("state"), BigInt(action));
      return this.machine.call("outcome", 0, ...this.machine.argument("state")) === outcome;
    });
  }

  /** Return the state that a search starts from, where people have choices that it need not consider. */
  forSearch(state: Uint8Array): Uint8Array {
    this.put(state);
    this.machine.call("for_search", ...this.machine.argument("state"));
    return this.got(state.length);
  }

  /** Write a state on the desk. */
  put(state: Uint8Array): void {
    this.machine.bytes(this.block, state.length).set(state);
  }

  private got(length: number): Uint8Array {
    return this.machine.bytes(this.block, length).slice();
  }
}

function decoded(text: string, words: number): Uint8Array {
  const state = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  if (state.length !== 8 * words) throw new Error(`A state has ${8 * words} bytes, not ${state.length}.`);
  return state;
}
