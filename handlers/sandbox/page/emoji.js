/** The emoji that messages commonly name; any other `:name:` stays as it is written. */

const NAMES = {
  "+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", ok_hand: "👌", clap: "👏", wave: "👋",
  pray: "🙏", muscle: "💪", raised_hands: "🙌", point_right: "👉", point_left: "👈", point_up: "☝️",
  point_down: "👇", eyes: "👀", handshake: "🤝", writing_hand: "✍️", brain: "🧠",
  smile: "😄", smiley: "😃", grinning: "😀", slightly_smiling_face: "🙂", wink: "😉", blush: "😊",
  joy: "😂", heart_eyes: "😍", thinking_face: "🤔", neutral_face: "😐", cry: "😢", sob: "😭",
  sweat_smile: "😅", sunglasses: "😎", partying_face: "🥳", star_struck: "🤩", pensive: "😔",
  confused: "😕", exploding_head: "🤯", shrug: "🤷", facepalm: "🤦", robot_face: "🤖",
  heart: "❤️", tada: "🎉", sparkles: "✨", star: "⭐", star2: "🌟", fire: "🔥", rocket: "🚀",
  zap: "⚡", bulb: "💡", bell: "🔔", no_bell: "🔕", trophy: "🏆", medal: "🏅", gem: "💎", gift: "🎁",
  white_check_mark: "✅", heavy_check_mark: "✔️", ballot_box_with_check: "☑️", x: "❌",
  heavy_plus_sign: "➕", heavy_minus_sign: "➖", warning: "⚠️", no_entry: "⛔", no_entry_sign: "🚫",
  exclamation: "❗", question: "❓", bangbang: "‼️", information_source: "ℹ️", sos: "🆘", new: "🆕",
  red_circle: "🔴", large_blue_circle: "🔵", large_green_circle: "🟢", large_yellow_circle: "🟡",
  white_circle: "⚪", black_circle: "⚫", small_blue_diamond: "🔹", small_orange_diamond: "🔸",
  mag: "🔍", mag_right: "🔎", lock: "🔒", unlock: "🔓", key: "🔑", link: "🔗", pushpin: "📌",
  round_pushpin: "📍", paperclip: "📎", memo: "📝", pencil: "📝", pencil2: "✏️", page_facing_up: "📄",
  clipboard: "📋", books: "📚", book: "📖", bookmark: "🔖", newspaper: "📰", inbox_tray: "📥",
  outbox_tray: "📤", package: "📦", email: "✉️", envelope: "✉️", mailbox: "📫", speech_balloon: "💬",
  calendar: "📆", date: "📅", spiral_calendar_pad: "🗓️", clock1: "🕐", clock9: "🕘", alarm_clock: "⏰",
  hourglass: "⌛", hourglass_flowing_sand: "⏳", stopwatch: "⏱️", chart_with_upwards_trend: "📈",
  chart_with_downwards_trend: "📉", bar_chart: "📊", computer: "💻", desktop_computer: "🖥️",
  keyboard: "⌨️", phone: "☎️", iphone: "📱", wrench: "🔧", hammer: "🔨", gear: "⚙️", bug: "🐛",
  test_tube: "🧪", construction: "🚧", wastebasket: "🗑️", recycle: "♻️", file_folder: "📁",
  mortar_board: "🎓", school: "🏫", office: "🏢", house: "🏠", briefcase: "💼", necktie: "👔",
  bust_in_silhouette: "👤", busts_in_silhouette: "👥", detective: "🕵️", technologist: "🧑‍💻",
  earth_africa: "🌍", earth_americas: "🌎", earth_asia: "🌏", globe_with_meridians: "🌐", round: "🔘",
  arrow_right: "➡️", arrow_left: "⬅️", arrow_up: "⬆️", arrow_down: "⬇️", arrow_forward: "▶️",
  leftwards_arrow_with_hook: "↩️", arrows_counterclockwise: "🔄", coffee: "☕", pizza: "🍕",
  sunrise: "🌅", sunny: "☀️", seedling: "🌱", snake: "🐍", crab: "🦀", "100": "💯",
};

/** @param {string} name without colons, a skin tone after it is let fall @returns {string|null} */
export function emoji(name) {
  const plain = name.split("::")[0];
  return Object.hasOwn(NAMES, plain) ? NAMES[plain] : null;
}
