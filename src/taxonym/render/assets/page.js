// Draws the charts of a report into their places. Specs and look stand in the page as data; nothing is loaded.
(() => {
  "use strict";
  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  const specs = data("specs"), look = data("look");

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);

  function show(handler, event, item, value) {
    tip.hidden = value == null || value === "";
    if (tip.hidden) return;
    const pairs = typeof value === "object" ? Object.entries(value) : [["", value]];
    tip.replaceChildren(...pairs.map(([name, said]) => {
      const line = document.createElement("div");
      for (const words of [name, said]) line.append(Object.assign(document.createElement("bdi"), { textContent: words }));
      return line;
    }));
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 4)) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - box.height - 4)) + "px";
  }

  const refuse = () => Promise.reject(new Error("a report loads nothing"));
  const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };
  const same = function () { return this; };
  const logger = { level: same, info: same, debug: same, warn: same, error: console.error };
  const views = new Map();

  const measure = document.createElement("canvas").getContext("2d");
  measure.font = `${look.axis.labelFontSize}px ${look.font}`;

  // A label that is too long for one line gets as many as it needs, and a word that is too long is divided. Labels are
  // looked up as data: they are no part of a program.
  function lines(label, most) {
    const fits = (text) => measure.measureText(text).width <= most;
    const made = [""];
    for (let word of label.split(" ")) {
      const longer = made.at(-1) && `${made.at(-1)} ${word}`;
      if (longer && fits(longer)) { made[made.length - 1] = longer; continue; }
      if (made.at(-1)) made.push("");
      for (let letters = [...word]; !fits(word); letters = [...word]) {
        let n = letters.length - 1;
        while (n > 1 && !fits(letters.slice(0, n).join(""))) n -= 1;
        if (n < 1) break;
        made[made.length - 1] = letters.slice(0, n).join("");
        made.push("");
        word = letters.slice(n).join("");
      }
      made[made.length - 1] = word;
    }
    return made;
  }

  function divided(spec, most) {
    const side = spec.encoding?.y, labels = side?.type === "nominal" ? side.scale?.domain : null;
    if (!labels) return spec;
    const value = Object.fromEntries(labels.map((label) => [label, lines(String(label), most)]));
    const high = Math.max(1, ...Object.values(value).map((some) => some.length));
    if (high === 1) return spec;
    const several = Array.from({ length: high - 1 }, (_, i) => i + 2);
    const up = {
      condition: several.map((n) => ({ test: `length(divided[datum.value]) === ${n}`, value: -7 * (n - 1) })), value: 0,
    };
    const axis = { ...side.axis, labelExpr: "divided[datum.value]", labelLineHeight: 14, labelOffset: up };
    const params = [...(spec.params ?? []), { name: "divided", value }];
    return { ...spec, height: { step: 18 * high }, params, encoding: { ...spec.encoding, y: { ...side, axis } } };
  }

  // Buttons, for those who have no wheel: nearer, farther, all again.
  function zoomed(place, view) {
    const axes = place.dataset.zoom?.split(" ");
    if (!axes) return;
    const to = (factor) => {
      for (const [i, name] of axes.entries()) {
        const [low, high] = view.scale(i ? "y" : "x").domain(), half = (high - low) / 2 * factor;
        view.signal(`view_${name}`, factor ? [(low + high) / 2 - half, (low + high) / 2 + half] : null);
      }
      view.runAsync();
    };
    const bar = document.createElement("div");
    bar.className = "zoom";
    for (const [says, factor] of [["Nearer", 0.6], ["Farther", 1 / 0.6], ["All", 0]]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: says });
      button.addEventListener("click", () => to(factor));
      bar.append(button);
    }
    place.prepend(bar);
  }

  function draw(place) {
    const width = Math.floor(place.clientWidth);
    if (!width || views.get(place)?.drawn === width) return;
    views.get(place)?.finalize();
    const limit = Math.min(look.axisY.labelLimit, Math.floor(width * 0.45));
    const narrow = { axisY: { ...look.axisY, labelLimit: limit } };
    const spec = { ...divided(specs[place.dataset.chart], limit), width };
    const made = charts.compile(spec, { config: { ...look, ...narrow }, logger }).spec;
    const inside = document.createElement("div");  // its own, so that what the place says of the chart stays
    inside.ariaHidden = "true";
    place.replaceChildren(inside);
    const view = new charts.View(charts.parse(made, null, { ast: true }), {
      container: inside, expr: charts.expressionInterpreter, hover: true, loader, renderer: "svg", tooltip: show,
    });
    view.drawn = width;
    views.set(place, view);
    zoomed(place, view);
    view.runAsync().then(() => { place.dataset.drawn = width; });
  }

  const places = document.querySelectorAll("[data-chart]");
  const watch = new ResizeObserver((entries) => { for (const entry of entries) draw(entry.target); });
  for (const place of places) watch.observe(place);

  const opened = [];
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("section > details:not([open])")) { part.open = true; opened.push(part); }
  });
  addEventListener("afterprint", () => { for (const part of opened.splice(0)) part.open = false; });
})();
