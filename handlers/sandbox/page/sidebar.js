/** The left side: the workspace, its channels, the app, and whose eyes one looks through. */

import { avatar } from "./avatar.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { roving } from "./menu.js";
import { nextTheme, theme } from "./theme.js";

export function channelIcon(channel) {
  return icon({ private: "lock", shared: "shared" }[channel.kind] ?? "hash");
}


export class Sidebar {
  /**
   * @param {HTMLElement} root
   * @param {{open: (channel: string) => void, become: (user: string) => void, close: () => void}} actions
   */
  constructor(root, actions) {
    this.root = root;
    this.actions = actions;
    roving(root, () => [...root.querySelectorAll(".nav-item")]);
  }

  show(workspace, current) {
    const focused = this.root.contains(document.activeElement) && document.activeElement.dataset.key;
    fill(this.root, [
      this.head(workspace),
      el(
        "nav",
        { class: "nav", "aria-label": "Channels and apps" },
        this.group("Channels", workspace.channels.filter(({ kind }) => kind !== "im"), workspace, current),
        this.group("Apps", workspace.channels.filter(({ kind }) => kind === "im"), workspace, current),
      ),
      this.people(workspace),
    ]);
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  head(workspace) {
    const label = () => `Colours: ${theme()}`;
    const toggle = el("button", { type: "button", class: "side-button", id: "theme", "aria-label": label(), title: label(), data: { key: "theme" } });
    const paint = () => {
      fill(toggle, [icon(theme() === "dark" ? "moon" : "sun"), ...(theme() === "system" ? [el("span", { class: "auto", text: "A" })] : [])]);
      toggle.setAttribute("aria-label", label());
      toggle.title = label();
    };
    toggle.addEventListener("click", () => {
      nextTheme();
      paint();
    });
    paint();
    const close = el("button", {
      type: "button", class: "side-button drawer-only", "aria-label": "Close the list", on: { click: this.actions.close },
    }, icon("close"));
    return el(
      "header",
      { class: "side-head" },
      el("div", { class: "team" }, el("strong", { class: "team-name", text: workspace.team.name }), el("span", { class: "sandbox-badge", text: "Sandbox" })),
      toggle,
      close,
    );
  }

  group(title, channels, workspace, current) {
    if (!channels.length) return null;
    const items = channels.map((channel) => this.item(channel, workspace, current));
    return el("section", { class: "nav-group" }, el("h2", { text: title }), el("ul", {}, items.map((item) => el("li", {}, item))));
  }

  item(channel, workspace, current) {
    const im = channel.kind === "im";
    const here = channel.id === current;
    const unread = channel.unread > 0;
    const name = workspace.channelName(channel);
    const badge = unread && el("span", { class: "badge" }, String(channel.unread), el("span", { class: "visually-hidden", text: " unread" }));
    const dot = im && el("span", {
      class: workspace.bot.online ? "presence is-online" : "presence",
      title: workspace.bot.online ? "The bot is connected" : "The bot is not connected",
    });
    return el(
      "button",
      {
        type: "button",
        class: `nav-item${here ? " is-here" : ""}${unread ? " is-unread" : ""}`,
        "aria-current": here ? "page" : null,
        tabindex: here ? 0 : -1,
        data: { key: channel.id, channel: channel.id },
        on: { click: () => this.actions.open(channel.id) },
      },
      im ? avatar({ id: workspace.bot.id, name, bot: true }, "avatar-small") : channelIcon(channel),
      el("span", { class: "nav-name", text: name }),
      dot,
      badge,
    );
  }

  people(workspace) {
    const name = "viewing-as";
    const rows = workspace.people.map((person) => {
      const input = el("input", { type: "radio", name, value: person.id, class: "visually-hidden", data: { key: person.id } });
      input.checked = person.id === workspace.me;
      input.addEventListener("change", () => this.actions.become(person.id));
      const note = person.external ? "other company" : person.kind === "guest" && "guest";
      return el(
        "label",
        { class: "person" },
        input,
        avatar({ ...person, name: person.real_name }, "avatar-small"),
        el("span", { class: "person-name", text: person.real_name || person.name }),
        note && el("span", { class: "person-kind", text: note }),
      );
    });
    const place = workspace.zone.split("/").at(-1).replaceAll("_", " ");
    const first = (workspace.self?.real_name ?? "").split(" ")[0];
    const zone = el("p", { class: "people-zone", text: `Times are in ${place} time, as ${first} reads them.` });
    return el("fieldset", { class: "people" }, el("legend", { text: "You are" }), rows, zone);
  }
}
