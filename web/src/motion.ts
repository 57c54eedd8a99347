// Whether this person would rather see things stand than move; what the style sheet moves heeds it by itself.

export function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
