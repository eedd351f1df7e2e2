/** Building the page out of nodes: text only ever becomes text nodes. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [props] `class`, `on` (listeners), `data`, `text`; the rest are
 *   attributes: `true` is present, `false`, `null` and `undefined` are absent
 * @param {...(Node|string|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(node.dataset, value);
    } else if (name === "text") {
      node.textContent = String(value);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...present(children));
  return node;
}

/** The children that are there, nested lists flattened. */
export function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Makes `parent` hold exactly `children`, moving nothing that already stands right. */
export function fill(parent, children) {
  let at = parent.firstChild;
  for (const child of present(children)) {
    const node = child instanceof Node ? child : document.createTextNode(child);
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

let counter = 0;

/** An id no other element of this page has. */
export function freshId(stem) {
  counter += 1;
  return `${stem}-${counter}`;
}

/** Whether the layout is the one of a phone (the same width as in layout.css). */
export function isNarrow() {
  return window.matchMedia("(max-width: 760px)").matches;
}
