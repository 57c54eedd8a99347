// Scales of charts: round numbers on an axis. Pure functions.

/** Return round numbers in steps of 1, 2 or 5 times a power of ten, which cover `low` to `high`. */
export function ticks(low: number, high: number, most = 5): number[] {
  if (high - low < 1e-9) [low, high] = [low - 0.5, high + 0.5];
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => power * times >= rough) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(10)));
}
