// Buttons for a finished game: copy a link that contains it, download it as text, replay it.
import { Icon } from "../icons.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { shareLink, sharedText, textAddress } from "../people.ts";
import { CopyLink } from "../game/share.tsx";

const TAKEN_MS = 60_000; // some browsers read the file only after a dialog

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

/** The buttons to share a game as a link and download it as a file. */
export function ToKeep({ id, onNotice }: KeepsakesProps) {
  return (
    <>
      <CopyLink
        link={() => shareLink(id)}
        text="Share"
        title="Copy a link that contains the whole game and never expires"
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

/** The download button of a game from a shared link, which has no address on the site. */
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
