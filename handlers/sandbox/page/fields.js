/**
 * Controls with a value. Each registers with its surface how to read and write that value in the
 * shape Slack's `state.values` has, and sends a press when it is changed where Slack would.
 */

import * as api from "./api.js";
import { el, fill, freshId } from "./dom.js";
import { droppable, packed, unfit } from "./files.js";
import { icon } from "./icons.js";
import { mrkdwn, plain } from "./mrkdwn.js";

/**
 * @param {object} element
 * @param {{block: string, surface: object, label?: string, describedBy?: string, sends: boolean}} where
 *   `sends`: a change is an action (an actions block, an accessory, `dispatch_action`)
 * @returns {HTMLElement|null} `null` for an element that is no field
 */
export function field(element, where) {
  const make = FIELDS[element.type];
  if (!make) return null;
  const made = make(element, where);
  made.node.dataset.action = element.action_id ?? "";
  where.surface.field(where.block, element.action_id, made);
  return made.node;
}

function sender(element, where, read) {
  return (control) => {
    if (!where.sends) return;
    const { type: _, ...payload } = read();
    where.surface.press({
      control,
      block: where.block,
      action: element.action_id,
      payload,
      confirm: element.confirm,
    });
  };
}

function named(element, where) {
  return {
    "aria-label": where.label ? null : plain(element.placeholder) || element.accessibility_label || "Choose",
    "aria-describedby": where.describedBy,
    id: where.id,
  };
}

/* ---- text ---- */

const TEXTS = {
  plain_text_input: "text",
  email_text_input: "email",
  url_text_input: "url",
  number_input: "number",
};

function text(element, where) {
  const long = element.multiline;
  const input = el(long ? "textarea" : "input", {
    class: "input",
    type: long ? null : TEXTS[element.type],
    rows: long ? 4 : null,
    placeholder: plain(element.placeholder),
    maxlength: element.max_length,
    minlength: element.min_length,
    min: element.min_value,
    max: element.max_value,
    step: element.type === "number_input" ? (element.is_decimal_allowed ? "any" : "1") : null,
    autocomplete: "off",
    autofocus: element.focus_on_load,
    ...named(element, where),
  });
  input.value = element.initial_value ?? "";
  const read = () => ({ type: element.type, value: input.value === "" ? null : input.value });
  const send = sender(element, where, read);
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
  if (triggers.includes("on_character_entered")) input.addEventListener("input", () => send(input));
  if (!long && where.sends) {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (triggers.includes("on_enter_pressed")) send(input);
    });
  }
  return { node: input, read, write: (value) => (input.value = value.value ?? "") };
}

function richInput(element, where) {
  const input = el("textarea", { class: "input", rows: 4, placeholder: plain(element.placeholder), ...named(element, where) });
  const read = () => ({
    type: element.type,
    rich_text_value: {
      type: "rich_text",
      elements: [{ type: "rich_text_section", elements: [{ type: "text", text: input.value }] }],
    },
  });
  const write = (value) => {
    input.value = value.rich_text_value?.elements?.[0]?.elements?.[0]?.text ?? "";
  };
  write({ rich_text_value: element.initial_value });
  return { node: input, read, write };
}

/* ---- one of many ---- */

function groups(element) {
  return element.option_groups?.map(({ label, options }) => ({ label: plain(label), options })) ??
    [{ label: null, options: element.options ?? [] }];
}

function people(directory) {
  return directory.users.map((user) => ({ id: user.id, name: user.real_name || user.name }));
}

function conversations(directory, element) {
  const kinds = element.filter?.include;
  const kind = { public: "public", private: "private", im: "im", shared: "public" };
  return directory.channels
    .filter((channel) => !kinds || kinds.includes(kind[channel.kind] ?? channel.kind))
    .map((channel) => ({
      id: channel.id,
      name: channel.kind === "im" ? directory.channelName(channel) : `#${channel.name}`,
    }));
}

function select(element, where, { choices, chosen, reading, writing }) {
  const placeholder = plain(element.placeholder) || "Choose…";
  const control = el("select", { class: "select", ...named(element, where) });
  control.append(el("option", { value: "", text: placeholder }));
  for (const { label, options } of choices) {
    const nodes = options.map(({ key, name }) => el("option", { value: key, text: name }));
    control.append(...(label ? [el("optgroup", { label }, nodes)] : nodes));
  }
  const write = (key) => {
    control.value = key ?? "";
    control.classList.toggle("is-empty", control.value === "");
  };
  write(chosen);
  const read = () => ({ type: element.type, ...reading(control.value || null) });
  const send = sender(element, where, read);
  control.addEventListener("change", () => {
    control.classList.toggle("is-empty", control.value === "");
    if (control.value !== "") send(control);
  });
  return { node: el("span", { class: "select-box" }, control), read, write: (value) => write(writing(value)) };
}

