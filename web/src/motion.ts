// Whether the person's system asks for reduced motion; animations in the style sheets check it themselves.

export function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
