// Where a game begins, when that is not as usual: handicap, komi, a FEN, a number; pure, so that it can be tested.
import type { Choices, SetupField } from "../api.gen.ts";
import type { Beginning } from "../api.ts";

/** What can be chosen with a variant. */
export function fieldsOf(choices: Choices | null, variant: string): SetupField[] {
  return (choices?.setup ?? []).filter((field) => !field.variants.length || field.variants.includes(variant));
}

/** What was filled in, as the rules take it; null if all is as usual: the server draws what is drawn by lot. */
export function beginningFrom(fields: SetupField[], values: Record<string, string>): Beginning {
  const filled = fields.flatMap(({ key, kind, values: options }) => {
    const text = values[key]?.trim() ?? "";
    if (!text || text === options[0]) return [];
    return [[key, kind === "text" ? text : Number(text)] as const];
  });
  return filled.length ? Object.fromEntries(filled) : null;
}
