// What an evaluation means in words and per cent: win chances, leads in points, proved wins. The only place that formats them.

/** Format per cent: `54 %`. */
export function percent(value: number): string {
  return `${Math.round(value)} %`;
}

/** Format the win chance of a side; `value` is from player 0's view, and only a proved win is 100 %. */
export function chanceOf(value: number, side: number): string {
  const own = side === 1 ? -value : value;
  if (Math.abs(own) >= 1) return percent(own > 0 ? 100 : 0);
  return percent(Math.min(99, Math.max(1, 50 + 50 * own)));
}

/** Format the part of the win chance that a move lost; `loss` is a difference of values. */
export function lossOf(loss: number): string {
  return percent(50 * loss);
}

/** Format a lead in points, as the leader has it: `3.5 points`. */
export function pointsOf(lead: number): string {
  const points = Math.round(2 * Math.abs(lead)) / 2;
  return points === 1 ? "1 point" : `${points} points`;
}

/**
 * Describe an evaluation in a sentence without its end: `Wally wins for sure`, `White: 63 % win chance, 3.5 points ahead`.
 *
 * `you` is the side of the reader, or null; `value` and `lead` are from player 0's view, and null if unknown; `winsIn`
 * is the number of moves of a forced win, or 0.
 */
export function evaluationWords(names: readonly string[], you: number | null, value: number | null, lead: number | null = null, winsIn = 0): string {
  if (value === null) return "No evaluation yet";
  const leader = value >= 0 ? 0 : 1;
  const name = you === leader ? "You" : (names[leader] ?? "");
  if (Math.abs(value) >= 1) return `${name} ${you === leader ? "win" : "wins"} ${winsIn ? `in ${winsIn} ${winsIn === 1 ? "move" : "moves"}` : "for sure"}`;
  const chance = `${name}: ${chanceOf(value, leader)} win chance`;
  if (lead === null) return chance;
  const ahead = lead >= 0 ? 0 : 1;
  if (Math.abs(lead) < 0.25) return `${chance}, the score is even`;
  const who = ahead === leader ? "" : `${you === ahead ? "you" : names[ahead]} `;
  return `${chance}, ${who}${pointsOf(lead)} ahead`;
}
