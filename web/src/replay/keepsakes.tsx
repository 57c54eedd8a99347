// What can be done with a finished game: a link that carries it whole, its text as a file, and its replay.
import { Icon } from "../icons.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { shareLink, sharedText, textAddress } from "../people.ts";
import { CopyLink } from "../game/share.tsx";

const TAKEN_MS = 60_000; // some browsers ask where to put a file before they read it

interface KeepsakesProps {
  id: string;
  onNotice: OnNotice;
}

export function Keepsakes({ id, onNotice }: KeepsakesProps) {
  return (
    <div class="keepsakes">
      <ToKeep id={id} onNotice={onNotice} />
      <a class="button quiet" href={`/replay/${encodeURIComponent(id)}`}>
        <Icon name="play" /> Replay
      </a>
    </div>
  );
}

/** The game itself: as a link, and as a file. */
export function ToKeep({ id, onNotice }: KeepsakesProps) {
  return (
    <>
      <CopyLink
        link={() => shareLink(id)}
        text="Share"
        title="A link that carries the whole game: it works for ever"
        onNotice={onNotice}
      />
      <a class="button quiet" href={textAddress(id)} download>
        <Icon name="save" /> Download
      </a>
    </>
  );
}

interface SharedProps {
  link: string;
  onNotice: OnNotice;
}

/** The text of a game that came with its link: the site has no address for what it does not keep. */
export function SharedToKeep({ link, onNotice }: SharedProps) {
  const save = async () => {
    try {
      const file = await sharedText(link);
      const address = URL.createObjectURL(file);
      Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
      setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
    } catch (error) {
      onNotice(asError(error));
    }
  };
  return (
    <button type="button" class="button quiet" onClick={save}>
      <Icon name="save" /> Download
    </button>
  );
}
