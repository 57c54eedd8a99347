// The lists of the operator's page: reports, games, people, bots, bans and silences, and the log of acts.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { gamePath } from "../address.ts";
import type { DeskAct, DeskBots, DeskGame, DeskPerson, DeskReport, DeskRestriction } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { percent } from "../chances.ts";
import { Choice } from "../choice.tsx";
import { PERIODS, subjectIn, when } from "./desk.ts";
import { Doing, Period } from "./doing.tsx";
import type { Deed, OnAct } from "./doing.tsx";

interface ListProps {
  title: string;
  none: string;
  children: ComponentChildren[];
}

function List({ title, none, children }: ListProps) {
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {title} ({children.length})
      </h2>
      {children.length > 0 ? <ul class="desk-list">{children}</ul> : <p class="quiet-note">{none}</p>}
    </section>
  );
}

/** What can be done about a person who is known by an account, by a guest's key, or by an address. */
function deedsAbout(person: string, address: string): Deed[] {
  const speaker = person || address;
  const deeds: Deed[] = [];
  if (speaker) deeds.push({ name: "Silence", act: "silence", subject: speaker, lasts: true });
  if (person.startsWith("account ")) deeds.push({ name: "Ban the account", act: "ban", subject: person, lasts: true });
  if (address) deeds.push({ name: "Ban the address", act: "ban", subject: address, lasts: true });
  return deeds;
}

export function Reports({ reports, onAct }: { reports: DeskReport[]; onAct: OnAct }) {
  return (
    <List title="Reports" none="Nobody has reported anything.">
      {reports.map((report) => {
        const close: Deed = { name: "Close", act: "close-report", subject: String(report.id) };
        return (
          <li key={report.id}>
            <div>
              <strong>{report.name}</strong>
              {report.text && <q>{report.text}</q>}
              {report.why && <p>{report.why}</p>}
              <small>
                by {report.reporter}, {when(report.at)}
                {report.gameId && (
                  <>
                    , <a href={gamePath(report.gameId)}>the game</a>
                  </>
                )}
                {report.address && `, ${report.address}`}
              </small>
            </div>
            <Doing about={report.name} deeds={[...deedsAbout(report.subject, report.address), close]} onAct={onAct} />
          </li>
        );
      })}
    </List>
  );
}

export function Games({ games, onAct }: { games: DeskGame[]; onAct: OnAct }) {
  return (
    <List title="Running games" none="Nobody plays.">
      {games.map((game) => {
        const names = game.players.map((name) => name || "open seat").join(" – ");
        return (
          <li key={game.id}>
            <div>
              <a href={gamePath(game.id)}>
                <strong>{names}</strong>
              </a>
              <small>
                {game.title}
                {game.rated ? ", rated" : ""}, {game.moves} moves, {game.spectators} watching, changed {when(game.touchedAt)}
              </small>
            </div>
            <Doing about={names} deeds={[{ name: "End the game", act: "end-game", subject: game.id }]} onAct={onAct} />
          </li>
        );
      })}
    </List>
  );
}

export function People({ people, onAct }: { people: DeskPerson[]; onAct: OnAct }) {
  return (
    <List title="People at games" none="Nobody is at a game.">
      {people.map((person) => {
        const name = person.watches ? `A spectator${person.address ? ` from ${person.address}` : ""}` : person.name;
        const kind = person.person.startsWith("account ") ? "account" : person.person ? "guest" : "unknown";
        return (
          <li key={`${person.person} ${person.name} ${person.address} ${person.watches}`}>
            <div>
              <strong>{name}</strong>
              <small>
                {kind}, {person.address || (person.watches ? "address without limits" : "not connected, or an address without limits")},{" "}
                {person.games.map((id, index) => (
                  <>
                    {index > 0 && ", "}
                    <a key={id} href={gamePath(id)}>
                      {id}
                    </a>
                  </>
                ))}
              </small>
            </div>
            <Doing about={name} deeds={deedsAbout(person.person, person.address)} onAct={onAct} />
          </li>
        );
      })}
    </List>
  );
}

