// Keeps the page up to date without reloads. Everything else works without this script.
"use strict";
let events;

const byId = id => document.getElementById(id);

// A line for screen readers, at most every five seconds.
const changed = new Set();
let newsTimer;
function say(name) {
  changed.add(name);
  newsTimer ??= setTimeout(() => {
    byId("news").textContent = "Changed: " + [...changed].join(", ");
    changed.clear();
    newsTimer = undefined;
  }, 5000);
}

// The newest head that arrived while the slider has the focus; shown when the focus leaves it.
let keptHead;

// Replaces a part of the page, and keeps the focus and the typed text in it.
function replace(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const part = template.content.firstElementChild, old = byId(part.id);
  if (!old) return location.reload();
  const focus = document.activeElement;
  const label = old.contains(focus) && (focus.getAttribute("aria-label") || focus.name || focus.textContent);
  if (part.id === "when") {
    keptHead = old.querySelector("#step") === focus ? html : undefined;
    if (keptHead) return;
  }
  const typed = new Map([...old.querySelectorAll("input:not([type])")].map(input => [input.name, input.value]));
  old.replaceWith(part);
  for (const input of part.querySelectorAll("input:not([type])")) input.value = typed.get(input.name) ?? "";
  if (label) {
    const same = [...part.querySelectorAll("a, button, input")].find(
      other => (other.getAttribute("aria-label") || other.name || other.textContent) === label);
    (same ?? part.querySelector("a, button"))?.focus();
  }
  const title = part.matches(".card") && part.querySelector("h3");
  if (title) say(title.textContent);
}

function listen() {
  events?.close();
  events = undefined;
  if (document.hidden || "past" in document.body.dataset) return;
  events = new EventSource("/events?since=" + document.body.dataset.generation);
  events.addEventListener("part", event => replace(event.data));
  events.addEventListener("reload", () => location.reload());
}

document.addEventListener("focusout", event => {
  // Later, because the next element does not have the focus yet.
  if (event.target.id === "step") setTimeout(() => keptHead && replace(keptHead));
});

// A browser opens only six connections to a host, so a hidden page closes its own. A reload would lose typed text.
document.addEventListener("visibilitychange", () => {
  const isTyped = [...document.querySelectorAll("input:not([type])")].some(input => input.value);
  if (document.hidden || isTyped) listen(); else if (!("past" in document.body.dataset)) location.reload();
});

// Shows another moment without a reload. Only the last request counts, in whatever order the answers arrive.
let turns = 0;
async function show(address, isNew = true) {
  const turn = ++turns;
  let text;
  try {
    text = await (await fetch(address)).text();
  } catch {
    if (turn === turns) location.assign(address);
    return;
  }
  if (turn !== turns) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.getElementById("apps")) return location.assign(address);
  const focus = document.activeElement?.id;
  document.documentElement.dataset.appearance = page.documentElement.dataset.appearance;
  for (const name of Object.keys(document.body.dataset)) delete document.body.dataset[name];
  Object.assign(document.body.dataset, page.body.dataset);
  keptHead = undefined;
  for (const part of ["header", "main"]) document.querySelector(part).replaceWith(page.querySelector(part));
  if (focus) byId(focus)?.focus();
  if (isNew) history.pushState(null, "", address);
  listen();
}

addEventListener("popstate", () => show(location.href, false));

document.addEventListener("click", event => {
  const link = event.target.closest("header a, .banner a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const choice = link.dataset.appearance;
  // A colour's link redirects to the page that it came from.
  choice ? fetch(link.href).then(() => show(location.href, false)) : show(link.href);
});

document.addEventListener("input", event => {
  const slider = event.target;
  if (slider.id !== "step") return;
  const words = byId("steps").options[slider.value].label;
  slider.setAttribute("aria-valuetext", words);
  slider.form.querySelector("output").textContent = words;
});

document.addEventListener("change", event => {
  if (event.target.id !== "step") return;
  const moment = byId("steps").options[event.target.value].dataset.at;
  show(moment ? "/?at=" + moment : "/");
});

document.addEventListener("submit", async event => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  const button = event.submitter, body = new URLSearchParams(new FormData(form, button));
  let error = "the server does not answer";
  try {
    // The form has an input named "action", which hides the form's own property.
    const response = await fetch(button?.getAttribute("formaction") ?? form.getAttribute("action"), { method: "POST", body, redirect: "manual" });
    // The form may have been redrawn meanwhile, with the typed text.
    if (response.type === "opaqueredirect") return byId(form.id)?.reset();
    error = await response.text();
  } catch {}
  byId("news").textContent = error;
  alertLine(error);
});

// Shows a line above the apps, until the page is redrawn.
function alertLine(text) {
  const line = document.createElement("p");
  line.className = "banner error";
  line.textContent = text;
  byId("apps").prepend(line);
}

listen();
