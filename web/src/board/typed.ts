// A typed move: the text is compared with the texts of the legal choices; what follows a `.` or a blank waits.
import type { Choice } from "../api.gen.ts";

export type Typed = { action: number; rest: string } | { fault: string };

/** The choice with which `text` begins. Capital letters count only where they tell two choices apart. */
export function typed(text: string, choices: Choice[]): Typed {
  const wanted = text.trim();
  if (!wanted) return { fault: "Type a move first." };
  for (const same of [(a: string) => a, (a: string) => a.toLowerCase()]) {
    const fits = choices.filter((choice) => begins(same(wanted), same(choice.text)));
    const longest = Math.max(...fits.map((choice) => choice.text.length));
    const best = fits.filter((choice) => choice.text.length === longest);
    const [only] = best;
    if (only && best.length === 1) return { action: only.action, rest: wanted.slice(only.text.length).replace(/^[.\s]+/, "") };
    if (best.length > 1) return { fault: `“${wanted}” can mean ${best.map((choice) => choice.text).join(" or ")}.` };
  }
  const examples = choices.slice(0, 3).map((choice) => choice.text);
  return { fault: `“${wanted}” is not possible here${examples.length ? `; for example ${examples.join(", ")} is.` : "."}` };
}

function begins(text: string, start: string): boolean {
  return text === start || (text.startsWith(start) && /[.\s]/.test(text.charAt(start.length)));
}
