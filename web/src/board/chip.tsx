// A dot in the colour of a player's pieces, shown beside the player's name.
import { ownerClass } from "./pieces.tsx";

/** Draws the dot; `owner` is null while the players have not chosen their colours. */
export function Chip({ owner }: { owner: number | null }) {
  return <span class={`chip ${ownerClass(owner)}`} aria-hidden="true" />;
}
