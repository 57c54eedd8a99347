// The two buttons for a start without choices: a person, who may be waiting already, and a bot.
import type { CatalogueBot, CatalogueGame, EnterPool } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { boardWords } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { timeWords } from "../feeds.ts";
import { Icon } from "../icons.tsx";
import { poolTimes, wishWords } from "../lobby/boards.ts";
import { useInbox } from "../lobby/inbox.ts";
import { hostOf } from "./lists.tsx";
import type { Offer } from "./offers.ts";

interface PlayNowProps {
  offered: Offered;
  /** The person to play at once; undefined while nobody waits. */
  offer: Offer | undefined;
  /** What the person's button looks for while nobody waits. */
  wish: EnterPool;
  /** The board and the bot of the other button. */
  quick: CatalogueGame;
  bot: CatalogueBot | null;
  busy: boolean;
  onPerson: () => void;
  onBot: (bot: CatalogueBot) => void;
}

/** The person's button is always there, so that no button moves when somebody begins to wait. */
export function PlayNow({ offered, offer, wish, quick, bot, busy, onPerson, onBot }: PlayNowProps) {
  const { wait } = useInbox();
  const against = bot && `${quick.title} against ${bot.name}${bot.level ? `, ${bot.level.toLowerCase()}` : ""}`;
  return (
    <div class="play-now">
      <Button class={`button large now ${offer || !bot ? "primary" : ""}`} disabled={busy || (!offer && wait !== null)} onClick={onPerson}>
        <Icon name="person" />
        <span>
          {offer ? "Play now" : wait ? "Looking for an opponent" : "Find an opponent"}
          <small>{offer ? offerWords(offered, offer) : wishWords(offered, wait?.wish ?? wish)}</small>
        </span>
      </Button>
      {bot && (
        <Button class={`button large now ${offer ? "" : "primary"}`} disabled={busy} onClick={() => onBot(bot)}>
          <Icon name="play" />
          <span>
            {offer ? "Play a bot" : "Play now"}
            <small>{against}</small>
          </span>
        </Button>
      )}
    </div>
  );
}

function offerWords(offered: Offered, offer: Offer): string {
  if ("seat" in offer) {
    const { config } = offer.seat;
    return `${boardWords(offered, config)} against ${hostOf(offer.seat)}, ${timeWords(config.timeControl)}${config.rated ? ", rated" : ""}${config.withEvaluation ? ", with evaluation" : ""}`;
  }
  const { entry } = offer;
  return `${boardWords(offered, entry)} against a person who waits, ${poolTimes(entry.timeControls)}${entry.rated ? ", rated" : ""}`;
}
