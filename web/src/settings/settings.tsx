// The settings page: account, display and sound, keyboard help, bot tokens.
import { useEffect } from "preact/hooks";
import type { OnNotice } from "../notice.ts";
import { prefer, usePrefs } from "../prefs.ts";
import type { Prefs } from "../prefs.ts";
import { play } from "../sound.ts";
import { usePerson } from "../identity.ts";
import { Segments } from "../landing/segments.tsx";
import { Account } from "./account.tsx";
import { BoardSamples } from "./board-samples.tsx";
import { BlockedPeople } from "./blocked-people.tsx";
import { BotTokens } from "./bot-tokens.tsx";
import { Mail } from "./mail.tsx";

type Switch = { [Name in keyof Prefs]: Prefs[Name] extends boolean ? Name : never }[keyof Prefs];

const SWITCHES: { name: Switch; title: string; more: string }[] = [
  { name: "sound", title: "Sounds", more: "For moves, walls, captures and a clock that runs low." },
  { name: "evaluation", title: "Evaluation", more: "The engine's evaluation beside the board: bar, graph and best move." },
  { name: "coordinates", title: "Coordinates", more: "Letters and numbers around the board." },
  { name: "confirm", title: "Confirm moves", more: "Ask before each move. Useful on small touch screens." },
  { name: "oneClick", title: "One-click moves", more: "Click a square to move the only piece that can go there, without clicking the piece first." },
  { name: "typing", title: "Typed moves", more: "A field under the move list for moves in the game's notation." },
  { name: "chat", title: "Chat", more: "Messages of players and spectators." },
  { name: "shortcuts", title: "Letter keys", more: "f turns the board, c reads out the clocks. Switch off if you use speech input." },
];
const THEMES: { value: Prefs["theme"]; name: string }[] = [
  { value: "auto", name: "System" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
];

const SETS: { value: Prefs["boards"]; name: string }[] = [
  { value: "classic", name: "Classic" },
  { value: "walnut", name: "Walnut" },
  { value: "slate", name: "Slate" },
];

export function SettingsPage({ onNotice }: { onNotice: OnNotice }) {
  const person = usePerson();
  useEffect(() => {
    document.title = "Settings – Ludus";
  }, []);
  return (
    <main class="page narrow">
      <h1>Settings</h1>
      <Account onNotice={onNotice} />
      <Switches />
      <section class="panel">
        <h2>Keys</h2>
        <dl class="keys">
          <div>
            <dt>Arrows</dt>
            <dd>On the board: move between cells. Elsewhere: step through the game.</dd>
          </div>
          <div>
            <dt>Enter</dt>
            <dd>Play on the cell, or select the piece.</dd>
          </div>
          <div>
            <dt>Shift + arrow</dt>
            <dd>Select that side of the cell; Enter builds a wall there.</dd>
          </div>
          <div>
            <dt>Escape</dt>
            <dd>Deselect the piece; cancel premoves.</dd>
          </div>
          <div>
            <dt>Home, End</dt>
            <dd>Go to the first or latest position.</dd>
          </div>
          <div>
            <dt>f</dt>
            <dd>Turn the board.</dd>
          </div>
          <div>
            <dt>c</dt>
            <dd>Announce the clocks to a screen reader.</dd>
          </div>
          <div>
            <dt>Right mouse button</dt>
            <dd>Draw rings and arrows that only you see.</dd>
          </div>
        </dl>
      </section>
      {person?.account && <WhoMayChallenge />}
      <BlockedPeople onNotice={onNotice} />
      {person?.account && <Mail key={person.name} onNotice={onNotice} />}
      {person?.account && <BotTokens key={person.name} onNotice={onNotice} />}
    </main>
  );
}

const WELCOME: { value: Prefs["challenges"]; name: string }[] = [
  { value: "everyone", name: "Everyone" },
  { value: "accounts", name: "Accounts only" },
  { value: "nobody", name: "Nobody" },
];

function WhoMayChallenge() {
  const { challenges } = usePrefs();
  return (
    <section class="panel">
      <Segments legend="Who may challenge you" options={WELCOME} value={challenges} onChange={(value) => prefer({ challenges: value as Prefs["challenges"] })} />
      <p class="quiet-note">With “Nobody”, others do not see that you are here either.</p>
    </section>
  );
}

function Switches() {
  const prefs = usePrefs();
  return (
    <section class="panel">
      <fieldset class="segments">
        <legend>Theme</legend>
        <div class="options">
          {THEMES.map(({ value, name }) => (
            <label key={value} class={prefs.theme === value ? "chosen" : ""}>
              <input
                type="radio"
                class="visually-hidden"
                name="theme"
                checked={prefs.theme === value}
                onChange={() => prefer({ theme: value })}
              />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <Segments legend="Boards and pieces" options={SETS} value={prefs.boards} onChange={(value) => prefer({ boards: value as Prefs["boards"] })} />
      <BoardSamples />
      {SWITCHES.map(({ name, title, more }) => (
        <label key={name} class="switch">
          <span>
            <strong>{title}</strong>
            <small>{more}</small>
          </span>
          <input
            type="checkbox"
            role="switch"
            checked={prefs[name]}
            onChange={() => {
              prefer({ [name]: !prefs[name] });
              if (name === "sound") play("step");
            }}
          />
        </label>
      ))}
    </section>
  );
}
