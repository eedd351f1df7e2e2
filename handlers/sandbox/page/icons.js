/** Line icons on a 20 × 20 grid, drawn here so that the page loads nothing from elsewhere. */

const PATHS = {
  hash: "M4 7.500h12M4 12.500h12M8.5 3.500l-2 13M13.5 3.500l-2 13",
  lock: "M5.5 9h9v7.500h-9zM7.5 9V6.500a2.5 2.5 0 0 1 5 0V9",
  shared: "M7 13.5 13 6.500M5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM13.5 15.500h3M15 14v3",
  eye: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM10 12.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z",
  close: "M5 5l10 10M15 5 5 15",
  back: "M12 4.5 6.5 10l5.5 5.5",
  menu: "M3.5 5.500h13M3.5 10h13M3.5 14.500h13",
  send: "M3.5 10 16.5 4l-3.5 12-3.5-5zM9.5 11l7-7",
  thread: "M3.5 4.500h13v9h-7l-3.5 3v-3h-2.500zM7 8h6M7 10.500h4",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  down: "M5 8l5 5 5-5",
  sun: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.500v2M10 15.500v2M2.5 10h2M15.5 10h2M4.7 4.700l1.4 1.400M13.9 13.900l1.4 1.400M15.3 4.700l-1.4 1.400M6.1 13.900l-1.4 1.4",
  moon: "M16 11.500A6.5 6.5 0 1 1 8.5 4a5.2 5.2 0 0 0 7.5 7.500z",
  warn: "M10 3.5 17.5 16.500h-15zM10 8.500v3.500M10 14.200h.01",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9v4.500M10 6.500h.01",
  slash: "M13 3.5 7 16.5",
  at: "M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM13 7v4a2 2 0 0 0 4 0v-1a7 7 0 1 0-3 5.7",
  clip: "M15.5 9.5l-5.5 5.500a3.5 3.5 0 0 1-5-5l6-6a2.3 2.3 0 0 1 3.3 3.300l-6 6a1.2 1.2 0 0 1-1.7-1.700l5.4-5.4",
  file: "M5.5 3.500h6l3.5 3.500v9.500h-9.500zM11.5 3.500v3.500h3.500M8 10.500h4.500M8 13h4.5",
  check: "M4.5 10.500l3.5 3.5 7.5-8",
  search: "M9 14.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4",
  image: "M3.5 4.500h13v11h-13zM3.5 13l3.5-3.5 3 3 2.5-2.5 4 4M13 8h.01",
  home: "M3.5 9.5 10 4l6.5 5.500M5.5 8.500v7.500h9V8.5",
  chat: "M3.5 4.500h13v9h-7l-3.5 3v-3h-2.500z",
};

/** @param {keyof typeof PATHS} name @returns {SVGElement} hidden from screen readers */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
