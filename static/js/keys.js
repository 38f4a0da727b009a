/* Which keys do something? j, k, a, e, r and ?; single keys only, never while one writes, and they can be switched off. */

const sheet = document.getElementById("keys");
const on = document.getElementById("keys-on");
const wanted = () => localStorage.getItem("keys") !== "off";

const writing = (element) => element.closest("input, textarea, select, [contenteditable], dialog[open]");

function step(by) {
  const items = [...document.querySelectorAll("[data-item]")];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
  next?.querySelector("a, button, summary")?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

// A button is only reached by its key, never pressed by it: Enter confirms. A link is followed.
function reach(element) {
  if (element.matches("a, [type=button]")) element.click();
  else element.focus();
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || writing(event.target)) return;
  if (event.key === "?") return sheet.showModal();
  if (!wanted()) return;
  const element = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (element) reach(element);
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else return;
  event.preventDefault();
}

if (sheet) {
  on.checked = wanted();
  on.addEventListener("change", () => localStorage.setItem("keys", on.checked ? "on" : "off"));
  document.querySelector("[data-keys]").hidden = false;
  document.querySelector("[data-keys] button").addEventListener("click", () => sheet.showModal());
  document.addEventListener("keydown", press);
}
