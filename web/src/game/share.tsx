// A button that copies an address; where the browser keeps the clipboard to itself, it shows the address for the hand.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";

interface CopyProps {
  link: () => string | Promise<string>;
  text: string;
  title: string;
  /** Where the address stands already. */
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
      if (address && field) field.current?.focus(); // without https, there is no clipboard
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
  return <AddressField class="by-hand" field={field} address={address} label="The link, to be copied from here" />;
}

interface AddressProps {
  field: RefObject<HTMLInputElement | null>;
  address: string;
  label: string;
  class?: string;
}

/** An address that is selected as soon as one comes to it. */
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
