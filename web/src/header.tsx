// The bar on top of every page.
import type { ComponentChildren } from "preact";

interface HeaderProps {
  onHome: () => void;
  children?: ComponentChildren;
}

export function Header({ onHome, children }: HeaderProps) {
  const home = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is the browser's business
    event.preventDefault();
    onHome();
  };
  return (
    <header class="header">
      <a class="brand" href="/" onClick={home}>
        <img src="/favicon.svg" alt="" width={30} height={30} /> Ludus
      </a>
      {children}
    </header>
  );
}
