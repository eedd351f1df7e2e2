/** The box one types in: Enter sends, Shift+Enter breaks the line, Up brings back what was sent. */

import { el, fill, freshId } from "./dom.js";
import { droppable, unfit } from "./files.js";
import { icon } from "./icons.js";
import { suggestions } from "./suggestions.js";

const TALLEST = 200;

/** person → what they sent, newest last; a drafts' key → what was left unsent */
const sentBy = new Map();
const drafts = new Map();

export class Composer {
  /**
   * @param {HTMLElement} root
   * @param {{
   *   id: string, commands: boolean, send: (text: string) => Promise<{ok: boolean, message?: string}>,
   *   share?: (files: File[], text: string) => Promise<{ok: boolean, message?: string}>,
   * }} options commands: slash commands exist here; share: files can be sent from here
   */
  constructor(root, options) {
    this.options = options;
    this.workspace = null;
    this.place = "";
    this.back = 0;
    this.found = [];
    this.active = -1;
    const list = freshId("suggestions");
    const help = freshId("composer-help");
    this.text = el("textarea", {
      id: options.id, class: "composer-text", rows: 1, spellcheck: "false", autocomplete: "off",
      "aria-autocomplete": "list", "aria-controls": list, "aria-describedby": help,
    });
    this.list = el("ul", { class: "suggestions", id: list, role: "listbox", "aria-label": "Suggestions", hidden: true });
    this.send = el("button", { type: "button", class: "send", "aria-label": "Send", title: "Send (Enter)", disabled: true }, icon("send"));
    this.error = el("p", { class: "composer-error", role: "alert" });
    this.chosen = el("div", { class: "composer-file" });
    this.picker = el("input", { type: "file", multiple: true, class: "visually-hidden", tabindex: "-1", "aria-label": "Files" });
    this.picker.addEventListener("change", () => this.attach([...this.files, ...this.picker.files]));
    this.files = [];
    const insert = (sign, label, name) => el("button", {
      type: "button", class: "tool", "aria-label": label, title: label, on: { click: () => this.insert(sign) },
    }, icon(name));
    fill(root, [
      this.error,
      el(
        "div",
        { class: "composer" },
        this.list,
        this.text,
        this.chosen,
        el(
          "div",
          { class: "composer-bar" },
          options.commands && insert("/", "Type a command", "slash"),
          insert("@", "Mention somebody", "at"),
          options.share && [this.picker, el("button", {
            type: "button", class: "tool", "aria-label": "Attach files", title: "Attach files", on: { click: () => this.picker.click() },
          }, icon("clip"))],
          el("span", { class: "composer-help", id: help }, el("kbd", { text: "Enter" }), " sends, ", el("kbd", { text: "Shift+Enter" }), " breaks the line"),
          this.send,
        ),
      ),
    ]);
    if (options.share) {
      droppable(root, (files) => this.attach([...this.files, ...files]));
      this.text.addEventListener("paste", (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (!files.length) return;
        event.preventDefault();
        this.attach([...this.files, ...files]);
      });
    }
    this.text.addEventListener("input", () => this.typed());
    this.text.addEventListener("keydown", (event) => this.pressed(event));
    this.text.addEventListener("blur", () => this.offer([], false));
    this.text.addEventListener("click", () => this.suggest());
    this.send.addEventListener("click", () => this.submit());
  }

  /** Turns to another place (a channel, a thread), keeping for each what was left unsent. */
  turnTo(workspace, place, { label, placeholder }) {
    this.workspace = workspace;
    if (place !== this.place) {
      drafts.set(this.place, this.text.value);
      this.place = place;
      this.back = 0;
      this.error.textContent = "";
      this.attach([]);
      this.set(drafts.get(place) ?? "");
    }
    this.text.setAttribute("aria-label", label);
    this.text.placeholder = placeholder;
  }

