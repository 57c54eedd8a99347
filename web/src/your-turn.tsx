// The list of games that wait for this person's move, behind a button with their number in the header of every page.
import { useEffect, useRef, useState } from "preact/hooks";
import { gamePath } from "./address.ts";
import { boardWords, useCatalogue } from "./catalogue.ts";
import { counted } from "./game/words.ts";
import { Icon } from "./icons.tsx";
import { deadlineWords, isYours, lookAgain, useOwnGames } from "./own-games.ts";

const SHOWN = 12;

export function YourTurn({ path }: { path: string }) {
  const games = useOwnGames().filter((game) => isYours(game) && path !== gamePath(game.id));
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    setOpen(false);
    lookAgain(); // a game that was just left may wait for this person, or no longer
  }, [path]);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const onOutside = (event: Event) => event.target instanceof Node && !box.current?.contains(event.target) && setOpen(false);
    addEventListener("keydown", onKey);
    addEventListener("pointerdown", onOutside);
    addEventListener("focusin", onOutside);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("pointerdown", onOutside);
      removeEventListener("focusin", onOutside);
    };
  }, [open]);
  if (!games.length) return null;
  const words = `Your turn in ${counted(games.length, "game")}`;
  return (
    <div class="your-turn" ref={box}>
      <button ref={button} type="button" class="icon-button" aria-label={words} title={words} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="clock" />
        <span class="count">{games.length}</span>
      </button>
      {open && (
        <div class="waiting-games">
          <h2>Your turn</h2>
          <WaitingGames games={games.slice(0, SHOWN)} />
          {games.length > SHOWN && <p class="quiet-note">and {games.length - SHOWN} more</p>}
        </div>
      )}
    </div>
  );
}

function WaitingGames({ games }: { games: ReturnType<typeof useOwnGames> }) {
  const offered = useCatalogue();
  return (
    <ul>
      {games.map((game) => (
        <li key={game.id}>
          <a href={gamePath(game.id)}>
            <span>{game.opponent === null ? "No opponent yet" : `Against ${game.opponent}`}</span>
            <small>{[boardWords(offered, game), deadlineWords(game) && `${deadlineWords(game)} left`].filter(Boolean).join(", ")}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
