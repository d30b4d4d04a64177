// Keeps the page up to date without reloads, and brings it back whatever ended the connection. Everything else works
// without this script. It is ECMAScript 2018, because old tablets hang on walls. The page's addresses and words are in
// the data attributes of its body.
"use strict";
const byId = id => document.getElementById(id);
const data = document.body.dataset;
const isPast = () => "past" in data;
const passed = () => performance.now(); // It goes on when the clock is set.
const parse = text => new DOMParser().parseFromString(text, "text/html");
const labelOf = element => element.getAttribute("aria-label") || element.name || element.textContent;

// An address with the key, if the page has one in its addresses (in a frame browsers send no cookie), and a screen's window.
function own(address) {
  const url = new URL(address, document.baseURI);
  if (data.key) url.searchParams.set("key", data.key);
  if (data.window) url.searchParams.set("window", data.window);
  return url.href;
}

// A line for screen readers, at most every five seconds.
const changed = new Set();
function say(name) {
  if (!changed.size) setTimeout(() => {
    byId("news").textContent = "Changed: " + [...changed].join(", ");
    changed.clear();
  }, 5000);
  changed.add(name);
}

// The newest head that arrived while the slider has the focus; shown when the focus leaves it.
let keptHead;

// Replaces a part of the page, and keeps the focus and the typed text in it.
function replace(html) {
  const part = parse(html).body.firstElementChild, old = byId(part.id);
  if (!old) return; // The event at the end says that the page has other parts now.
  const focus = document.activeElement, label = old.contains(focus) && labelOf(focus);
  if (part.id === "when") {
    keptHead = old.querySelector("#step") === focus ? html : undefined;
    if (keptHead) return;
  }
  const typed = new Map([...old.querySelectorAll("input:not([type])")].map(input => [input.name, input.value]));
  old.replaceWith(part);
  for (const [name, value] of typed) for (const input of part.querySelectorAll(`input[name="${name}"]`)) input.value = value;
  const targets = label ? [...part.querySelectorAll("a, button, input")] : [];
  const next = targets.find(other => labelOf(other) === label) || targets[0];
  if (next) next.focus();
  tick();
  const title = part.matches(".card") && part.querySelector("h3");
  if (title) say(title.textContent);
}

// MARK: The connection

// The stream of events, when anything was last heard of it, and the last event that said so.
let stream, heard, alive;
// How many seconds to wait before the next attempt, and its timer.
let pause = 1, attempt;
// Since when there is no connection, by this device's clock; undefined while there is one.
const started = Date.now();
let lost = started;
// Whether the server does not accept the key, and when it was last asked about that.
let needsLink = false, asked = -Infinity, reloading;

function close() {
  clearTimeout(attempt);
  if (stream) stream.close();
  stream = undefined;
  if (!lost) lost = Date.now();
}

// Opens a new stream, from the publication that the page shows. A hidden page has none, because a browser opens only six
// connections to a host.
function listen() {
  close();
  if (document.hidden || isPast()) return describe();
  heard = Date.now();
  const opened = stream = new EventSource(own(data.stream + (data.generation && "&since=" + data.generation)));
  opened.addEventListener("part", event => {
    heard = Date.now();
    replace(event.data);
  });
  opened.addEventListener("alive", event => isAlive(JSON.parse(event.data)));
  // A browser does not try again after an answer such as 502, and a script cannot see which answer it was.
  opened.onerror = () => opened === stream && fail();
}

function isAlive(event) {
  alive = event;
  heard = alive.time = Date.now();
  [pause, lost, needsLink] = [1, undefined, false];
  const isOther = alive.layout && alive.layout !== data.layout || alive.version !== data.version;
  if (isOther || alive.generation < data.generation) return reload();
  if (alive.generation && String(alive.generation) !== data.generation) {
    data.generation = alive.generation;
    keepAfter = Math.min(keepAfter, passed() + 60000 * (1 + Math.random()));
  }
  describe();
}

