// The page of games: those in progress, a filtered list of finished ones, and a field to open a game from text.
import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { useAnswer, useGone } from "../answer.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { archive, readText } from "../people.ts";
import { Button } from "../button.tsx";
import { sizesOf, useCatalogue, variantsOf } from "../catalogue.ts";
import { Choice } from "../choice.tsx";
import { LiveList } from "../landing/lists.tsx";
import { GameRow } from "./game-row.tsx";

interface GamesProps {
  onNotice: OnNotice;
  onPath: (path: string) => void;
}

type Filters = Record<string, string>;

const RESULTS = { "": "Any result", first: "First player won", second: "Second player won", draw: "Draw" };

/** A field that reports its value when it loses focus; re-rendering keeps text that is being typed. */
function Written({ type, value, onWritten }: { type: "text" | "date"; value: string; onWritten: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const textOf = (event: Event) => (event.target as HTMLInputElement).value;
  return (
    <input
      {...(type === "date" ? { type: "date" as const } : { type: "text" as const })}
      value={typed}
      maxLength={60}
      onInput={(event: Event) => setTyped(textOf(event))}
      onChange={(event: Event) => onWritten(textOf(event))}
    />
  );
}

export function GamesPage({ onNotice, onPath }: GamesProps) {
  const offered = useCatalogue();
  const { entries } = offered;
  const titles = Object.fromEntries((entries ?? []).map((entry) => [entry.game, entry.title]));
  const [filters, setFilters] = useState<Filters>(() => Object.fromEntries(new URLSearchParams(location.search)));
  const { found, error } = useAnswer(() => archive(filters), [filters]);
  useEffect(() => {
    document.title = "Games – Ludus";
  }, []);
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  useAddress(query ? `/games?${query}` : "/games");
  // another game has other variants and boards
  const change = (name: string, value: string) => setFilters((old) => ({ ...old, page: "", ...(name === "game" ? { variant: "", size: "" } : {}), [name]: value }));
  const game = filters["game"] ?? "";
  const variants = game ? variantsOf(offered, game) : {};
  const sizes = sizesOf(offered, game);
  /** Add the value in the address to the options, even if it is none of them. */
  const withOwn = (name: string, options: Record<string, string>) => ({ ...options, ...(filters[name] && !(filters[name] in options) ? { [filters[name]]: filters[name] } : {}) });
  const select = (name: string, title: string, options: Record<string, string>) => (
    <Choice title={title} value={filters[name] ?? ""} options={Object.entries(options).map(([value, text]) => ({ value, name: text }))} onChange={(value) => change(name, value)} />
  );
  const field = (name: string, title: string, type: "text" | "date" = "text") => (
    <label class="field">
      <span>{title}</span>
      <Written type={type} value={filters[name] ?? ""} onWritten={(value) => change(name, value)} />
    </label>
  );
  const turnTo = (page: number) => setFilters((old) => ({ ...old, page: String(page) }));
  return (
    <main class="page">
      <h1>Games</h1>
      <p class="beside">
        <a href="/ratings">See the best players</a>
      </p>
      <LiveList offered={offered} />
      <section class="panel">
        <h2>Finished games</h2>
        <form class="filters" onSubmit={(event: Event) => event.preventDefault()}>
          {select("game", "Game", { "": "All games", ...titles })}
          {(Object.keys(variants).length > 1 || filters["variant"]) && select("variant", "Rules", withOwn("variant", { "": "All rules", ...variants }))}
          {select("size", "Board", withOwn("size", { "": "All boards", ...Object.fromEntries(sizes.map((size) => [size, size.replace("x", " × ")])) }))}
          {select("result", "Result", RESULTS)}
          {field("player", "Player")}
          {field("from", "From", "date")}
          {field("to", "To", "date")}
        </form>
        {error && <p class="line-lost">{error.message}</p>}
        {found && (
          <>
            <p class="quiet-note" role="status">
              {found.total === 0 ? "No games found." : found.total === 1 ? "1 game" : `${found.more ? "More than " : ""}${found.total} games`}
            </p>
            <ul class="game-list">
              {found.games.map((game) => (
                <GameRow key={game.id} game={game} offered={offered} />
              ))}
            </ul>
            {found.pages > 1 && (
              <p class="turner">
                <Button class="button small" disabled={found.page <= 1} onClick={() => turnTo(found.page - 1)}>
                  Newer
                </Button>
                Page {found.page} of {found.pages}
                <Button class="button small" disabled={found.page >= found.pages} onClick={() => turnTo(found.page + 1)}>
                  Older
                </Button>
              </p>
            )}
          </>
        )}
      </section>
      <TextReader onNotice={onNotice} onPath={onPath} />
    </main>
  );
}

/** A form that opens a game from pasted text, by a link that contains the game. */
function TextReader({ onNotice, onPath }: GamesProps) {
  const [text, setText] = useState("");
  const gone = useGone();
  const read = async (event: Event) => {
    event.preventDefault();
    try {
      const { link, leftOut } = await readText(text);
      if (gone.current) return;
      onPath(`/shared#${link}`);
      if (leftOut) onNotice(leftOut.join(" "));
    } catch (error) {
      if (!gone.current) onNotice(asError(error));
    }
  };
  return (
    <section class="panel">
      <h2>Open a game from text</h2>
      <form class="reader" onSubmit={read}>
        <label class="field">
          <span>A game downloaded here, PGN, or SGF</span>
          <textarea rows={4} value={text} spellcheck={false} onInput={(event: Event) => setText((event.target as HTMLTextAreaElement).value)} />
        </label>
        <Button type="submit" disabled={!text.trim()}>
          Open
        </Button>
      </form>
    </section>
  );
}
