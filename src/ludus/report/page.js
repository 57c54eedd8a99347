// Steps through the example games by buttons, or by arrow keys in the focused game.
for (const game of document.querySelectorAll(".game")) {
  const steps = [...game.querySelectorAll(".step")];
  let at = 0;
  const go = (to) => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    steps.forEach((step, index) => { step.hidden = index !== at; });
    game.querySelector("output").textContent = `${at} / ${steps.length - 1}`;
  };
  const ways = { first: () => go(0), back: () => go(at - 1), on: () => go(at + 1), last: () => go(steps.length - 1) };
  for (const button of game.querySelectorAll("button")) button.onclick = ways[button.dataset.to];
  game.onkeydown = (event) => {
    const way = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (way) { ways[way](); event.preventDefault(); }
  };
  go(Math.min(steps.length - 1, 6));
}
