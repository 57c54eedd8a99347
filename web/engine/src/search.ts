// The search of one game with one tree, which follows the positions asked for: step by step what
// `ludus.players.thinking.slots` does with a tree of its own.
import type { Found, Limits, Position } from "./found.ts";
import { EXPANDED, missing } from "./layout.ts";
import type { SearchPart } from "./layout.ts";
import type { Machine } from "./module.ts";
import { ONGOING, Rules } from "./rules.ts";
import { Field, Tree } from "./tree.ts";

/** What a search asks between two batches. */
export interface Hooks {
  stopped(): boolean;
  pause(): Promise<void>;
  update?(found: Found): void;
}

/** Evaluates the first `count` rows of planes [count, C, H, W], which stay until it answers.
 *
 * It answers with logits [at least count, A], and outcomes [at least count, 3]: win, draw and loss of the mover.
 */
export type Evaluate = (planes: Uint8Array, count: number) => Promise<{ logits: Float32Array; outcomes: Float32Array }>;

interface Options {
  /** A number in [0, 1), for choices by temperature. */
  random?: () => number;
}

/** The network's output is not finite. */
export class BrokenNetwork extends Error {}

const [ASKED, UNASKED, LEAVES] = [0, -1, -2]; // where foresight is used: everywhere, nowhere, only below the root
const [IDLE, RUNS, RUNS_WORD] = [0, 2, 2n]; // states of a tree
const NOT_YET = -2; // the value at half of the time, before that
const ENDLESS = 2 ** 30; // visits that no search reaches
const DEFAULT_VISITS = 800;
const UPDATES_S = 0.25;
const PLAN = ["deadline", "halfway", "started", "extension", "early", "goal", "visits", "work", "may_stop"] as const;

export class Search {
  readonly rules: Rules;
  private readonly machine: Machine;
  private readonly part: SearchPart;
  private readonly evaluate: Evaluate;
  private readonly random: () => number;
  private readonly tree: Tree;
  private readonly plan: Record<(typeof PLAN)[number], Field>;
  /** The position of the last search, and whether the tree has its root there. */
  private place: { start: string; actions: readonly number[]; state: Uint8Array } | null = null;
  private hasTree = false;

  constructor(machine: Machine, part: SearchPart, evaluate: Evaluate, { random = Math.random }: Options = {}) {
    this.machine = machine;
    this.part = part;
    this.evaluate = evaluate;
    this.random = random;
    this.rules = new Rules(machine);
    this.tree = new Tree(machine, this.rules);
    this.tree.of.plays.set(1);
    const field = (name: string) => new Field(machine, machine.desk.get("plan"), machine.game.records["PLAN"], name);
    this.plan = Object.fromEntries(PLAN.map((name) => [name, field(name)])) as typeof this.plan;
  }

  /** Search a position until a limit is reached or `hooks.stopped`, after at least 2 visits.
   *
   * Throws an Error if the game is over or an action is not legal; RulesError and BrokenNetwork drop the tree.
   */
  async think(position: Position, limits: Limits, hooks: Hooks): Promise<Found> {
    const asked = now();
    const found = await this.keeping(async () => {
      const state = this.follow(position);
      if (this.rules.outcome(state) !== ONGOING) throw new Error("The game is over.");
      const kept = this.begin(state, limits, asked);
      await this.run(limits, hooks, asked, kept);
      return this.read(limits, limits.temperature ?? 0, asked, kept);
    });
    if (limits.only?.length) this.hasTree = false; // no other search can use this tree
    return found;
  }

