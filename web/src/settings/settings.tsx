// What a person can set for this browser.
import { useEffect } from "preact/hooks";
import type { OnNotice } from "../notice.ts";
import { prefer, usePrefs } from "../prefs.ts";
import type { Prefs } from "../prefs.ts";
import { play } from "../sound.ts";
import { usePerson } from "../identity.ts";
import { Account } from "./account.tsx";
import { BotTokens } from "./bot-tokens.tsx";

type Switch = { [Name in keyof Prefs]: Prefs[Name] extends boolean ? Name : never }[keyof Prefs];

const SWITCHES: { name: Switch; title: string; more: string }[] = [
  { name: "sound", title: "Sounds", more: "Moves, walls, captures, a clock that runs out." },
  { name: "evaluation", title: "Evaluation", more: "The engine's opinion beside the board: bar, graph and best move." },
  { name: "coordinates", title: "Coordinates", more: "Letters and numbers around the board." },
  { name: "confirm", title: "Confirm moves", more: "Ask before a move is made: good on small touch screens." },
  { name: "typing", title: "Typed moves", more: "A field under the record to type moves in the game's notation." },
  { name: "chat", title: "Chat", more: "What players and spectators say." },
  { name: "shortcuts", title: "Letter keys", more: "f turns the board, c says the clocks. Without: letters are for fields alone, as for speech input." },
];
const THEMES: { value: Prefs["theme"]; name: string }[] = [
  { value: "auto", name: "As the system" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
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
            <dd>On the board: from cell to cell. Elsewhere: through the game.</dd>
          </div>
          <div>
            <dt>Enter</dt>
            <dd>Plays on the cell, or selects the piece.</dd>
          </div>
          <div>
            <dt>Shift + arrow</dt>
            <dd>Aims at that side of the cell; Enter builds a wall there.</dd>
          </div>
          <div>
            <dt>Escape</dt>
            <dd>Lets a piece go; drops premoves.</dd>
          </div>
          <div>
            <dt>Home, End</dt>
            <dd>First and latest position.</dd>
          </div>
          <div>
            <dt>f</dt>
            <dd>Turns the board.</dd>
          </div>
          <div>
            <dt>c</dt>
            <dd>Says the clocks to a screen reader.</dd>
          </div>
          <div>
            <dt>Right button</dt>
            <dd>Draws rings and arrows that only you see.</dd>
          </div>
        </dl>
      </section>
      {person?.account && <BotTokens key={person.name} onNotice={onNotice} />}
    </main>
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
