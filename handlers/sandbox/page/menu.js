/** A list of choices that opens beside a button: the overflow menu, the multi-select. */

import { el, freshId } from "./dom.js";

/**
 * Makes `button` open `panel` as a popover; Esc, a click elsewhere and Tab close it.
 *
 * @returns {{close: () => void}}
 */
export function popover(button, panel, { onOpen } = {}) {
  panel.id ||= freshId("menu");
  panel.popover = "auto";
  button.setAttribute("aria-controls", panel.id);
  button.setAttribute("aria-expanded", "false");
  button.popoverTargetElement = panel;

  panel.addEventListener("beforetoggle", ({ newState }) => {
    button.setAttribute("aria-expanded", String(newState === "open"));
  });
  panel.addEventListener("toggle", ({ newState }) => {
    if (newState !== "open") return;
    place(button, panel);
    onOpen?.();
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Tab") panel.hidePopover();
  });
  return {
    close() {
      panel.hidePopover();
      button.focus();
    },
  };
}

/** Under the button, or above it where there is more room; never over the window's edge. */
function place(button, panel) {
  const gap = 4;
  const edge = 8;
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const below = at.bottom + gap + height <= window.innerHeight - edge;
  const top = below ? at.bottom + gap : Math.max(edge, at.top - gap - height);
  const left = Math.min(Math.max(edge, at.left), window.innerWidth - width - edge);
  panel.style.top = `${Math.round(top)}px`;
  panel.style.left = `${Math.round(Math.max(edge, left))}px`;
}

/** Arrow keys, Home and End move the focus among `items()`; one of them is in the tab order. */
export function roving(container, items, { horizontal = false } = {}) {
  const [back, on] = horizontal ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  container.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const to = { [back]: at - 1, [on]: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = all[(to + all.length) % all.length];
    for (const item of all) item.tabIndex = item === next ? 0 : -1;
    next.focus();
  });
}

/**
 * @param {HTMLElement} button
 * @param {{label: Node|string, note?: string, href?: string, choose: () => void}[]} choices
 */
export function menu(button, choices) {
  const items = choices.map(({ label, note, choose }, index) =>
    el(
      "button",
      { type: "button", role: "menuitem", class: "menu-item", tabindex: index === 0 ? 0 : -1, on: { click: () => {
        handle.close();
        choose();
      } } },
      el("span", {}, label),
      note && el("span", { class: "menu-note", text: note }),
    ),
  );
  const panel = el("div", { class: "menu", role: "menu" }, items);
  button.setAttribute("aria-haspopup", "menu");
  const handle = popover(button, panel, { onOpen: () => items[0]?.focus() });
  roving(panel, () => items);
  return panel;
}