function staticSelect(element, where) {
  const all = groups(element).flatMap(({ options }) => options);
  return select(element, where, {
    choices: groups(element).map(({ label, options }) => ({
      label,
      options: options.map((option) => ({ key: option.value, name: plain(option.text) })),
    })),
    chosen: element.initial_option?.value,
    reading: (key) => ({ selected_option: all.find((option) => option.value === key) ?? null }),
    writing: (value) => value.selected_option?.value,
  });
}

function idSelect(list, chosenKey, initialKey) {
  return (element, where) => select(element, where, {
    choices: [{ label: null, options: list(where.surface.directory, element).map(({ id, name }) => ({ key: id, name })) }],
    chosen: element[initialKey],
    reading: (key) => ({ [chosenKey]: key }),
    writing: (value) => value[chosenKey],
  });
}

/* ---- some of many ---- */

function checks(element, where, { options, initial, most, kind, reading, writing }) {
  const name = freshId(kind);
  const inputs = options.map(({ key, label, note }) => {
    const input = el("input", { type: kind, name, value: key });
    const words = el("span", { class: "check-words" }, el("span", {}, label), note && el("span", { class: "check-note" }, note));
    return { key, input, row: el("label", { class: "check" }, input, words) };
  });
  const chosen = () => inputs.filter(({ input }) => input.checked).map(({ key }) => key);
  const settle = () => {
    const full = most && chosen().length >= most;
    for (const { input } of inputs) input.disabled = Boolean(full && !input.checked);
  };
  const write = (keys) => {
    for (const { key, input } of inputs) input.checked = keys.includes(key);
    settle();
  };
  write(initial);
  const read = () => ({ type: element.type, ...reading(chosen()) });
  const send = sender(element, where, read);
  const node = el(
    "div",
    { class: "checks", role: kind === "radio" ? "radiogroup" : "group", ...named(element, where) },
    inputs.map(({ row }) => row),
  );
  node.addEventListener("change", ({ target }) => {
    settle();
    send(target);
  });
  return { node, read, write: (value) => write(writing(value)), chosen };
}

function optionLabel(option, directory) {
  const words = (object) => (object?.type === "mrkdwn" ? mrkdwn(object.text, directory) : plain(object));
  return { key: option.value, label: words(option.text), note: option.description && words(option.description) };
}

function boxes(element, where) {
  const options = element.options ?? [];
  return checks(element, where, {
    kind: "checkbox",
    options: options.map((option) => optionLabel(option, where.surface.directory)),
    initial: (element.initial_options ?? []).map(({ value }) => value),
    reading: (keys) => ({ selected_options: options.filter(({ value }) => keys.includes(value)) }),
    writing: (value) => (value.selected_options ?? []).map((option) => option.value),
  });
}

function radios(element, where) {
  const options = element.options ?? [];
  return checks(element, where, {
    kind: "radio",
    options: options.map((option) => optionLabel(option, where.surface.directory)),
    initial: element.initial_option ? [element.initial_option.value] : [],
    reading: (keys) => ({ selected_option: options.find(({ value }) => keys.includes(value)) ?? null }),
    writing: (value) => (value.selected_option ? [value.selected_option.value] : []),
  });
}

/** A folded list of checkboxes whose line says what is chosen. */
function multi(element, where, { options, initial, reading, writing }) {
  const placeholder = plain(element.placeholder) || "Choose some…";
  const inner = checks(element, { ...where, id: undefined, describedBy: undefined, label: placeholder }, {
    kind: "checkbox", options, initial, most: element.max_selected_items, reading, writing,
  });
  const line = el("summary", { class: "select multi-line", ...named(element, where) });
  const node = el("details", { class: "multi" }, line, inner.node);
  const say = () => {
    const names = options.filter(({ key }) => inner.chosen().includes(key)).map(({ name }) => name);
    line.textContent = names.join(", ") || placeholder;
    line.classList.toggle("is-empty", names.length === 0);
  };
  say();
  node.addEventListener("change", say);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    event.preventDefault();
    event.stopPropagation();
    node.open = false;
    line.focus();
  });
  return { node, read: inner.read, write: (value) => {
    inner.write(value);
    say();
  } };
}

function multiStatic(element, where) {
  const all = groups(element).flatMap(({ options }) => options);
  return multi(element, where, {
    options: all.map((option) => ({ key: option.value, label: plain(option.text), name: plain(option.text) })),
    initial: (element.initial_options ?? []).map(({ value }) => value),
    reading: (keys) => ({ selected_options: all.filter(({ value }) => keys.includes(value)) }),
    writing: (value) => (value.selected_options ?? []).map((option) => option.value),
  });
}

