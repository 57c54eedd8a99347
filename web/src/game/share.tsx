// A button that copies an address.
import { useState } from "preact/hooks";
import { Icon } from "../icons.tsx";

interface CopyProps {
  link: () => string | Promise<string>;
  text: string;
  title: string;
  onNotice: (sentence: string) => void;
}

const SHOWN_MS = 2500;

export function CopyLink({ link, text, title, onNotice }: CopyProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    let address = "";
    try {
      address = await link();
      await navigator.clipboard.writeText(address);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch (error) {
      // without https, browsers keep the clipboard to themselves
      onNotice(address ? `Copy this yourself: ${address}` : error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <button type="button" class="button quiet" onClick={copy} title={title}>
      <Icon name={copied ? "done" : "link"} />
      <span aria-live="polite">{copied ? "Link copied" : text}</span>
    </button>
  );
}
