// A button that copies a link; if the browser denies access to the clipboard, it shows the link for manual copying.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";

interface CopyProps {
  link: () => string | Promise<string>;
  text: string;
  title: string;
  /** A field on the page that already shows the link. */
  field?: RefObject<HTMLInputElement | null>;
  onNotice: OnNotice;
}

const SHOWN_MS = 2500;

export function CopyLink({ link, text, title, field, onNotice }: CopyProps) {
  const [copied, setCopied] = useState(false);
  const [byHand, setByHand] = useState("");
  const copy = async () => {
    let address = "";
    try {
      address = await link();
      await navigator.clipboard.writeText(address);
      setByHand("");
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch (error) {
      if (address && field) field.current?.focus(); // the clipboard requires https
      else if (address) setByHand(address);
      else onNotice(asError(error));
    }
  };
  return (
    <>
      <button type="button" class="button quiet" onClick={copy} title={title}>
        <Icon name={copied ? "done" : "link"} />
        <span aria-live="polite">{copied ? "Link copied" : text}</span>
      </button>
      {byHand && <ByHand key={byHand} address={byHand} />}
    </>
  );
}

function ByHand({ address }: { address: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return <AddressField class="by-hand" field={field} address={address} label="Link to copy" />;
}

interface AddressProps {
  field: RefObject<HTMLInputElement | null>;
  address: string;
  label: string;
  class?: string;
}

/** A read-only field that selects its content on focus. */
export function AddressField({ field, address, label, class: look }: AddressProps) {
  return (
    <input
      ref={field}
      class={look}
      type="text"
      readOnly
      value={address}
      aria-label={label}
      onFocus={() => field.current?.select()}
    />
  );
}
