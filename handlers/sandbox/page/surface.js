/**
 * One thing with controls: a message, a modal view, a Home. It knows the values of its fields in
 * the shape Slack's payloads have, and sends a press exactly once.
 */

import * as api from "./api.js";
import { confirmed } from "./confirm.js";

/** A second press of the same button within this time is the other half of a double click. */
const DOUBLE_PRESS_MS = 500;

/** Where something is pressed → until when further presses are let fall. */
const held = new Map();

export class Surface {
  /**
   * @param {object} directory the workspace
   * @param {{channel?: string, ts?: string, view_id?: string}} place
   */
  constructor(directory, place) {
    this.directory = directory;
    this.place = place;
    this.fields = new Map();
    this.errors = new Map();
  }

  /**
   * @param {string} block
   * @param {string} action
   * @param {{read: () => object, write: (value: object) => void}} field
   */
  field(block, action, field) {
    this.fields.set(`${block}\n${action}`, { block, action, ...field });
  }

  /** `{block_id: {action_id: {type, value…}}}` */
  values() {
    const values = {};
    for (const { block, action, read } of this.fields.values()) {
      values[block] ??= {};
      values[block][action] = read();
    }
    return values;
  }

  /** Puts values back that were read before, or that the server keeps, where the fields still are. */
  restore(values) {
    for (const { block, action, write } of this.fields.values()) {
      const value = values?.[block]?.[action];
      if (value) write(value);
    }
  }

  /**
   * Sends one press.
   *
   * @param {{control: HTMLElement, block: string, action: string, payload: object, confirm?: object}} press
   */
  async press({ control, block, action, payload, confirm }) {
    const spot = [...Object.values(this.place), block, action, JSON.stringify(payload)].join("\n");
    if ((held.get(spot) ?? 0) > performance.now()) return;
    held.set(spot, Number.POSITIVE_INFINITY);
    if (confirm && !(await confirmed(confirm, control))) {
      held.delete(spot);
      return;
    }
    const began = performance.now();
    try {
      control.setAttribute("aria-busy", "true");
      this.complain(control, null);
      const { notices } = this.directory;
      this.directory.pressedAt = performance.now();
      const answer = await api.click({
        user: this.directory.me,
        ...this.place,
        block_id: block,
        action_id: action,
        state: this.values(),
        ...payload,
      });
      const told = this.directory.notices > notices && this.place.channel;
      if (!answer.ok && !told) this.complain(control, answer.message || `That did not work (${answer.error}).`);
    } finally {
      held.set(spot, Math.max(began + DOUBLE_PRESS_MS, performance.now()));
      control.removeAttribute("aria-busy");
    }
  }

  /** Shows a sentence under the block of a control, or takes it away. */
  complain(control, sentence) {
    const block = control.closest(".block");
    if (!block) return;
    block.querySelector(":scope > .press-error")?.remove();
    if (!sentence) return;
    const note = document.createElement("p");
    note.className = "press-error";
    note.setAttribute("role", "alert");
    note.textContent = sentence;
    block.append(note);
  }
}
