/** Modal views: a stack, of which the top is shown; Esc or × closes the top. */

import * as api from "./api.js";
import { renderBlocks } from "./blocks.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { plain } from "./mrkdwn.js";
import { Surface } from "./surface.js";

export class Modals {
  constructor() {
    this.stack = [];
    this.opener = null;
    this.dialog = null;
  }

  get isOpen() {
    return this.stack.length > 0;
  }

  /** Takes in what the server says about a view. */
  hear(workspace, { action, view, view_id: id = view?.id }) {
    this.workspace = workspace;
    const at = this.stack.findIndex(({ view: known }) => known.id === id);
    if (action === "close") {
      if (at < 0) return; // closed here already
      this.stack.splice(at, 1);
    } else if (at >= 0) {
      this.stack.splice(at, 1, this.layer(view, this.stack[at]));
    } else if (action === "push") {
      this.stack.push(this.layer(view));
    } else {
      this.stack = [this.layer(view)];
    }
    this.show();
  }

  /** Forgets all views, without a word to the server (another person takes the chair). */
  clear() {
    this.stack = [];
    this.show();
  }

  layer(view, before = null) {
    const surface = new Surface(this.workspace, { view_id: view.id });
    const body = renderBlocks(view.blocks ?? [], surface);
    surface.restore(view.state?.values);
    if (before) surface.restore(before.surface.values());
    const layer = { view, surface, body };
    if (view.errors) this.complain(layer, view.errors);
    return layer;
  }

  show() {
    const top = this.stack.at(-1);
    if (!top) {
      this.dialog?.close();
      return;
    }
    if (!this.dialog) this.open();
    const { dialog } = this;
    const before = dialog.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const same = dialog.dataset.view === top.view.id;
    const scrolled = same ? dialog.querySelector(".dialog-body").scrollTop : 0;
    dialog.dataset.view = top.view.id;
    fill(dialog, [this.head(top), el("div", { class: "dialog-body", tabindex: "0", role: "group", "aria-labelledby": "modal-title" }, top.body), this.foot(top)]);
    const body = dialog.querySelector(".dialog-body");
    const again = same && before ? top.body.querySelector(`[data-action="${CSS.escape(before)}"]`) : null;
    // A form begins at its first field; else the text, named by the title: keys scroll it, Enter does nothing.
    const first = top.body.querySelector("[autofocus], input, textarea, select, summary");
    (again ?? first ?? body).focus({ preventScroll: !again });
    body.scrollTop = scrolled;
  }

  open() {
    this.opener = document.activeElement;
    const dialog = el("dialog", { class: "dialog modal", "aria-labelledby": "modal-title" });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.dismiss();
    });
    dialog.addEventListener("close", () => {
      if (this.stack.length) { // the browser itself closed it
        for (const { view } of this.stack) api.closeView({ user: this.workspace.me, view_id: view.id });
        this.stack = [];
      }
      dialog.remove();
      this.dialog = null;
      if (this.opener?.isConnected) this.opener.focus();
    });
    document.body.append(dialog);
    this.dialog = dialog;
    dialog.showModal();
  }

  head(top) {
    const deep = this.stack.length > 1;
    return el(
      "header",
      { class: "dialog-head" },
      deep && el("button", { type: "button", class: "tool", "aria-label": "Back", on: { click: () => this.dismiss() } }, icon("back")),
      el("h2", { id: "modal-title", text: plain(top.view.title) }),
      el("button", { type: "button", class: "tool dialog-close", "aria-label": "Close", on: { click: () => this.dismiss() } }, icon("close")),
    );
  }

  foot(top) {
    const { view } = top;
    const close = el("button", {
      type: "button", class: "button", text: plain(view.close) || "Close", on: { click: () => this.dismiss() },
    });
    if (!view.submit) return el("footer", { class: "dialog-foot" }, close);
    const submit = el("button", { type: "button", class: "button button-primary", text: plain(view.submit) });
    submit.addEventListener("click", () => this.submit(top, submit));
    top.body.onkeydown = (event) => {
      if (event.key === "Enter" && event.target.matches("input:not([type=checkbox], [type=radio])") && !event.defaultPrevented) {
        event.preventDefault();
        this.submit(top, submit);
      }
    };
    return el("footer", { class: "dialog-foot" }, el("p", { class: "foot-error", role: "alert" }), close, submit);
  }

  dismiss() {
    const top = this.stack.pop();
    if (!top) return;
    api.closeView({ user: this.workspace.me, view_id: top.view.id });
    this.show();
  }

  async submit(top, button) {
    if (button.getAttribute("aria-busy") === "true") return;
    const missing = this.missing(top);
    this.complain(top, missing);
    if (Object.keys(missing).length) return;
    button.setAttribute("aria-busy", "true");
    const answer = await api.submit({
      user: this.workspace.me,
      view_id: top.view.id,
      state: { values: top.surface.values() },
    });
    button.removeAttribute("aria-busy");
    if (answer.errors && Object.keys(answer.errors).length) this.complain(top, answer.errors);
    else if (!answer.ok) {
      this.dialog?.querySelector(".foot-error")?.replaceChildren(answer.message || `That did not work (${answer.error}).`);
    }
  }

  /** What Slack asks for before it sends anything: inputs that are not optional. */
  missing(top) {
    const values = top.surface.values();
    const missing = {};
    for (const block of top.view.blocks ?? []) {
      if (block.type !== "input" || block.optional || !block.element) continue;
      const { type: _, ...value } = values[block.block_id]?.[block.element.action_id] ?? {};
      const empty = Object.values(value).every((part) => part === null || part === "" || (Array.isArray(part) && !part.length));
      if (empty) missing[block.block_id] = "Please complete this required field.";
    }
    return missing;
  }

  complain(top, errors) {
    let first = null;
    for (const [block, { note, target }] of top.surface.errors) {
      const text = errors[block] ?? "";
      note.textContent = text;
      const control = target?.matches("input, textarea") ? target : target?.querySelector("input, select, textarea, summary") ?? target;
      if (text) {
        control?.setAttribute("aria-invalid", "true");
        first ??= control;
      } else control?.removeAttribute("aria-invalid");
    }
    first?.focus();
  }
}
