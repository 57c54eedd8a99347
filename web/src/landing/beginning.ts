// Where a game begins, when that is not as usual: handicap, komi, a FEN; pure, so that it can be tested.
import type { Choices } from "../api.gen.ts";
import type { Beginning } from "../api.ts";

/** What was filled in, as the rules take it; null if all is as usual. */
export function beginningFrom(choices: Choices | null, values: Record<string, string>): Beginning {
  const filled = (choices?.setup ?? []).flatMap(({ key, kind, values: options }) => {
    const text = values[key]?.trim() ?? "";
    if (!text || text === options[0]) return [];
    return [[key, kind === "text" ? text : Number(text)] as const];
  });
  return filled.length ? Object.fromEntries(filled) : null;
}
