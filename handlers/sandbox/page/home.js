/** The app's Home tab. */

import { renderBlocks } from "./blocks.js";
import { el, fill } from "./dom.js";
import { Surface } from "./surface.js";

const PATIENCE_MS = 4000;

export class Home {
  constructor(root) {
    this.root = root;
    this.shown = null;
    this.timer = 0;
  }

  /** @param {object} workspace its `home` is the view, or `null` while none has come */
  show(workspace) {
    window.clearTimeout(this.timer);
    const view = workspace.home;
    if (!view) {
      this.shown = null;
      fill(this.root, [el("p", { class: "home-empty" }, `Waiting for ${workspace.bot.name} to fill its Home…`)]);
      this.timer = window.setTimeout(() => {
        fill(this.root, [el("p", { class: "home-empty" }, `${workspace.bot.name} has not filled its Home yet.`)]);
      }, PATIENCE_MS);
      return;
    }
    if (this.shown?.view === view) return;
    const surface = new Surface(workspace, { view_id: view.id });
    const body = renderBlocks(view.blocks ?? [], surface);
    surface.restore(view.state?.values);
    if (this.shown?.view.id === view.id) surface.restore(this.shown.surface.values());
    const action = this.root.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.shown = { view, surface };
    fill(this.root, [el("div", { class: "home-body" }, body)]);
    if (action) this.root.querySelector(`[data-action="${CSS.escape(action)}"]`)?.focus();
  }
}
