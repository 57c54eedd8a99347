// A good game that is replayed on the landing page; without one, a typical position.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, CatalogueGame, Replay } from "../api.gen.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf, sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { Icon } from "../icons.tsx";
import { prefersStillness } from "../motion.ts";
import { useOnScreen } from "../on-screen.ts";
import { shared, showcase, showcasePosition } from "../people.ts";

const STEP_MS = 1200;
const END_MS = 5000;
const AGAIN_MS = 15_000;
const NUMBERS = 1000; // the site counts on from its first game after its last

export function Showcase({ otherwise }: { otherwise: CatalogueGame }) {
  const [game, setGame] = useState<Replay | null>(null);
  const [board, setBoard] = useState<Board | null>(null);
  const [paused, setPaused] = useState(prefersStillness);
  const [number] = useState(() => Math.floor(Math.random() * NUMBERS));
  const link = useRef("");
  const at = useRef(0);
  const known = useRef(new Map<number, Board>()); // boards by ply, kept so that the repeated replay needs no requests
  const figure = useRef<HTMLElement>(null);
  const seen = useOnScreen(figure);

  useEffect(() => {
    let gone = false;
    const choose = async () => {
      link.current = await showcase(number);
      const found = await shared(link.current);
      if (!gone) setGame(found);
    };
    choose().catch(() => {}); // without a game to show, the typical position stays
    return () => {
      gone = true;
    };
  }, []);
  useEffect(() => {
    if (!game || !seen || (paused && board)) return;
    let timer = 0;
    let gone = false;
    const plies = [0, ...game.moves.map((move) => move.ply)];
    if (paused) at.current = plies.length >> 1; // who prefers stillness sees the middle: many games begin with an empty board
    const show = async () => {
      const ply = plies[at.current] ?? 0;
      const next = known.current.get(ply) ?? (await showcasePosition(number, ply));
      known.current.set(ply, next);
      if (gone) return;
      setBoard(next);
      const end = at.current >= plies.length - 1;
      at.current = end ? 0 : at.current + 1;
      if (!paused) later(end ? END_MS : STEP_MS);
    };
    const step = () => void show().catch(() => gone || later(AGAIN_MS)); // wait longer after an error: the site may be busy
    const later = (ms: number) => (timer = window.setTimeout(step, ms));
    step();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [game, paused, seen]);

  const shown = board ?? otherwise.board;
  const players = game?.game.players;
  return (
    <figure ref={figure} class={`showcase ${shown.style}`} style={sidesOf(shown)}>
      {/* the key keeps pieces of one game from being animated into another's */}
      <BoardPicture key={board ? "" : otherwise.spec} board={shown} label={players ? `${game?.game.title}: ${players[0].name} against ${players[1].name}` : "A typical position"} />
      {game && players && (
        <figcaption>
          <a href={`/shared#${link.current}`}>
            {game.game.title}:{" "}
            {players[0].name === players[1].name ? (
              `${players[0].name}, against itself`
            ) : (
              <>
                <Chip owner={colourOf(shown, 0)} /> {players[0].name} – <Chip owner={colourOf(shown, 1)} /> {players[1].name}
              </>
            )}
          </a>
          <button type="button" class="icon-button" aria-label={paused ? "Play" : "Pause"} title={paused ? "Play" : "Pause"} onClick={() => setPaused(!paused)}>
            <Icon name={paused ? "play" : "pause"} />
          </button>
        </figcaption>
      )}
    </figure>
  );
}
