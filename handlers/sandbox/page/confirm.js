/** The question Slack asks before a control with a `confirm` object does anything. */

import { el, freshId } from "./dom.js";
import { mrkdwn, plain } from "./mrkdwn.js";

/** @param {object} confirm Slack's confirmation object @param {HTMLElement} opener gets the focus back */
export function confirmed(confirm, opener) {
  const title = freshId("confirm");
  const text = confirm.text?.type === "mrkdwn"
    ? mrkdwn(confirm.text.text, { user: () => null, channel: () => null, zone: "UTC" })
    : plain(confirm.text);
  const yes = el("button", {
    type: "button",
    class: confirm.style === "danger" ? "button button-danger" : "button button-primary",
    text: plain(confirm.confirm) || "Yes",
  });
  const no = el("button", { type: "button", class: "button", text: plain(confirm.deny) || "Cancel" });
  const dialog = el(
    "dialog",
    { class: "dialog confirm", "aria-labelledby": title },
    el("header", { class: "dialog-head" }, el("h2", { id: title, text: plain(confirm.title) || "Are you sure?" })),
    el("div", { class: "dialog-body" }, el("p", {}, text)),
    el("footer", { class: "dialog-foot" }, no, yes),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    let answer = false;
    yes.addEventListener("click", () => {
      answer = true;
      dialog.close();
    });
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (opener.isConnected) opener.focus();
      resolve(answer);
    });
    dialog.showModal();
    (confirm.style === "danger" ? no : yes).focus(); // Enter alone does nothing that hurts
  });
}
