// The site's games with the bots of each, refreshed periodically; and names and choices derived from that list.
import { useEffect, useState } from "preact/hooks";
import type { Board, Catalogue, CatalogueBot, CatalogueGame, Choices, StudyView } from "./api.gen.ts";
import { catalogue } from "./api.ts";
import { sidesOf } from "./board/colours.ts";
import { poll } from "./polled.ts";

const REFRESH_MS = 5000;

export interface Offered {
  entries: CatalogueGame[] | null;
  /** The variants and board sizes beyond the catalogue, by game. */
  choices: Choices[];
  /** Why the list may be out of date; empty if it is current. */
  trouble: string;
}

export function useCatalogue(): Offered {
  const [entries, setEntries] = useState<CatalogueGame[] | null>(null);
  const [choices, setChoices] = useState<Choices[]>([]);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    const take = (found: Catalogue) => {
      setTrouble("");
      // an unchanged list must not cause a redraw
      const kept = <Value,>(old: Value, fresh: Value) => (JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh);
      setEntries((old) => kept(old, found.games));
      setChoices((old) => kept(old, found.choices));
    };
    return poll(catalogue, REFRESH_MS, take, (error) => setTrouble(error.message));
  }, []);
  return { entries, choices, trouble };
}

/** Return the title of a game, given its short name. */
function titleOf(entries: CatalogueGame[] | null, game: string): string {
  return entries?.find((entry) => entry.game === game)?.title ?? game.charAt(0).toUpperCase() + game.slice(1);
}

/** Return the class and the style of an element in which both sides have the colours of a game, given its short name. */
export function lookOf(entries: CatalogueGame[] | null, game: string): { class?: string; style?: Record<string, string> } {
  const board = entries?.find((entry) => entry.game === game)?.board;
  return board ? { class: board.style, style: sidesOf(board) } : {};
}

interface Setting {
  game: string;
  variant: string;
  boardWidth: number;
  boardHeight: number;
}

/** Return a game's title, with its variant unless that is the usual one, and its opening rule: `Gomoku Renju with Swap2`. */
export function rulesWords({ entries, choices }: Pick<Offered, "entries" | "choices">, { game, variant }: Pick<Setting, "game" | "variant">): string {
  const title = titleOf(entries, game);
  const known = choices.find((one) => one.game === game);
  const opening = known?.switch && variant.endsWith(`-${known.switch.value}`) ? known.switch : null;
  const rule = opening ? variant.slice(0, -opening.value.length - 1) : variant;
  const isUsual = rule === (known?.variants[0]?.value ?? "standard");
  const name = known?.variants.find(({ value }) => value === rule)?.name ?? rule;
  const words = isUsual ? title : name.startsWith(title) ? name : `${title} ${name}`;
  return opening ? `${words} with ${opening.name}` : words;
}

/** Return a game's title with its variant and, if the site has several board sizes, its size. */
export function boardWords({ entries, choices }: Pick<Offered, "entries" | "choices">, { game, variant, boardWidth, boardHeight }: Setting): string {
  const known = choices.find((one) => one.game === game);
  const own = (entries ?? []).filter((entry) => entry.game === game).map((entry) => `${entry.boardWidth} × ${entry.boardHeight}`);
  const sizes = new Set([...own, ...(known?.sizes ?? []).map(([columns, rows]) => `${columns} × ${rows}`)]);
  const words = rulesWords({ entries, choices }, { game, variant });
  return sizes.size > 1 ? `${words} ${boardWidth}\u00a0×\u00a0${boardHeight}` : words;
}

/** List the sizes of all boards of a game, or of all games if `game` is empty, as `13x13`, the smallest first. */
export function sizesOf({ entries, choices }: Pick<Offered, "entries" | "choices">, game: string): string[] {
  const isIt = (one: { game: string }) => !game || one.game === game;
  const sizes = [
    ...(entries ?? []).filter(isIt).map((entry) => [entry.boardWidth, entry.boardHeight] as const),
    ...choices.filter(isIt).flatMap((one) => one.sizes),
  ].sort((a, b) => a[0] * a[1] - b[0] * b[1] || a[0] - b[0]);
  return [...new Set(sizes.map(([width, height]) => `${width}x${height}`))];
}

