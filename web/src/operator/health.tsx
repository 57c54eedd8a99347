// The health of the site: figures in tiles.
import type { SiteHealth } from "../api.gen.ts";
import { lasting } from "./desk.ts";

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, each) => all + each, 0);

/** `3 play, 2 lobby`; empty counts are left out. */
function told(counts: Record<string, number>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([name, count]) => `${count} ${name}`).join(", ");
}

export function Health({ health }: { health: SiteHealth }) {
  const waiting = sum(health.queues);
  const tiles = [
    { name: "Running for", value: lasting(health.runningS), more: `Ludus ${health.version}` },
    { name: "Games", value: `${health.games}`, more: `of at most ${health.maxGames}` },
    { name: "Sockets", value: `${sum(health.sockets)}`, more: told(health.sockets) || "none is open" },
    { name: "Waiting requests", value: `${waiting}`, more: told(health.queues) || "no queue" },
    { name: "Move shown after", value: health.moveMs === null ? "–" : `${health.moveMs} ms`, more: "on average" },
    { name: "Event loop late by", value: `${health.loopLagMs} ms`, more: "latest" },
    { name: "Errors", value: `${health.errors}`, more: "in the log" },
  ];
  return (
    <section class="panel" aria-label="Health">
      <h2>Health</h2>
      <p class={health.trouble ? "line-lost" : "quiet-note"} role="status">
        {health.trouble ?? "The site is ready."}
      </p>
      <dl class="tiles">
        {tiles.map(({ name, value, more }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              <small>{more}</small>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
