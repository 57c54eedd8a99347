// The worker's entry: everything that takes long runs here, so that the page stays smooth.
import { createEvaluators } from "./evaluator.ts";
import type { Asked } from "./messages.ts";
import { Machine } from "./module.ts";
import { Search } from "./search.ts";
import { Session } from "./session.ts";
import type { Parts } from "./session.ts";

const createSearch: Parts["createSearch"] = async ({ manifest, game, module, room, evaluator }) => {
  const machine = await Machine.start(module, game, { visits: room, rows: manifest.search.fill });
  return new Search(machine, manifest.search, (planes, count) => evaluator.evaluate(planes, count, game.planes));
};

const session = new Session({ createEvaluators, createSearch, send: (answer) => postMessage(answer) });
addEventListener("message", (message: MessageEvent<Asked>) => session.hear(message.data));