  /** Puts a text in, ready to be sent or changed. */
  set(text) {
    this.text.value = text;
    this.text.setSelectionRange(text.length, text.length);
    this.offer([], false);
    this.fit();
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  insert(sign) {
    this.focus();
    const { value, selectionStart: at } = this.text;
    const gap = sign !== "/" && at > 0 && !/\s$/.test(value.slice(0, at)) ? " " : "";
    if (sign === "/" && value !== "") return;
    this.text.setRangeText(gap + sign, at, this.text.selectionEnd, "end");
    this.typed();
  }

  /** @param {File[]} files all that are to be sent */
  attach(files) {
    this.files = files;
    this.picker.value = "";
    fill(this.chosen, files.map((file) => el(
      "span",
      { class: "composer-chip" },
      icon("file"),
      el("span", { text: file.name }),
      el("button", {
        type: "button", class: "tool", "aria-label": `Do not send ${file.name}`,
        on: { click: () => this.attach(this.files.filter((other) => other !== file)) },
      }, icon("close")),
    )));
    this.error.textContent = files.map(unfit).find(Boolean) ?? "";
    this.fit();
    if (files.length) this.focus();
  }

  typed() {
    this.back = 0;
    this.error.textContent = "";
    this.fit();
    this.suggest();
  }

  fit() {
    this.send.disabled = this.text.value.trim() === "" && !this.files.length;
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, TALLEST)}px`;
  }

  suggest() {
    const before = this.text.value.slice(0, this.text.selectionStart);
    const whole = this.text.selectionStart === this.text.value.length;
    const { found, eager } = whole && this.workspace ? suggestions(this.workspace, before, this.options) : { found: [], eager: false };
    this.offer(found, eager);
  }

  offer(found, eager) {
    this.found = found;
    this.active = eager && found.length ? 0 : -1;
    const rows = found.map((choice, index) => el(
      "li",
      {
        id: `${this.list.id}-${index}`, role: "option", class: "suggestion",
        on: { mousedown: (event) => {
          event.preventDefault();
          this.take(index);
        } },
      },
      choice.picture,
      el("span", { class: "suggestion-label", text: choice.label }),
      choice.note && el("span", { class: "suggestion-note", text: choice.note }),
    ));
    fill(this.list, rows);
    this.list.hidden = found.length === 0;
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((row, index) => row.setAttribute("aria-selected", String(index === this.active)));
    if (this.active >= 0) this.text.setAttribute("aria-activedescendant", `${this.list.id}-${this.active}`);
    else this.text.removeAttribute("aria-activedescendant");
  }

  take(index) {
    const { from, insert } = this.found[index];
    this.text.setRangeText(insert, from, this.text.selectionStart, "end");
    this.typed();
  }

  pressed(event) {
    if (event.isComposing) return;
    const open = this.found.length > 0;
    if (event.key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      this.offer([], false);
    } else if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = this.active < 0 && step < 0 ? 0 : this.active;
      this.active = (from + step + this.found.length) % this.found.length;
      this.mark();
    } else if (open && event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      this.take(Math.max(this.active, 0));
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (open && this.active >= 0) this.take(this.active);
      else this.submit();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.recall(event);
    }
  }

  recall(event) {
    const sent = sentBy.get(this.workspace?.me) ?? [];
    if (!sent.length || (this.back === 0 && this.text.value !== "")) return;
    const back = Math.min(Math.max(this.back + (event.key === "ArrowUp" ? 1 : -1), 0), sent.length);
    if (back === this.back) return;
    event.preventDefault();
    this.set(back === 0 ? "" : sent.at(-back));
    this.back = back;
  }

  async submit() {
    const text = this.text.value.trim();
    const { files, place } = this;
    if (text === "" && !files.length) return;
    if (files.some(unfit)) return;
    const { me } = this.workspace;
    if (text) sentBy.set(me, [...(sentBy.get(me) ?? []).filter((other) => other !== text), text]);
    this.back = 0;
    this.attach([]);
    this.set("");
    drafts.delete(place);
    const answer = await (files.length ? this.options.share(files, text) : this.options.send(text));
    if (answer.ok) return;
    if (this.place === place && this.text.value === "") {
      this.set(text);
      this.attach(files);
    }
    this.error.textContent = answer.message || `Not sent (${answer.error}).`;
  }
}
