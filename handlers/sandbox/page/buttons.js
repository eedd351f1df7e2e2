/** Controls that only send: buttons, overflow menus, feedback. */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { safeAddress } from "./links.js";
import { menu } from "./menu.js";
import { mrkdwn, plain } from "./mrkdwn.js";

const STYLES = { primary: " button-primary", danger: " button-danger" };

export function button(element, block, surface) {
  const node = el("button", {
    type: "button",
    class: `button${STYLES[element.style] ?? ""}`,
    "aria-label": element.accessibility_label,
    data: { action: element.action_id ?? "" },
  }, plain(element.text));
  const address = safeAddress(element.url);
  if (address) {
    node.classList.add("button-link");
    node.title = address;
  }
  node.addEventListener("click", () => {
    if (address) window.open(address, "_blank", "noopener,noreferrer");
    surface.press({
      control: node,
      block,
      action: element.action_id,
      payload: { value: element.value },
      confirm: element.confirm,
    });
  });
  return node;
}

export function iconButton(element, block, surface) {
  const node = el("button", {
    type: "button",
    class: "button button-small",
    "aria-label": element.accessibility_label,
    data: { action: element.action_id ?? "" },
    text: plain(element.text),
    on: { click: () => surface.press({
      control: node, block, action: element.action_id, payload: { value: element.value }, confirm: element.confirm,
    }) },
  });
  return node;
}

export function feedback(element, block, surface) {
  return [element.positive_button, element.negative_button].filter(Boolean).map((choice) => {
    const node = el("button", {
      type: "button",
      class: "button button-small",
      "aria-label": choice.accessibility_label,
      data: { action: element.action_id ?? "" },
      text: plain(choice.text),
      on: { click: () => surface.press({
        control: node, block, action: element.action_id, payload: { value: choice.value },
      }) },
    });
    return node;
  });
}

export function overflow(element, block, surface) {
  const node = el(
    "button",
    { type: "button", class: "button button-icon", "aria-label": "More actions", data: { action: element.action_id ?? "" } },
    icon("more"),
  );
  const choices = (element.options ?? []).map((option) => ({
    label: option.text?.type === "mrkdwn" ? mrkdwn(option.text.text, surface.directory) : plain(option.text),
    note: plain(option.description),
    choose: () => {
      const address = safeAddress(option.url);
      if (address) window.open(address, "_blank", "noopener,noreferrer");
      surface.press({
        control: node,
        block,
        action: element.action_id,
        payload: { value: option.value, selected_option: option },
        confirm: element.confirm,
      });
    },
  }));
  return el("span", { class: "holder" }, node, menu(node, choices));
}
