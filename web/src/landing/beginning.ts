// The settings of a game's start position, such as handicap, komi or FEN. Pure functions.
import type { Choices, SetupField } from "../api.gen.ts";
import type { Beginning } from "../api.ts";

/** Return the start settings of a variant. */
export function fieldsOf(choices: Choices | null, variant: string): SetupField[] {
  return (choices?.setup ?? []).filter((field) => !field.variants.length || field.variants.includes(variant));
}

/** Convert filled-in fields to a start position; null if all have their default. The server draws random start positions. */
export function beginningFrom(fields: SetupField[], values: Record<string, string>): Beginning {
  const filled = fields.flatMap(({ key, kind, values: options }) => {
    const text = values[key]?.trim() ?? "";
    if (!text || text === options[0]) return [];
    return [[key, kind === "text" ? text : Number(text)] as const];
  });
  return filled.length ? Object.fromEntries(filled) : null;
}
