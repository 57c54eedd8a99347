// Starts the page.
import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/landing.css";
import "./styles/game.css";

const root = document.getElementById("page");
if (root) render(<App />, root);
