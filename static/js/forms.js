/* How do we keep one tap one decision? Nothing is sent twice, nor by a tap meant for the page before. */

const ARMED_AFTER = 600; // ms: a double tap on "Approve" must not approve the next request
const shownAt = performance.now();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  const tooSoon = form.matches("[data-careful]") && performance.now() - shownAt < ARMED_AFTER;
  if (tooSoon || form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  form.querySelectorAll("button").forEach((button) => button.setAttribute("aria-disabled", "true"));
});

// Coming back with the browser's back button: the form may be sent again, and the server knows its operation.
addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-sent]").forEach((form) => {
    delete form.dataset.sent;
    form.querySelectorAll("[aria-disabled]").forEach((button) => button.removeAttribute("aria-disabled"));
  });
});

// An opened answer begins in its first field; one that came back with errors begins at the first of them.
function enter(form) {
  const first = form?.querySelector("[aria-invalid]") ?? form?.querySelector("textarea, select, input:not([type=hidden])");
  first?.focus();
}

function enterTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches(".answer")) enter(target);
}

addEventListener("hashchange", enterTarget);
const opened = document.querySelector(".answer--open");
if (opened) enter(opened);
else enterTarget();

// A menu closes with Escape and when one looks elsewhere.
document.addEventListener("keydown", (event) => {
  const open = document.querySelector(".menu[open]");
  if (event.key !== "Escape" || !open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  const open = document.querySelector(".menu[open]");
  if (open && !open.contains(event.target)) open.open = false;
});
