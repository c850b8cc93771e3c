// The start of the single-file page: unpacks the script of the page, and runs it.

import { unpacked } from "./packed.js";

void unpacked("page").then((script) => {
  const made = document.createElement("script");
  made.textContent = new TextDecoder().decode(script ?? new ArrayBuffer(0));
  document.body.append(made);
});
