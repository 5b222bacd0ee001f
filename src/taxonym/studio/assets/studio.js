// What the pages of the studio do by themselves: uploads, copying, and the words beside sliders. The rest is the server's.
(() => {
  "use strict";
  const token = () => document.querySelector("meta[name=csrf]").content;
  const all = (what, inside = document) => inside.querySelectorAll(what);

  document.querySelector(".steps [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  function upload(file, zone) {
    const says = zone.querySelector("[data-says]");
    if (!file) return;
    says.textContent = "Taking the file in …";
    fetch("/upload", {
      method: "POST", body: file,
      headers: { "X-CSRF-Token": token(), "X-File-Name": encodeURIComponent(file.name), "Content-Type": "application/octet-stream" },
    }).then(async (answer) => {
      if (answer.ok) location.assign((await answer.json()).to);
      else says.textContent = await answer.text();
    }).catch(() => { says.textContent = "The file could not be taken in. Is the studio still running?"; });
  }

  for (const zone of all("[data-drop]")) {
    const input = zone.querySelector("input[type=file]");
    input.addEventListener("change", () => upload(input.files[0], zone));
    for (const what of ["dragover", "dragleave", "drop"]) {
      zone.addEventListener(what, (event) => {
        event.preventDefault();
        zone.classList.toggle("over", what === "dragover");
        if (what === "drop") upload(event.dataTransfer.files[0], zone);
      });
    }
  }

  document.addEventListener("input", (event) => {
    const moved = event.target;
    if (moved.matches("input[type=range]")) {
      for (const shown of all(`output[for="${moved.id}"]`)) shown.textContent = moved.value;
    }
    if (moved.matches("[data-filter]")) {  // of a list that is all there
      const wanted = moved.value.toLowerCase();
      for (const row of all(moved.dataset.filter)) row.hidden = !row.dataset.name.toLowerCase().includes(wanted);
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-all]")) {
      for (const box of all(event.target.dataset.all)) box.checked = event.target.checked;
    }
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });

  document.addEventListener("click", (event) => {
    const copied = event.target.closest("[data-copy]");
    if (copied) {
      const text = document.querySelector(copied.dataset.copy).textContent;
      navigator.clipboard?.writeText(text).then(() => { copied.textContent = "Copied"; });
    }
    const closed = event.target.closest("[data-close]");
    if (closed) {
      const panel = closed.closest("[data-panel]"), opener = document.getElementById(panel.dataset.panel);
      panel.replaceChildren();
      opener?.setAttribute("aria-expanded", "false");
      opener?.focus();
    }
    const fold = event.target.closest("[data-fold]");
    if (fold) {
      const list = document.getElementById(fold.getAttribute("aria-controls"));
      const open = fold.getAttribute("aria-expanded") !== "true";
      fold.setAttribute("aria-expanded", String(open));
      list.hidden = !open;
    }
    const chosen = event.target.closest("[data-concept]");
    if (chosen) {  // one of the concepts that were found, for the form around it
      const form = chosen.closest("form");
      form.querySelector("input[name=concept]").value = chosen.dataset.concept;
      form.querySelector("[data-chosen]").textContent = chosen.dataset.says;
      for (const other of all("[data-concept]", form)) other.setAttribute("aria-pressed", String(other === chosen));
    }
  });

  // What goes wrong in a part of a page is told at its top: nothing else would show it.
  const told = (text) => {
    const place = document.getElementById("told");
    place.firstElementChild.textContent = text;
    place.hidden = false;
    place.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("htmx:responseError", (event) => told(event.detail.xhr.responseText));
  document.addEventListener("htmx:sendError", () => told("The studio does not answer. Is the terminal that started it still open?"));
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) document.getElementById("told").hidden = true;
  });

  // What a page waited for is over: it is loaded again, once, while nobody asks any more.
  document.addEventListener("htmx:load", (event) => {
    if (event.detail.elt.matches("[data-reload]")) location.reload();
  });

  // A panel that was asked for gets the focus, so that the keyboard goes on there.
  document.addEventListener("htmx:afterSwap", (event) => {
    const panel = event.detail.target;
    if (panel.matches("[data-panel]")) {
      document.getElementById(panel.dataset.panel)?.setAttribute("aria-expanded", "true");
      panel.querySelector("button, input, a")?.focus();
    }
  });
})();
