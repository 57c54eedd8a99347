// Starts the page.
import { render } from "preact";
import { App } from "./app.tsx";
import { keepPrefs } from "./kept-prefs.ts";
import { keepKeyboard } from "./keyboard.ts";
import { applyTheme, followTabs } from "./prefs.ts";
import { listenForGesture } from "./sound.ts";
import "./styles/base.css";
import "./styles/header.css";
import "./styles/controls.css";
import "./styles/forms.css";
import "./styles/board.css";
import "./styles/sets.css";
import "./styles/marks.css";
import "./styles/signs.css";
import "./styles/landing.css";
import "./styles/lobby.css";
import "./styles/game.css";
import "./styles/record.css";
import "./styles/around.css";
import "./styles/phone.css";
import "./styles/pages.css";
import "./styles/people.css";
import "./styles/learn.css";
import "./styles/study.css";
import "./styles/analysis.css";
import "./styles/device.css";
import "./styles/arranging.css";
import "./styles/puzzles.css";
import "./styles/review.css";
import "./styles/training.css";
import "./styles/lying.css";

applyTheme();
followTabs();
keepPrefs();
listenForGesture();
const root = document.getElementById("page");
if (root) {
  keepKeyboard(root);
  render(<App />, root);
}