// Tries again after 1, 2, 4 … 60 s, a little earlier by chance, so that displays do not all come at once.
function fail() {
  close();
  fitted = undefined;
  attempt = setTimeout(listen, 1000 * pause * (1 - Math.random() / 4));
  pause = Math.min(60, 2 * pause);
  describe();
  if (passed() - asked < 70000) return; // An earlier question may still wait for its answer.
  asked = passed();
  fetch(own(data.probe), { cache: "no-store" }).then(answer => answer.status, () => 0).then(status => {
    if (status) needsLink = status === 401;
    asked = -Infinity;
    describe();
  });
}

// At once, because something may have changed for the better.
function retry() { pause = 1; listen(); }

// Loads the page again, but only if there is one: a proxy's error would stay on the display. Not again and again.
function reload() {
  clearTimeout(reloading);
  const load = () => fetch(own(data.page)).then(answer => answer.ok && location.reload(), () => {});
  reloading = setTimeout(load, Math.max(0, 3000 - passed()));
}

// Says since when the page is not connected, once that is a minute ago: in the server's words, because this device may be in
// another zone, and its clock may be wrong.
function describe() {
  const isLost = lost && !document.hidden && !isPast(), isToday = alive && Date.now() - alive.time < alive.rest * 1000;
  const last = alive ? isToday ? alive.today : alive.later : data.lost.replace("{time}", clock(new Date(started)));
  const words = !isLost ? "" : needsLink ? data.link : Date.now() - lost < 60000 ? "" : last;
  if (byId("connection").textContent !== words) byId("connection").textContent = words;
}

// The time of day in the cache's zone, in the form of the server's texts for each hour. Not every zone has a name that
// browsers know.
function clock(date) {
  const options = { timeZone: data.zone, hour12: false, hour: "2-digit", minute: "2-digit" };
  let time = new Date(date.getTime() + data.offset * 60000).toISOString().slice(11);
  try {
    time = date.toLocaleTimeString("en-GB", options);
  } catch (error) {}
  return data.hours.split("|")[time.slice(0, 2) % 24].replace("59", time.slice(3, 5));
}

// MARK: A screen

// Which cards are shown where not all fit, and until when. They stay for 30 s while a person uses the screen.
let group = 0, turnAt = data.turn * 1000, fitted = data.window;
for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => turnAt = Math.max(turnAt, passed() + 30000));

function tick() {
  const time = clock(new Date()), groups = document.querySelectorAll(".turn");
  for (const element of isPast() ? [] : document.querySelectorAll(".clock")) if (element.textContent !== time) element.textContent = time;
  if (passed() >= turnAt) {
    turnAt = passed() + data.turn * 1000;
    group += 1;
  }
  groups.forEach((element, number) => element.hidden = number !== group % groups.length);
}

// Fills another window, while it can.
async function fit(isFirst) {
  const size = innerWidth + "x" + innerHeight;
  if (!data.window || !isFirst && lost && !isPast() || fitted === size) return;
  fitted = data.window = size;
  await show(location.href, false);
}

// The cards of the next midnight, for when the page is cut off by then: the moment, the page, when it was fetched, and
// when it is to be fetched again.
let midnight, keptPage, keptAt = -Infinity, keepAfter = 60000;

function keep() {
  const moment = alive.midnight, again = () => keepAfter = keptAt + 600000;
  [keptAt, keepAfter] = [passed(), Infinity];
  fetch(own(data.page + "?at=" + moment)).then(answer => answer.ok && answer.text()).then(text => {
    if (text) [midnight, keptPage] = [moment, text]; else again();
  }).catch(again);
}

function turn() {
  const page = parse(keptPage);
  keptPage = undefined;
  for (const card of page.querySelectorAll(".card")) if (byId(card.id)) byId(card.id).replaceWith(card);
  const day = page.querySelector("h1[data-day]"), shown = document.querySelector("h1[data-day]");
  if (day && shown) shown.textContent = day.dataset.day;
  data.generation = ""; // The next connection brings everything, also the buttons.
  tick();
}

