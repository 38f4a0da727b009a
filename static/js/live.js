/* How does a page stay true while one looks at it? It listens, fetches itself, and takes over what changed, moving nothing under a finger. */

const main = document.getElementById("main");
const topic = main.dataset.live;
const lost = document.getElementById("connection");
const news = document.getElementById("news");
const SLOW_POLL = 60_000; // ms, behind the events: one that was missed is seen all the same
const TOUCH = 1_500; // ms after a touch during which nothing under it moves
let touched = { at: 0, element: null };
let asking = false;

addEventListener("pointerdown", (event) => (touched = { at: performance.now(), element: event.target }), { passive: true });

const inUse = (piece) =>
  piece.contains(document.activeElement) ||
  piece.matches(":hover") ||
  (performance.now() - touched.at < TOUCH && piece.contains(touched.element));

async function look() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(location.href.split("#")[0], { headers: { "X-Requested-With": "live" } });
    if (answer.redirected || !answer.ok) return say(news);
    lost.hidden = true;
    take(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    lost.hidden = false;
  } finally {
    asking = false;
  }
}

// A request or a form is never exchanged under somebody's eyes: they are told, and look when they want.
function take(fresh) {
  const answered = document.getElementById("decide") && !fresh.getElementById("decide");
  if (topic.startsWith("request:") && answered) return say(news);
  pieces(fresh);
  lists(fresh);
}

function say(line) {
  line.hidden = false;
  line.querySelector("a").href = location.href.split("#")[0];
}

function pieces(fresh) {
  for (const old of document.querySelectorAll("[data-piece]")) {
    const now = fresh.querySelector(`[data-piece="${CSS.escape(old.dataset.piece)}"]`);
    if (!now || same(now, old)) continue;
    if (inUse(old)) say(news);
    else {
      keepOpen(old, now);
      old.replaceWith(document.adoptNode(now));
    }
  }
}

// The ids of operations are new each time the page is made: they are no change.
const plain = (element) => element.outerHTML.replace(/name="operation" value="[^"]*"/g, "").replace(/ open=""/g, "");
const same = (a, b) => plain(a) === plain(b);

function keepOpen(old, now) {
  if (old.matches("details[open]")) now.open = true;
  old.querySelectorAll("details[open][id]").forEach((one) => {
    const twin = now.querySelector(`#${CSS.escape(one.id)}`);
    if (twin) twin.open = true;
  });
}

// What is new comes at the end; what is answered stays where it is and says so, until the page is opened again.
function lists(fresh) {
  const here = new Set([...fresh.querySelectorAll("[data-card]")].map((card) => card.id));
  for (const list of document.querySelectorAll("[data-list]")) {
    const now = fresh.querySelector(`[data-list="${list.dataset.list}"]`);
    if (!now) continue;
    for (const item of [...now.children]) {
      if (item.id && !document.getElementById(item.id)) list.append(document.adoptNode(item));
    }
    if (!list.dataset.gone) continue;
    for (const card of list.querySelectorAll("[data-card]:not(.card--gone)")) {
      if (!here.has(card.id)) retire(card, list.dataset.gone);
    }
  }
}

function retire(card, word) {
  card.classList.add("card--gone");
  card.dataset.word = word; // drawn over the card by the style sheet: its height must not change
}

// After an answer the next page says what was answered; this goes on to say what became of it.
const line = document.querySelector("[data-follow]");

async function follow() {
  const answer = await fetch(`/requests/${line.dataset.follow}`, { headers: { "X-Requested-With": "live" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const outcome = fresh.querySelector("[data-piece=answered] [data-outcome]");
  if (outcome) line.querySelector("[data-outcome]").textContent = outcome.textContent.trim();
}

function listen() {
  const events = new EventSource("/live");
  events.addEventListener("change", (event) => {
    const topics = event.data.split(" ");
    if (topics.includes(topic)) look();
    if (line && topics.includes(`request:${line.dataset.follow}`)) follow();
  });
  events.onerror = () => (lost.hidden = false);
  events.onopen = () => {
    if (line) follow();
    if (!lost.hidden) look();
    lost.hidden = true;
  };
  addEventListener("pagehide", () => events.close());
}

if (topic && "EventSource" in window) {
  listen();
  setInterval(() => document.visibilityState === "visible" && look(), SLOW_POLL);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}
