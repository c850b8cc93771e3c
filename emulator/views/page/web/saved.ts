// A page that was saved by the browser contains what it had made; it begins without that. The elements of the class `first`
// are in the file itself: they are shown until there is a machine.

export function clearMade(): void {
  for (const made of document.querySelectorAll("[data-made]")) made.replaceChildren(...made.querySelectorAll(":scope > .first"));
  for (const shown of document.querySelectorAll<HTMLElement>("#banner, #changes, #busy, .menu, #tour-card")) shown.hidden = true;
  for (const opened of document.querySelectorAll("dialog[open]")) opened.removeAttribute("open");
  document.body.classList.remove("benching");
}
