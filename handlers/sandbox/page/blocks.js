/** Slack's blocks, as nodes. */

import { button, feedback, iconButton, overflow } from "./buttons.js";
import { el, freshId } from "./dom.js";
import { field } from "./fields.js";
import { icon } from "./icons.js";
import { link, safeAddress } from "./links.js";
import { markdown } from "./markdown.js";
import { mrkdwn, plain } from "./mrkdwn.js";
import { richText } from "./richtext.js";

/**
 * @param {object[]} blocks
 * @param {import("./surface.js").Surface} surface
 * @returns {HTMLElement}
 */
export function renderBlocks(blocks, surface) {
  const nodes = blocks.map((block, index) => {
    const id = block.block_id ?? `b${index}`;
    const make = Object.hasOwn(BLOCKS, block.type) ? BLOCKS[block.type] : unknown;
    const node = make(block, id, surface);
    node.classList.add("block", `block-${block.type}`);
    node.dataset.block = id;
    return node;
  });
  return el("div", { class: "blocks" }, nodes);
}

/** A text object: mrkdwn or plain text. */
function words(object, directory) {
  if (object?.type === "mrkdwn") return mrkdwn(object.text, directory, { verbatim: object.verbatim });
  return lined(plain(object));
}

function lined(text) {
  return text.split("\n").flatMap((line, index) => (index ? [el("br"), line] : [line]));
}

function control(element, block, surface, sends = true) {
  const where = { block, surface, sends };
  switch (element.type) {
    case "button":
      return button(element, block, surface);
    case "workflow_button":
      return button({ ...element, action_id: element.action_id ?? "workflow" }, block, surface);
    case "overflow":
      return overflow(element, block, surface);
    case "icon_button":
      return iconButton(element, block, surface);
    case "feedback_buttons":
      return feedback(element, block, surface);
    case "image":
      return picture(element);
    default:
      return field(element, where) ?? unshown(element.type);
  }
}

/**
 * Pictures from this server are shown; those from elsewhere are named and linked, because the
 * sandbox loads nothing from the network.
 */
function picture(element) {
  const address = element.image_url ?? element.slack_file?.url ?? "";
  const alt = element.alt_text ?? "";
  let local = null;
  try {
    const parsed = new URL(address, location.href);
    local = parsed.origin === location.origin || parsed.protocol === "data:" ? parsed.href : null;
  } catch {
    // no address at all: the words stand for the picture
  }
  if (local) return el("img", { class: "picture", src: local, alt, title: alt, loading: "lazy" });
  return el(
    "span",
    { class: "picture picture-away", role: "img", "aria-label": alt, title: alt },
    icon("image"),
  );
}

function unshown(type) {
  return el("p", { class: "unshown", text: `Slack shows a “${type}” here; the sandbox does not know it.` });
}

function unknown(block) {
  return el("div", {}, unshown(block.type));
}

const BLOCKS = {
  header: (block) => el("h3", { class: `header-${block.level ?? 1}` }, plain(block.text)),

  section(block, id, surface) {
    const text = el("div", { class: "section-text" });
    if (block.text) text.append(el("div", {}, words(block.text, surface.directory)));
    if (block.fields?.length) {
      const cells = block.fields.map((cell) => el("div", {}, words(cell, surface.directory)));
      text.append(el("div", { class: "section-fields" }, cells));
    }
    const accessory = block.accessory &&
      el("div", { class: "section-accessory" }, control(block.accessory, id, surface));
    return el("div", {}, el("div", { class: "section-row" }, text, accessory));
  },

  context: (block, _id, surface) => el("div", {}, el("div", { class: "context-row" }, (block.elements ?? []).map((element) =>
    element.type === "image" ? picture(element) : el("span", {}, words(element, surface.directory)),
  ))),

  actions: (block, id, surface) => el(
    "div",
    {},
    el("div", { class: "actions-row" }, (block.elements ?? []).map((element) => control(element, id, surface))),
  ),

  context_actions: (block, id, surface) => BLOCKS.actions(block, id, surface),

  divider: () => el("div", { role: "separator" }, el("hr")),

  image(block) {
    const title = block.title && el("figcaption", { class: "image-title" }, plain(block.title));
    const away = !block.image_url || new URL(block.image_url, location.href).origin !== location.origin;
    const address = away && safeAddress(block.image_url);
    const note = away && el("span", { class: "image-note" }, block.alt_text ?? "", address && [" · ", link(address, "open the picture")]);
    return el("figure", {}, title, el("div", { class: "image-frame" }, picture(block), note));
  },

  input(block, id, surface) {
    const [name, hint, error] = ["label", "hint", "error"].map(freshId);
    const control = freshId("field");
    const words = plain(block.label);
    const made = field(block.element ?? {}, {
      block: id,
      surface,
      sends: Boolean(block.dispatch_action),
      label: words,
      id: control,
      describedBy: `${hint} ${error}`,
    });
    const focusable = made?.matches("input,textarea") || made?.querySelector("select");
    if (made && !focusable) made.setAttribute("aria-labelledby", name);
    const note = el("p", { class: "input-error", id: error, role: "alert" });
    surface.errors.set(id, { note, target: made });
    return el(
      "div",
      {},
      el(
        focusable ? "label" : "div",
        { class: "input-label", id: name, for: focusable ? control : null },
        words,
        block.optional && el("span", { class: "input-optional", text: " (optional)" }),
      ),
      made ?? unshown(block.element?.type),
      note,
      el("p", { class: "input-hint", id: hint }, plain(block.hint)),
    );
  },

  rich_text: (block, _id, surface) => el("div", {}, richText(block, surface.directory)),

  markdown: (block) => el("div", {}, markdown(block.text)),

  table(block, _id, surface) {
    const [head, ...rows] = block.rows ?? [];
    const settings = block.column_settings ?? [];
    const cell = (tag) => (content, column) => {
      const { align, is_wrapped: wrapped } = settings[column] ?? {};
      const kind = [align && `align-${align}`, wrapped && "is-wrapped"].filter(Boolean).join(" ");
      const inner = content?.type === "rich_text" ? richText(content, surface.directory) : lined(String(content?.text ?? ""));
      return el(tag, { class: kind || null, scope: tag === "th" ? "col" : null }, inner);
    };
    const table = el(
      "table",
      {},
      head && el("thead", {}, el("tr", {}, head.map(cell("th")))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell("td"))))),
    );
    return el("div", {}, el("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Table" }, table));
  },

  video: (block) => el("div", {}, link(block.title_url ?? block.video_url, plain(block.title) || block.alt_text || "Video")),

  alert: (block, _id, surface) => el("div", { class: `alert-${block.level ?? "info"}` }, icon("info"), el("span", {}, words(block.text, surface.directory))),
};