setInterval(() => {
  const now = Date.now();
  fit();
  if (document.hidden || isPast()) return;
  tick();
  // A dead connection says nothing. The clock may also have been set back.
  if (stream && (now - heard > 70000 || now < heard)) {
    if (!lost) lost = heard;
    fail();
  }
  if (!lost && alive && passed() - keptAt > 600000 && (passed() > keepAfter || midnight && midnight !== alive.midnight)) keep();
  if (lost && keptPage && midnight === alive.midnight && now - alive.time >= alive.rest * 1000) turn();
  describe();
}, 1000);

document.addEventListener("visibilitychange", retry);
addEventListener("online", retry);
addEventListener("pagehide", close);
document.addEventListener("resume", retry);
addEventListener("pageshow", event => event.persisted && begin());

// MARK: Other moments, and actions

// Later, because the next element does not have the focus yet.
document.addEventListener("focusout", event => {
  if (event.target.id === "step") setTimeout(() => keptHead && replace(keptHead));
});

// Shows another moment without a reload. Only the last request counts, in whatever order the answers arrive.
let turns = 0;
async function show(address, isNew = true) {
  const turn = ++turns;
  const page = await fetch(own(address)).then(answer => answer.text()).then(parse, () => document.createElement("p"));
  if (turn !== turns) return;
  // A display must not end at an error page.
  if (!page.querySelector("#apps")) return data.window ? fail() : location.assign(own(address));
  const focus = document.activeElement && document.activeElement.id;
  document.documentElement.dataset.appearance = page.documentElement.dataset.appearance;
  for (const name of Object.keys(data)) delete data[name];
  Object.assign(data, page.body.dataset);
  keptHead = undefined;
  for (const part of ["header", "main"]) document.querySelector(part).replaceWith(page.querySelector(part));
  if (focus && byId(focus)) byId(focus).focus();
  if (isNew) history.pushState(null, "", own(address));
  tick();
  retry();
}

addEventListener("popstate", () => show(location.href, false));

// The button that was pressed last: old browsers do not tell it with the form.
let pressed;
document.addEventListener("click", event => {
  pressed = event.target.closest("button");
  const link = event.target.closest("header a, .banner a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const choice = link.dataset.appearance;
  // A colour's link redirects to the page that it came from.
  choice ? fetch(own(link.href)).then(() => show(location.href, false)) : show(link.href);
});

document.addEventListener("input", event => {
  if (event.target.id !== "step") return;
  const words = byId("steps").options[event.target.value].label;
  event.target.setAttribute("aria-valuetext", words);
  event.target.form.querySelector("output").textContent = words;
});

document.addEventListener("change", event => {
  if (event.target.id !== "step") return;
  const moment = byId("steps").options[event.target.value].dataset.at;
  show(moment ? data.page + "?at=" + moment : data.page);
});

document.addEventListener("submit", async event => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  const button = event.submitter || pressed, body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  // The form has an input named "action", which hides the form's own property.
  const address = button && button.getAttribute("formaction") || form.getAttribute("action");
  const response = await fetch(own(address), { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  // The form may have been redrawn meanwhile, with the typed text.
  if (response && response.type === "opaqueredirect") return byId(form.id) && byId(form.id).reset();
  const error = response ? await response.text() : "the server does not answer";
  byId("news").textContent = error;
  // A line above the apps, until the page is redrawn.
  const line = document.createElement("p");
  line.className = "banner error";
  line.textContent = error;
  byId("apps").prepend(line);
});

// The document has a refresh for browsers that do not come this far. Only this ends it, and only after loading: before,
// Firefox would never be done with it. It would also end a stream.
function begin() {
  if (!window.EventSource) return; // Then the refresh is needed.
  window.stop();
  // Programs that judge pages see the element.
  for (const refresh of document.querySelectorAll("meta[http-equiv]")) refresh.remove();
  tick();
  fit(true).then(() => document.body.style.animation = "none"); // The style hides a screen until then, for a second at most.
  retry();
}
if (document.readyState === "complete") begin(); else addEventListener("load", begin);