  /** Drop the tree if a step of a search throws. */
  private async keeping<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      [this.place, this.hasTree] = [null, false];
      throw error;
    } finally {
      this.plan.work.set(IDLE);
    }
  }

  /** Move to a position, and take the tree along if the position continues the last one; return its state. */
  private follow({ start = "", actions }: Position): Uint8Array {
    const { place } = this;
    const continues = place?.start === start && place.actions.every((action, ply) => actions[ply] === action);
    if (!continues) this.hasTree = false;
    let state = continues ? place.state : start ? this.rules.read(start) : this.rules.start;
    for (const action of actions.slice(continues ? place.actions.length : 0)) {
      state = this.rules.apply(state, action);
      if (!this.hasTree) continue;
      this.rules.put(this.rules.forSearch(state));
      this.machine.call("play", this.machine.references.trees, 0n, BigInt(action), ...this.machine.argument("words"));
    }
    this.place = { start, actions: [...actions], state };
    return state;
  }

  /** Start a search; return the visits that the root has already. */
  private begin(state: Uint8Array, limits: Limits, asked: number): number {
    const { only = [], breadth = 0, temperature = 0, seconds = Infinity, extension = 0 } = limits;
    // A deliberately weak player gets no endgame proofs; with `only`, the actions may lose a proven outcome.
    // Nor may foresight reduce the actions where several are wanted.
    const asks = temperature !== 0 ? UNASKED : only.length > 0 || breadth > 1 ? LEAVES : ASKED;
    const { of } = this.tree;
    if (!this.hasTree || only.length > 0 || asks !== Math.min(ASKED, of.foreseen.get())) {
      of.foreseen.set(asks);
      this.rules.put(this.rootOf(state, only));
      this.machine.call("new_tree", this.machine.references.trees, 0n, ...this.machine.argument("words"), 0n);
      this.hasTree = true;
    }
    of.explores.set(0);
    of.breadth.set(only.length > 0 ? 0 : breadth);
    const { plan } = this;
    plan.deadline.set(asked + seconds);
    plan.halfway.set(asked + seconds / 2);
    plan.started.set(now());
    plan.extension.set(extension);
    plan.early.set(NOT_YET);
    plan.goal.set(only.length > 0 ? 1 : this.goalOf(limits));
    plan.visits.set(this.tree.child.visits.get());
    plan.work.set(RUNS);
    plan.may_stop.set(Number(limits.mayStop ?? false));
    return this.tree.child.visits.get();
  }

  private goalOf({ visits = DEFAULT_VISITS, prunes }: Limits): number {
    return Math.max(2, Math.min(visits, prunes ? ENDLESS : this.machine.sizes.visits));
  }

  /** Return the state at the root: with `only`, the full state if the search would not consider one of the actions. */
  private rootOf(state: Uint8Array, only: readonly number[]): Uint8Array {
    const legal = this.rules.legal(state);
    if (only.some((action) => !legal.includes(action))) throw new Error("Only legal actions can be considered.");
    const searched = this.rules.forSearch(state);
    const considered = only.length > 0 ? this.rules.legal(searched) : [];
    return only.every((action) => considered.includes(action)) ? searched : state;
  }

  private async run(limits: Limits, hooks: Hooks, asked: number, kept: number): Promise<void> {
    const { machine, plan, part } = this;
    const { trees, cache, parameters } = machine.references;
    const [own, over] = [machine.argument("plan"), machine.argument("over")];
    let [turned, told] = [now(), asked];
    for (;;) {
      this.restrict(limits);
      machine.call("rouse", trees, ...own, RUNS_WORD, BigInt(part.fill), BigInt(part.leaves));
      const count = machine.call("collect", 0, trees, cache, parameters, 0n);
      if (count > 0) await this.absorb(count);
      await hooks.pause();
      const time = now();
      const turn = count > 0 ? time - turned : 0;
      turned = time;
      if (limits.prunes && this.tree.of.full.get() === 1) machine.call("prune", trees, 0n);
      if (hooks.stopped()) {
        plan.deadline.set(-Infinity);
        plan.extension.set(0);
      }
      if (machine.call("review", trees, ...own, ...over, time, turn) > 0) return;
      if (hooks.update && time >= told + (limits.every ?? UPDATES_S) && this.tree.child.visits.get() > 1) {
        told = time;
        hooks.update(this.read(limits, 0, asked, kept));
      }
    }
  }

  /** Evaluate the batch and add it to the tree. */
  private async absorb(count: number): Promise<void> {
    const { machine } = this;
    const { actions, planes } = machine.game;
    const size = planes[0] * planes[1] * planes[2];
    const answer = await this.evaluate(machine.bytes(machine.trees.get("planes") ?? missing("planes"), count * size), count);
    const logits = machine.desk.get("logits") ?? missing("logits");
    const outcomes = machine.desk.get("outcomes") ?? missing("outcomes");
    machine.floats(logits, count * actions).set(answer.logits.subarray(0, count * actions));
    machine.floats(outcomes, count * 3).set(answer.outcomes.subarray(0, count * 3));
    const flat = 1 / Number(this.part.settings["policy_temperature"] ?? missing("policy_temperature"));
    const given = [...machine.argument("logits"), ...machine.argument("outcomes")];
    if (machine.call("prepare", ...given, BigInt(count), flat) !== 0)
      throw new BrokenNetwork("The network answers with numbers that are not finite: its weights, or this device, are broken.");
    machine.call("absorb", machine.references.trees, machine.references.cache, BigInt(count), ...given);
  }

  /** Restrict the root of a new tree to the requested actions, before any is visited. */
  private restrict(limits: Limits): void {
    const { only = [], breadth = 0 } = limits;
    if (only.length === 0 || this.plan.goal.get() !== 1 || this.tree.child.kind.get() !== EXPANDED) return;
    const { machine } = this;
    const { at } = machine.desk.get("actions") ?? missing("actions");
    only.forEach((action, index) => machine.data.setInt16(at + 2 * index, action, true));
    machine.call("restrict", machine.references.trees, 0n, ...machine.argument("actions"), BigInt(only.length));
    this.plan.goal.set(this.goalOf(limits));
    this.tree.of.breadth.set(breadth);
  }

  private read(limits: Limits, temperature: number, asked: number, kept: number): Found {
    const { trees, parameters } = this.machine.references;
    const best = this.machine.call("best", trees, parameters, 0n);
    const draw = temperature > 0 ? (visits: number[]) => drawn(visits, temperature, this.random()) : null;
    return { ...this.tree.read(best, limits.lines ?? 1, draw), kept, seconds: now() - asked };
  }
}

/** Return the index of one of these numbers of visits, drawn by visits^(1/temperature). */
function drawn(visits: number[], temperature: number, random: number): number {
  const most = Math.max(...visits);
  const weights = visits.map((each) => (each / most) ** (1 / temperature));
  let left = random * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  return index < 0 ? visits.length - 1 : index;
}

/** Return seconds of this thread's clock. */
function now(): number {
  return performance.now() / 1000;
}
