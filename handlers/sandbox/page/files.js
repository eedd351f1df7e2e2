/** Files on their way from this computer into the workspace. */

/** Bytes that the sandbox takes in one file: a little more than the bot does, so that it can refuse. */
const LARGEST = 25 * 1024 * 1024;

/** @returns {string|null} why a file cannot be sent */
export function unfit(file) {
  return file.size > LARGEST ? `${file.name} is larger than 25 MB, which is the most this sandbox takes.` : null;
}

/** @returns {Promise<{name: string, base64: string}>} the file as the server takes it */
export async function packed(file) {
  const address = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
  return { name: file.name, base64: address.slice(address.indexOf(",") + 1) };
}

/** Calls `take` with the files that are dropped on `target`; shows that they may be. */
export function droppable(target, take) {
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  target.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    target.classList.add("is-dropping");
  });
  target.addEventListener("dragleave", (event) => {
    if (!target.contains(event.relatedTarget)) target.classList.remove("is-dropping");
  });
  target.addEventListener("drop", (event) => {
    target.classList.remove("is-dropping");
    if (!carries(event)) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}
