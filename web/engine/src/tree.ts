// Reads and writes the records of the search tree, and reads its result as `ludus.players.thinking.thought` does.
import type { Line } from "./found.ts";
import { EXPANDED, missing } from "./layout.ts";
import type { Fields } from "./layout.ts";
import type { Block, Machine } from "./module.ts";
import { DRAW } from "./rules.ts";
import type { Rules } from "./rules.ts";
import { winsWithin } from "./winning.ts";

/** One field of the records of an array. */
export class Field {
  private readonly machine: Machine;
  private readonly at: number;
  private readonly step: number;
  private readonly kind: string;

  constructor(machine: Machine, block: Block | undefined, fields: Fields | undefined, name: string) {
    const [kind, offset] = fields?.[name] ?? missing(name);
    this.machine = machine;
    this.at = (block ?? missing(name)).at + offset;
    this.step = block!.itemsize;
    this.kind = kind;
  }

  get(index = 0): number {
    const { data } = this.machine;
    const at = this.at + index * this.step;
    if (this.kind === "i1") return data.getInt8(at);
    if (this.kind === "i2") return data.getInt16(at, true);
    if (this.kind === "i4") return data.getInt32(at, true);
    if (this.kind === "f4") return data.getFloat32(at, true);
    return data.getFloat64(at, true);
  }

  set(value: number): void {
    const { data } = this.machine;
    if (this.kind === "i1") data.setInt8(this.at, value);
    else if (this.kind === "i2") data.setInt16(this.at, value, true);
    else if (this.kind === "i4") data.setInt32(this.at, value, true);
    else if (this.kind === "f4") data.setFloat32(this.at, value, true);
    else data.setFloat64(this.at, value, true);
  }
}

/** A visited action of a node. */
interface Child {
  /** Its index among the children; -1: the node has no visited action, and this is its best prior. */
  at: number;
  action: number;
  prior: number;
  visits: number;
  proof: number;
}

const TREE = ["foreseen", "has_noise", "explores", "breadth", "plays", "full"] as const;
const CHILD = ["node", "visits", "value_sum", "draw_sum", "first_child", "num_children", "kind", "mover", "proof"] as const;

export class Tree {
  readonly of: Record<(typeof TREE)[number], Field>;
  readonly child: Record<(typeof CHILD)[number], Field>;
  private readonly firstEdge: Field;
  private readonly machine: Machine;
  private readonly rules: Rules;
  private readonly edges: Block;

  constructor(machine: Machine, rules: Rules) {
    const { TREE: tree, CHILD: child, NODE: node } = machine.game.records;
    const all = <Name extends string>(names: readonly Name[], block: string, fields: Fields | undefined) =>
      Object.fromEntries(names.map((name) => [name, new Field(machine, machine.trees.get(block), fields, name)])) as Record<Name, Field>;
    this.machine = machine;
    this.rules = rules;
    this.of = all(TREE, "tree", tree);
    this.child = all(CHILD, "child", child);
    this.firstEdge = new Field(machine, machine.trees.get("node"), node, "first_edge");
    this.edges = machine.trees.get("edge") ?? missing("edge");
  }

  /** Return what the search found.
   *
   * @param best the best action
   * @param lines candidates to return with their main line, besides the one to play
   * @param draw chooses the action to play among the visited ones that no proof makes worse; null: the best one
   */
  read(best: number, lines: number, draw: ((visits: number[]) => number) | null) {
    const children = this.children(0);
    const mover = this.child.mover.get();
    let first = children.find((child) => child.action === best) ?? children[0]!;
    if (draw && first.visits > 0) {
      const rank = rankOf(children[0]!.proof, mover);
      const sound = children.filter((child) => rankOf(child.proof, mover) === rank && child.visits > 0);
      first = sound[draw(sound.map((child) => child.visits))]!;
    }
    const foreseen = Math.max(0, this.of.foreseen.get());
    const visits = Math.max(1, this.child.visits.get());
    const main = this.line(first);
    const [value, chance] = judged(foreseen, this.child.value_sum.get() / visits, this.child.draw_sum.get() / visits);
    const turn = main.movers.findIndex((each) => each !== mover);
    return {
      action: first.action,
      best: main.actions.slice(0, turn < 0 ? undefined : turn),
      value: Math.min(1, Math.max(-1, value)),
      draw: Math.min(1, Math.max(0, chance)),
      visits: this.child.visits.get(),
      proof: foreseen || this.child.proof.get(),
      lines: children
        .map((child, rank): Line => this.candidate(child, foreseen, rank < lines || (child === first && lines > 0)))
        .sort((a, b) => b.visits - a.visits || b.prior - a.prior),
    };
  }

  private candidate(child: Child, foreseen: number, withLine: boolean): Line {
    const { at, action, visits, proof } = child;
    const mean = (sum: Field) => (at >= 0 ? sum.get(at) / Math.max(1, visits) : 0);
    const [value, draw] = judged(foreseen, mean(this.child.value_sum), mean(this.child.draw_sum));
    const actions = withLine ? this.line(child).actions : [];
    const winsIn = withLine ? winsWithin(this, this.rules, this.machine, at) : 0;
    return { action, actions, visits, value, draw, prior: child.prior / 65535, proof: foreseen || proof, winsIn };
  }

  /** Return the visited actions of a node, the best first. */
  private children(at: number): Child[] {
    const { data } = this.machine;
    const edge = (index: number) => data.getUint32(this.edges.at + 4 * index, true);
    const firstEdge = this.firstEdge.get(this.child.node.get(at));
    const [first, count, mover] = [this.child.first_child.get(at), this.child.num_children.get(at), this.child.mover.get(at)];
    const child = (k: number): Child => ({
      at: count > 0 ? first + k : -1,
      action: edge(firstEdge + k) & 0xffff,
      prior: edge(firstEdge + k) >>> 16,
      visits: count > 0 ? this.child.visits.get(first + k) : 0,
      proof: count > 0 ? this.child.proof.get(first + k) : 0,
    });
    const isDrawn = this.child.proof.get(at) === DRAW; // then only actions that draw are good
    const key = ({ proof, visits, prior }: Child) => [rankOf(proof, mover), Number(isDrawn && proof !== DRAW), -visits, -prior];
    return Array.from({ length: Math.max(1, count) }, (_, k) => child(k)).sort((a, b) => compared(key(a), key(b)));
  }

  /** Return the actions of the main line that begins with a child of the root, with the mover of each. */
  private line(child: Child): { actions: number[]; movers: number[] } {
    const actions = [child.action];
    const movers = [this.child.mover.get()];
    while (child.at >= 0 && this.child.kind.get(child.at) === EXPANDED) {
      movers.push(this.child.mover.get(child.at));
      child = this.children(child.at)[0]!;
      actions.push(child.action);
    }
    return { actions, movers };
  }
}

/** Return value and probability of a draw: those of the foreseen outcome if there is one, else the search's. */
function judged(foreseen: number, value: number, draw: number): [value: number, draw: number] {
  if (foreseen === 0) return [value, draw];
  return [foreseen === 1 ? 1 : foreseen === 2 ? -1 : 0, Number(foreseen === DRAW)];
}

/** Return the rank of a proof for the mover: 0 for a win, 1 for a draw or no proof, 2 for a loss. */
function rankOf(proof: number, mover: number): number {
  return proof === 0 || proof === DRAW ? 1 : proof === 1 + mover ? 0 : 2;
}

function compared(a: number[], b: number[]): number {
  const differs = a.findIndex((number, index) => number !== b[index]);
  return differs < 0 ? 0 : a[differs]! - b[differs]!;
}
