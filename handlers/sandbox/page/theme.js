/** Light, dark, or what the system says; remembered in this browser. */

const KEY = "sandbox-theme";
const ORDER = ["system", "light", "dark"];

function remembered() {
  try {
    const kept = localStorage.getItem(KEY);
    return ORDER.includes(kept) ? kept : "system";
  } catch {
    return "system"; // storage is switched off
  }
}

export function theme() {
  return document.documentElement.dataset.theme ?? "system";
}

export function applyTheme(choice = remembered()) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

export function nextTheme() {
  const choice = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length];
  applyTheme(choice);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // it holds until the page is left
  }
}
