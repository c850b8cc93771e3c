// The text of a lesson or a level, from the crate's HTML.

import { element } from "./dom.js";
import { highlighted } from "./highlight.js";

/** HTML that the crate has made from the documents, without scripts and other active elements. */
export function parsed(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const code of template.content.querySelectorAll("pre > code.language-g1, pre > code.language-asm")) {
    code.replaceWith(highlighted((code.textContent ?? "").trimEnd()));
  }
  for (const heading of template.content.querySelectorAll("h2")) heading.replaceWith(element("h4", { class: "part" }, ...heading.childNodes));
  for (const table of template.content.querySelectorAll("table")) {
    table.classList.add("plain");
    table.tabIndex = 0; // it can be scrolled
  }
  for (const pre of template.content.querySelectorAll("pre")) pre.tabIndex = 0;
  return template.content;
}
