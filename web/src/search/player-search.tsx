// The search for players while one types: accounts and bots by name, with what one can do with each.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BotFound, PersonFound, PlayersFound } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { counted } from "../game/words.ts";
import { usePerson } from "../identity.ts";
import { remember } from "../landing/choice.ts";
import { ChallengeDialog } from "../lobby/challenge-dialog.tsx";
import { whyNot } from "../lobby/challenge-button.tsx";
import { playersNamed } from "../people.ts";
import { pathOf } from "../ratings/words.ts";

const PAUSE_MS = 150; // between the last key and the request
const MOST_CHARS = 40; // as on the site

interface SearchProps {
  onClose: () => void;
}

export function PlayerSearch({ onClose }: SearchProps) {
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState<PlayersFound | null>(null);
  const [trouble, setTrouble] = useState("");
  const [challenged, setChallenged] = useState<PersonFound | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const wanted = typed.trim();
  useEffect(() => {
    setTrouble("");
    if (!wanted) {
      setFound(null);
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      playersNamed(wanted).then(
        (answer) => !gone && setFound(answer),
        (error: Error) => !gone && setTrouble(error.message),
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  if (challenged) return <ChallengeDialog to={challenged} onClose={onClose} />;
  const number = found ? found.people.length + found.bots.length : 0;
  return (
    <Dialog title="Find a player" className="search" onClose={onClose}>
      <div ref={list} onKeyDown={(event: KeyboardEvent) => walk(event, list.current)}>
        <label class="field">
          <span>Name of a person or a bot</span>
          <input
            type="text"
            role="searchbox" // a field of type search would only be cleared by Escape
            value={typed}
            maxLength={MOST_CHARS}
            autocomplete="off"
            spellcheck={false}
            autoFocus
            onInput={(event: Event) => setTyped((event.target as HTMLInputElement).value)}
          />
        </label>
        <p class="quiet-note" role="status">
          {trouble || (found ? (number === 0 ? `Nobody is called ${wanted}.` : counted(number, "player")) : "Type the beginning of a name.")}
        </p>
        {found && (
          <ul class="found">
            {found.people.map((person) => (
              <PersonRow key={person.name} person={person} onClose={onClose} onChallenge={() => setChallenged(person)} />
            ))}
            {found.bots.map((bot) => (
              <BotRow key={bot.id} bot={bot} onClose={onClose} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function PersonRow({ person, onClose, onChallenge }: { person: PersonFound; onClose: () => void; onChallenge: () => void }) {
  const why = whyNot(person, usePerson());
  return (
    <li>
      <a href={pathOf(person.name)} onClick={onClose}>
        {person.name}
      </a>
      <small>{person.here ? "here now" : ""}</small>
      {!why && (
        <Button class="button small" aria-label={`Challenge ${person.name}`} onClick={onChallenge}>
          Challenge
        </Button>
      )}
    </li>
  );
}

/** A bot, which the landing page offers as the opponent. */
function BotRow({ bot, onClose }: { bot: BotFound; onClose: () => void }) {
  const choose = () => {
    remember("spec", bot.spec);
    remember("bot", bot.id);
    remember("opponent", "bot");
    onClose();
  };
  return (
    <li>
      <a href="/#new-game" onClick={choose}>
        {bot.name}
      </a>
      <small>
        Bot, {bot.title}
        {bot.level && `, ${bot.level.toLowerCase()}`}
      </small>
    </li>
  );
}

/** Move the focus between the field and the links by the arrow keys. */
function walk(event: KeyboardEvent, box: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!step || !box) return;
  const stops = [...box.querySelectorAll<HTMLElement>("input, li > a")];
  const at = stops.findIndex((one) => one === document.activeElement);
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
}
