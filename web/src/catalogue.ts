// The games that can be played here, with the bots of each; they come and go, so the list keeps itself fresh.
import { useEffect, useState } from "preact/hooks";
import type { Board, CatalogueBot, CatalogueGame, Choices, StudyView } from "./api.gen.ts";
import { catalogue } from "./api.ts";
import { poll } from "./polled.ts";

const REFRESH_MS = 5000;

export interface Offered {
  entries: CatalogueGame[] | null;
  /** What else can be chosen, by game. */
  choices: Choices[];
  /** Why the list may be old; empty if it is not. */
  trouble: string;
}

export function useCatalogue(): Offered {
  const [entries, setEntries] = useState<CatalogueGame[] | null>(null);
  const [choices, setChoices] = useState<Choices[]>([]);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    const take = (found: Awaited<ReturnType<typeof catalogue>>) => {
      setTrouble("");
      // an unchanged list must not redraw a page in use
      const kept = <Value,>(old: Value, fresh: Value) => (JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh);
      setEntries((old) => kept(old, found.games));
      setChoices((old) => kept(old, found.choices));
    };
    return poll(catalogue, REFRESH_MS, take, (error) => setTrouble(error.message));
  }, []);
  return { entries, choices, trouble };
}

/** The title of a game, by its short name. */
export function titleOf(entries: CatalogueGame[] | null, game: string): string {
  return entries?.find((entry) => entry.game === game)?.title ?? game.charAt(0).toUpperCase() + game.slice(1);
}

/** How a game's boards look, by its short name: the sides' own colours come with it. */
export function styleOf(entries: CatalogueGame[] | null, game: string): string {
  return entries?.find((entry) => entry.game === game)?.board.style ?? "";
}

interface Setting {
  game: string;
  variant: string;
  boardWidth: number;
  boardHeight: number;
}

/** What a game is called with its rules, if those are not its usual ones. */
export function rulesWords({ entries, choices }: Pick<Offered, "entries" | "choices">, { game, variant }: Pick<Setting, "game" | "variant">): string {
  const title = titleOf(entries, game);
  const known = choices.find((one) => one.game === game);
  const isUsual = variant === (known?.variants[0]?.value ?? "standard");
  const name = known?.variants.find(({ value }) => value === variant)?.name ?? variant;
  return isUsual ? title : name.startsWith(title) ? name : `${title} ${name}`;
}

/** What a game is called with its rules and its board, as far as the site has several of them. */
export function boardWords({ entries, choices }: Pick<Offered, "entries" | "choices">, { game, variant, boardWidth, boardHeight }: Setting): string {
  const known = choices.find((one) => one.game === game);
  const own = (entries ?? []).filter((entry) => entry.game === game).map((entry) => `${entry.boardWidth} × ${entry.boardHeight}`);
  const sizes = new Set([...own, ...(known?.sizes ?? []).map(([columns, rows]) => `${columns} × ${rows}`)]);
  const words = rulesWords({ entries, choices }, { game, variant });
  return sizes.size > 1 ? `${words} ${boardWidth}\u00a0×\u00a0${boardHeight}` : words;
}

/** Whether players choose their colours at the table, so that their seats say nothing of them. */
export function choosesColours(choices: Choices[], { game, variant }: Pick<Setting, "game" | "variant">): boolean {
  const known = choices.find((one) => one.game === game)?.switch;
  return !!known && variant.endsWith(`-${known.value}`);
}

/** A board of a game beyond the catalogue, where people play and no bot has said that it does. */
export function beyond(entry: CatalogueGame, choices: Choices[], board: Setting & { spec: string }): CatalogueGame {
  const open = choosesColours(choices, board);
  const known = choices.find((one) => one.game === board.game);
  const colours: Board["colours"] = open ? [null, null] : known ? [0, 1] : entry.board.colours;
  const players = (open ? known?.switch?.players : known?.players) ?? entry.players;
  return { ...entry, ...board, players, board: { ...entry.board, colours }, bots: [] };
}

/** The entry with which a game begins at a position: of its own board, else of one beyond the catalogue. */
export function entryFor(entries: CatalogueGame[], choices: Choices[], spec: string, { game, variant, board }: StudyView): CatalogueGame | undefined {
  const own = entries.filter((entry) => entry.game === game);
  const onBoard = (entry: CatalogueGame) => entry.variant === variant && entry.boardWidth === board.columns && entry.boardHeight === board.rows;
  const listed = own.find((entry) => entry.spec === spec) ?? own.find(onBoard);
  return listed ?? (own[0] && beyond(own[0], choices, { spec, game, variant, boardWidth: board.columns, boardHeight: board.rows }));
}

export function firstPlayable(entries: CatalogueGame[]): CatalogueGame | undefined {
  return entries.find((entry) => entry.bots.length > 0) ?? entries[0];
}

/** Bots from the gentlest to the strongest. */
export function byStrength(bots: CatalogueBot[]): CatalogueBot[] {
  return [...bots].sort((a, b) => a.rank - b.rank);
}

/** Whom a newcomer should meet: most who begin with the strongest bot lose and leave. */
export function sensible(bots: CatalogueBot[], before: string | null): CatalogueBot | undefined {
  const ordered = byStrength(bots);
  return ordered.find((bot) => bot.id === before) ?? ordered[Math.min(ordered.length - 1, Math.floor(ordered.length / 3))];
}

/** Two bots that play each other, the first to move first. */
export type Pair = [CatalogueBot, CatalogueBot];

/** Those that were chosen, as far as they are here; otherwise the two strongest. */
export function pairOf(bots: CatalogueBot[], ids: [string, string]): Pair | null {
  const [best, next] = byStrength(bots).reverse();
  if (!best) return null;
  const known = (id: string) => bots.find((bot) => bot.id === id);
  return [known(ids[0]) ?? best, known(ids[1]) ?? next ?? best];
}
