// A dot in the colour of a player's pieces, beside what is said of the player.
import { ownerClass } from "./pieces.tsx";

/** `owner` of the pieces; null while it is open whose they are. */
export function Chip({ owner }: { owner: number | null }) {
  return <span class={`chip ${ownerClass(owner)}`} aria-hidden="true" />;
}