/** List the variants of a game with their names, also those without a bot, and those with its opening rule. */
export function variantsOf({ entries, choices }: Pick<Offered, "entries" | "choices">, game: string): Record<string, string> {
  const known = choices.find((one) => one.game === game);
  const own = (entries ?? []).filter((entry) => entry.game === game).map(({ variant }) => variant);
  const plain = new Set([...(known?.variants ?? []).map(({ value }) => value), ...own]);
  const open = known?.switch ? [...plain].map((variant) => `${variant}-${known.switch?.value}`) : [];
  return Object.fromEntries([...plain, ...open].map((variant) => [variant, rulesWords({ entries, choices }, { game, variant })]));
}

/** Whether players choose their colours during the opening, so that a seat does not imply a colour. */
export function choosesColours(choices: Choices[], { game, variant }: Pick<Setting, "game" | "variant">): boolean {
  const known = choices.find((one) => one.game === game)?.switch;
  return !!known && variant.endsWith(`-${known.value}`);
}

/** Return an entry for a board that is not in the catalogue: people can play on it, but no bot does. */
export function beyond(entry: CatalogueGame, choices: Choices[], board: Setting & { spec: string }): CatalogueGame {
  const open = choosesColours(choices, board);
  const known = choices.find((one) => one.game === board.game);
  const colours: Board["colours"] = open ? [null, null] : known ? [0, 1] : entry.board.colours;
  const players = (open ? known?.switch?.players : known?.players) ?? entry.players;
  return { ...entry, ...board, players, board: { ...entry.board, colours }, bots: [] };
}

/** Whether two settings, of entries, seats or wishes, are of one game, variant and size, whatever the form of their specs. */
export function sameBoard(one: Setting, other: Partial<Setting>): boolean {
  return one.game === other.game && one.variant === other.variant && one.boardWidth === other.boardWidth && one.boardHeight === other.boardHeight;
}

/** Return the catalogue's entry of the board of an entry made by `beyond`, in case its bots have come since; else the entry itself. */
export function current(entries: CatalogueGame[], made: CatalogueGame): CatalogueGame {
  return entries.find((entry) => sameBoard(entry, made)) ?? made;
}

/** Return the entry for a game from a position: the catalogue's entry of its board, or one made by `beyond`. */
export function entryFor(entries: CatalogueGame[], choices: Choices[], spec: string, { game, variant, board }: StudyView): CatalogueGame | undefined {
  const own = entries.filter((entry) => entry.game === game);
  const wanted = { game, variant, boardWidth: board.columns, boardHeight: board.rows };
  const listed = own.find((entry) => entry.spec === spec) ?? own.find((entry) => sameBoard(entry, wanted));
  return listed ?? (own[0] && beyond(own[0], choices, { spec, ...wanted }));
}

export function firstPlayable(entries: CatalogueGame[]): CatalogueGame | undefined {
  return entries.find((entry) => entry.bots.length > 0) ?? entries[0];
}

/** Return the entry with a bot that is most like an entry: of its variant if possible, and of the nearest size; null if there is none. */
export function nearestWithBot(entries: CatalogueGame[], { variant, boardWidth, boardHeight }: Setting): CatalogueGame | null {
  const far = (entry: CatalogueGame) => Math.abs(entry.boardWidth * entry.boardHeight - boardWidth * boardHeight) + (entry.variant === variant ? 0 : 1000);
  return entries.filter(({ bots }) => bots.length > 0).sort((a, b) => far(a) - far(b))[0] ?? null;
}

/** Sort bots from weakest to strongest. */
export function byStrength(bots: CatalogueBot[]): CatalogueBot[] {
  return [...bots].sort((a, b) => a.rank - b.rank);
}

/** Return the bot to suggest: the previous one, else a fairly weak one, since newcomers lose to the strongest and leave. */
export function sensible(bots: CatalogueBot[], before: string | null): CatalogueBot | undefined {
  const ordered = byStrength(bots);
  return ordered.find((bot) => bot.id === before) ?? ordered[Math.min(ordered.length - 1, Math.floor(ordered.length / 3))];
}

/** Two bots that play each other, the first to move first. */
export type Pair = [CatalogueBot, CatalogueBot];

/** Return the chosen bots; an absent one is replaced by one of the two strongest. */
export function pairOf(bots: CatalogueBot[], ids: [string, string]): Pair | null {
  const [best, next] = byStrength(bots).reverse();
  if (!best) return null;
  const known = (id: string) => bots.find((bot) => bot.id === id);
  return [known(ids[0]) ?? best, known(ids[1]) ?? next ?? best];
}

/** Group entries by the title of their game, in their order. */
export function byTitle(entries: CatalogueGame[]): [string, CatalogueGame[]][] {
  const titles = [...new Set(entries.map(({ title }) => title))];
  return titles.map((title) => [title, entries.filter((entry) => entry.title === title)]);
}
