// Parses typed moves by comparison with the texts of the legal choices; text after a `.` or space is returned as the rest.
import type { Choice, Edge } from "../api.gen.ts";
import { edgeKey } from "./same.ts";

export type Typed = { action: number; rest: string } | { fault: string };

/**
 * Find the choice with which `text` begins. Case matters only where two choices differ in nothing else.
 * The target of a double step stands for its first step, and remains as the rest; `walls` may block one way to it.
 */
export function typed(text: string, choices: Choice[], walls: Edge[] = []): Typed {
  const wanted = text.trim();
  if (!wanted) return { fault: "Type a move first." };
  // one action may have several choices
  const different = [...new Map(choices.map((choice) => [choice.action, choice])).values()];
  const texts = different.flatMap((choice) => [choice.text, choice.move && bare(choice.move), choice.kind === "button" && choice.label].flatMap((name) => (name ? [{ ...choice, text: name }] : [])));
  for (const same of [(a: string) => a, (a: string) => a.toLowerCase()]) {
    const fits = texts.filter((choice) => begins(same(wanted), same(choice.text)));
    const longest = Math.max(...fits.map((choice) => choice.text.length));
    const best = fits.filter((choice) => choice.text.length === longest);
    const [only] = best;
    if (only && best.length === 1) return { action: only.action, rest: wanted.slice(only.text.length).replace(/^[.\s+#!?]+/, "") };
    if (best.length > 1) return { fault: `“${wanted}” can mean ${best.map((choice) => choice.text).join(" or ")}.` };
  }
  const step = different.find((choice) => leadsTo(choice, wanted, walls));
  if (step) return { action: step.action, rest: wanted };
  const examples = different.slice(0, 3).map((choice) => choice.move ?? choice.text);
  return { fault: `“${wanted}” is not a legal move.${examples.length ? ` Legal moves are, for example, ${examples.join(", ")}.` : ""}` };
}

/** Remove the signs for check and mate, which are optional. */
function bare(move: string): string {
  return move.replace(/[+#]$/, "");
}

/** Whether a choice moves the piece of the first term of `wanted` to a cell beside that term's, with no wall between. */
function leadsTo({ text, at }: Choice, wanted: string, walls: Edge[]): boolean {
  const [from, to] = [text, wanted.split(/[.\s]/)[0] ?? ""].map((each) => /^([a-z])([a-t])(\d+)$/.exec(each.toLowerCase()));
  if (!at || !from || !to || from[1] !== to[1]) return false;
  const right = to[2]!.charCodeAt(0) - from[2]!.charCodeAt(0);
  const up = Number(to[3]) - Number(from[3]);
  if (Math.abs(right) + Math.abs(up) !== 1) return false;
  const [row, column] = [at[0] + Math.max(0, -up), at[1] + Math.min(0, right)];
  const between = edgeKey({ at: [row, column], side: right ? "right" : "top" });
  return !walls.some((wall) => edgeKey(wall) === between);
}

function begins(text: string, start: string): boolean {
  return text === start || (text.startsWith(start) && /[.\s+#!?]/.test(text.charAt(start.length)));
}