function multiIds(list, chosenKey, initialKey) {
  return (element, where) => multi(element, where, {
    options: list(where.surface.directory, element).map(({ id, name }) => ({ key: id, label: name, name })),
    initial: element[initialKey] ?? [],
    reading: (keys) => ({ [chosenKey]: keys }),
    writing: (value) => value[chosenKey] ?? [],
  });
}

/* ---- days and hours ---- */

function picker(type, chosenKey, initialKey) {
  return (element, where) => {
    const input = el("input", { type, class: "input input-short", ...named(element, where) });
    input.value = element[initialKey] ?? "";
    const read = () => ({ type: element.type, [chosenKey]: input.value || null });
    const send = sender(element, where, read);
    input.addEventListener("change", () => input.value && send(input));
    return { node: input, read, write: (value) => (input.value = value[chosenKey] ?? "") };
  };
}

function momentPicker(element, where) {
  const input = el("input", { type: "datetime-local", class: "input input-short", ...named(element, where) });
  const shown = (seconds) => {
    const date = new Date(seconds * 1000);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  };
  const write = (seconds) => (input.value = seconds ? shown(seconds) : "");
  write(element.initial_date_time);
  const read = () => ({
    type: element.type,
    selected_date_time: input.value ? Math.floor(new Date(input.value).getTime() / 1000) : null,
  });
  const send = sender(element, where, read);
  input.addEventListener("change", () => input.value && send(input));
  return { node: input, read, write: (value) => write(value.selected_date_time) };
}

/* ---- files ---- */

/** Files are sent to the workspace when they are chosen, as Slack does; the form holds their ids. */
function fileField(element, where) {
  let chosen = [];
  const most = element.max_files ?? 10;
  const accept = (element.filetypes ?? []).map((kind) => `.${kind}`).join(",");
  const picker = el("input", { type: "file", class: "visually-hidden", multiple: most > 1, accept: accept || null, ...named(element, where), "aria-label": where.label || "Files" });
  const choose = el("button", { type: "button", class: "button", tabindex: -1, "aria-hidden": "true", text: most > 1 ? "Choose files" : "Choose a file", on: { click: () => picker.click() } });
  const list = el("ul", { class: "file-list" });
  const note = el("p", { class: "input-error", role: "alert" });
  const show = () => fill(list, chosen.map((file) => el("li", { class: "composer-chip" }, icon("file"), el("span", { text: file.name }), el("button", {
    type: "button", class: "tool", "aria-label": `Take ${file.name} out`, on: { click: () => {
      chosen = chosen.filter((other) => other !== file);
      show();
    } },
  }, icon("close")))));
  const take = async (files) => {
    picker.value = "";
    note.textContent = files.map(unfit).find(Boolean) ?? (chosen.length + files.length > most ? `Please choose at most ${most} files.` : "");
    if (note.textContent) return;
    for (const file of files) {
      const answer = await api.upload({ user: where.surface.directory.me, ...await packed(file) });
      if (answer.ok) chosen.push(answer.file);
      else note.textContent = answer.message || `${file.name} was not taken (${answer.error}).`;
    }
    show();
  };
  picker.addEventListener("change", () => take([...picker.files]));
  const node = el("div", { class: "file-field" }, picker, choose, el("span", { class: "file-hint", text: " or drop them here" }), list, note);
  droppable(node, take);
  return {
    node,
    read: () => ({ type: element.type, files: chosen }),
    write: (value) => {
      chosen = [...(value.files ?? [])];
      show();
    },
  };
}

function unavailable(sentence, empty) {
  return (element) => ({
    node: el("p", { class: "unshown", text: sentence }),
    read: () => ({ type: element.type, ...empty }),
    write: () => {},
  });
}

const FIELDS = {
  plain_text_input: text,
  email_text_input: text,
  url_text_input: text,
  number_input: text,
  rich_text_input: richInput,
  static_select: staticSelect,
  users_select: idSelect(people, "selected_user", "initial_user"),
  conversations_select: idSelect(conversations, "selected_conversation", "initial_conversation"),
  channels_select: idSelect(conversations, "selected_channel", "initial_channel"),
  multi_static_select: multiStatic,
  multi_users_select: multiIds(people, "selected_users", "initial_users"),
  multi_conversations_select: multiIds(conversations, "selected_conversations", "initial_conversations"),
  multi_channels_select: multiIds(conversations, "selected_channels", "initial_channels"),
  checkboxes: boxes,
  radio_buttons: radios,
  datepicker: picker("date", "selected_date", "initial_date"),
  timepicker: picker("time", "selected_time", "initial_time"),
  datetimepicker: momentPicker,
  external_select: unavailable("Lists that an app fills while one types are not in this sandbox.", { selected_option: null }),
  multi_external_select: unavailable("Lists that an app fills while one types are not in this sandbox.", { selected_options: [] }),
  file_input: fileField,
};
