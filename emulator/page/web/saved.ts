// Cleans up a page that the browser has saved together with its generated elements. Elements of the class `first` stay: they
// are part of the file, and shown until there is a machine.

export function clearMade(): void {
  for (const made of document.querySelectorAll("[data-made]")) made.replaceChildren(...made.querySelectorAll(":scope > .first"));
  for (const shown of document.querySelectorAll<HTMLElement>("#banner, #changes, #busy, .menu, #tour-card")) shown.hidden = true;
  for (const opened of document.querySelectorAll("dialog[open]")) opened.removeAttribute("open");
  document.body.classList.remove("benching");
}
