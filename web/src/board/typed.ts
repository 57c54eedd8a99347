// Parses typed moves by comparison with the texts of the legal choices; text after a `.` or space is returned as the rest.
import type { Choice } from "../api.gen.ts";

export type Typed = { action: number; rest: string } | { fault: string };

/** Find the choice with which `text` begins. Case matters only where two choices differ in nothing else. */
export function typed(text: string, choices: Choice[]): Typed {
  const wanted = text.trim();
  if (!wanted) return { fault: "Type a move first." };
  // one action may have several choices
  const different = [...new Map(choices.map((choice) => [choice.action, choice])).values()];
  const texts = different.flatMap((choice) => (choice.move ? [choice, { ...choice, text: bare(choice.move) }] : [choice]));
  for (const same of [(a: string) => a, (a: string) => a.toLowerCase()]) {
    const fits = texts.filter((choice) => begins(same(wanted), same(choice.text)));
    const longest = Math.max(...fits.map((choice) => choice.text.length));
    const best = fits.filter((choice) => choice.text.length === longest);
    const [only] = best;
    if (only && best.length === 1) return { action: only.action, rest: wanted.slice(only.text.length).replace(/^[.\s+#!?]+/, "") };
    if (best.length > 1) return { fault: `“${wanted}” can mean ${best.map((choice) => choice.text).join(" or ")}.` };
  }
  const steps = different.filter((choice) => oneStepShort(choice.text, wanted));
  if (steps.length) return { fault: `“${wanted}” is two steps away: type ${steps.map((choice) => choice.text).join(" or ")} first.` };
  const examples = different.slice(0, 3).map((choice) => choice.move ?? choice.text);
  return { fault: `“${wanted}” is not a legal move.${examples.length ? ` Legal moves are, for example, ${examples.join(", ")}.` : ""}` };
}

/** Remove the signs for check and mate, which are optional. */
function bare(move: string): string {
  return move.replace(/[+#]$/, "");
}

/** Whether `text` moves the piece of `wanted` to a cell beside the wanted one: `Cc4` for `Cc5`. */
function oneStepShort(text: string, wanted: string): boolean {
  const [from, to] = [text, wanted].map((each) => /^([a-z])([a-t])(\d+)$/.exec(each.toLowerCase()));
  if (!from || !to || from[1] !== to[1]) return false;
  const across = from[2]!.charCodeAt(0) - to[2]!.charCodeAt(0);
  return Math.abs(across) + Math.abs(Number(from[3]) - Number(to[3])) === 1;
}

function begins(text: string, start: string): boolean {
  return text === start || (text.startsWith(start) && /[.\s+#!?]/.test(text.charAt(start.length)));
}
