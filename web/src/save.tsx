// A button that downloads a file which the site writes on demand.
import { Icon } from "./icons.tsx";
import { asError } from "./notice.ts";
import type { OnNotice } from "./notice.ts";

const TAKEN_MS = 60_000; // some browsers read the file only after a dialog

interface SaveProps {
  file: () => Promise<File>;
  title?: string;
  onNotice: OnNotice;
}

export function SaveButton({ file: made, title, onNotice }: SaveProps) {
  const save = async () => {
    try {
      const file = await made();
      const address = URL.createObjectURL(file);
      Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
      setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
    } catch (error) {
      onNotice(asError(error));
    }
  };
  return (
    <button type="button" class="button quiet" onClick={save} {...(title === undefined ? {} : { title })}>
      <Icon name="save" /> Download
    </button>
  );
}
