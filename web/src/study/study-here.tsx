// A link to the analysis page with a whole game.
import { Icon } from "../icons.tsx";
import { addressOf, sharedAddress } from "./addresses.ts";
import type { Root } from "./use-study.ts";

interface HereProps {
  /** A link that contains the game with its comments and variations; null for a game without them. */
  link?: string | null;
  spec: string;
  setup: Root["setup"];
  moves: { text: string; ply: number }[];
  /** The ply on the board. */
  ply: number;
}

/** A link to the analysis page with the whole game, at the shown position. */
export function StudyHere({ link = null, spec, setup, moves, ply }: HereProps) {
  const address = link ? sharedAddress(link, ply) : addressOf({ spec, setup, before: moves.map((move) => move.text) }, ply);
  return (
    <a class="button quiet" href={address} title="Try other moves from this position">
      <Icon name="branch" /> Analyse
    </a>
  );
}