export function Bots({ bots, onAct }: { bots: DeskBots[]; onAct: OnAct }) {
  return (
    <List title="Bot clients" none="No bots are attached.">
      {bots.map((client) => {
        const deeds: Deed[] = client.official ? [] : [{ name: "Throw out", act: "remove-bots", subject: client.client, lasts: true }];
        const answers = client.answerMs === null ? "no answers lately" : `answers take ${client.answerMs} ms`;
        return (
          <li key={client.client}>
            <div>
              <strong>{client.client}</strong>
              <small>
                {client.official ? "the site's own" : client.address}, {client.bots.length} bots: {client.bots.join(", ")}
              </small>
              <small>
                {client.sessions} sessions, {client.waiting} open questions, {answers}
              </small>
              <label class="busy">
                <meter min={0} max={1} value={client.busy} /> busy {percent(100 * client.busy)} of the last minute
              </label>
            </div>
            <Doing about={client.client} deeds={deeds} onAct={onAct} />
          </li>
        );
      })}
    </List>
  );
}

export function Restrictions({ restrictions, onAct }: { restrictions: DeskRestriction[]; onAct: OnAct }) {
  return (
    <>
      <List title="Bans and silences" none="Nobody is banned or silenced.">
        {restrictions.map((each) => (
          <li key={each.id}>
            <div>
              <strong>{each.name}</strong>
              <small>
                {each.kind} of {subjectIn(each.subject).startsWith("account ") ? "an account" : each.subject.split(" ")[0]}, since {when(each.at)},{" "}
                {each.until ? `until ${when(each.until)}` : "for good"}: {each.why}
              </small>
            </div>
            <Doing about={each.name} deeds={[{ name: "Lift", act: "lift", subject: String(each.id) }]} onAct={onAct} />
          </li>
        ))}
      </List>
      <Restrict onAct={onAct} />
    </>
  );
}

const KINDS = [
  { value: "ban", name: "ban from the site" },
  { value: "silence", name: "silence in chats" },
];

/** A form for people who are not in the lists. */
function Restrict({ onAct }: { onAct: OnAct }) {
  const [subject, setSubject] = useState("");
  const [kind, setKind] = useState<"ban" | "silence">("ban");
  const [period, setPeriod] = useState(1);
  const [why, setWhy] = useState("");
  const [busy, setBusy] = useState(false);
  const ready = subject.trim() && why.trim() && !busy;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    const done = await onAct({ act: kind, subject: subject.trim(), why: why.trim(), hours: PERIODS[period]?.hours ?? null });
    setBusy(false);
    if (!done) return;
    setSubject("");
    setWhy("");
  };
  return (
    <section class="panel">
      <h2>Ban or silence somebody else</h2>
      <form class="restrict" onSubmit={submit}>
        <label class="field">
          <span>Account or IP address</span>
          <input type="text" autocomplete="off" maxLength={200} value={subject} onInput={(event: Event) => setSubject((event.target as HTMLInputElement).value)} />
        </label>
        <Choice title="What" value={kind} options={KINDS} onChange={(value) => setKind(value as "ban" | "silence")} />
        <Period period={period} onPeriod={setPeriod} />
        <label class="field">
          <span>Why (the person is told)</span>
          <input type="text" maxLength={300} value={why} onInput={(event: Event) => setWhy((event.target as HTMLInputElement).value)} />
        </label>
        <Button type="submit" class="button danger" disabled={!ready}>
          Do it
        </Button>
      </form>
      <p class="quiet-note">An IPv6 address stands for its /64 network.</p>
    </section>
  );
}

export function Log({ acts }: { acts: DeskAct[] }) {
  return (
    <List title="Log" none="No operator has done anything yet.">
      {acts.map((each) => (
        <li key={`${each.at} ${each.act} ${each.subject}`}>
          <div>
            <strong>
              {each.act}: {each.subject}
            </strong>
            <small>
              {each.who} ({each.address || "unknown address"}), {when(each.at)}: {each.why}
            </small>
          </div>
        </li>
      ))}
    </List>
  );
}
