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

  function draw(place) {
    const width = Math.floor(place.clientWidth);
    if (!width || views.get(place)?.drawn === width) return;
    views.get(place)?.finalize();
    const narrow = { axisY: { ...look.axisY, labelLimit: Math.min(look.axisY.labelLimit, Math.floor(width * 0.45)) } };
    const spec = { ...specs[place.dataset.chart], width };
    const made = charts.compile(spec, { config: { ...look, ...narrow }, logger }).spec;
    const inside = document.createElement("div");  // its own, so that what the place says of the chart stays
    inside.ariaHidden = "true";
    place.replaceChildren(inside);
    const view = new charts.View(charts.parse(made, null, { ast: true }), {
      container: inside, expr: charts.expressionInterpreter, hover: true, loader, renderer: "svg", tooltip: show,
    });
    view.drawn = width;
    views.set(place, view);
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
