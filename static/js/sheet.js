/* What would be so if this were saved? Asked again a moment after each change; focus stays where one writes. */

const form = document.querySelector("[data-preview]");
const PAUSE = 350; // ms
let waiting;
let asked = 0;

async function look() {
  const mine = ++asked;
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (answer.redirected || !answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine === asked) take(fresh);
  } catch {
    // the button still works
  }
}

function take(fresh) {
  for (const old of document.querySelectorAll("[data-part]")) {
    const name = CSS.escape(old.dataset.part);
    const now = fresh.querySelector(`[data-part="${name}"], [data-from="${name}"]`);
    if (now && now.innerHTML !== old.innerHTML) old.replaceChildren(...now.cloneNode(true).childNodes);
  }
}

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(look, PAUSE);
});
const first = form.dataset.focus && form.querySelector(`[name="${CSS.escape(form.dataset.focus)}"], [value="${CSS.escape(form.dataset.focus)}"]`);
// After the browser went to the address's #part, which takes the focus away.
if (first) addEventListener("load", () => setTimeout(() => first.focus()));
