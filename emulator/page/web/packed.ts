// The parts that the bundler has packed into the single file, in base 85. Scripts and texts are deflated, which the browser
// inflates without blocking the page; the WebAssembly is compressed with LZMA, a quarter smaller, and unpacked by the worker.

import { fromLzma } from "./lzma.js";

/** A packed part of the page; `null` if the page does not contain it. */
export const packed = (id: string): string | null => document.getElementById(id)?.textContent || null;

/** The text of a deflated part; an error if it is damaged. */
export function inflated(part: string): Promise<string> {
  return new Response(new Blob([fromBase85(part)]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

/** The content of a part compressed with LZMA; an error if it is damaged. */
export const unpacked = (part: string): Uint8Array<ArrayBuffer> => fromLzma(fromBase85(part));

/** Four bytes for five characters, `*` to `~`, with `!` in place of `<`; the last of them may stand for fewer. */
function fromBase85(text: string): Uint8Array<ArrayBuffer> {
  const whole = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let at = 0; at < whole.byteLength; at += 4) {
    let value = 0;
    for (let place = (at / 4) * 5, end = place + 5; place < end; place++) {
      const code = place < text.length ? text.charCodeAt(place) : 126;
      value = value * 85 + (code === 33 ? 60 : code) - 42;
    }
    whole.setUint32(at, value);
  }
  return new Uint8Array(whole.buffer, 0, Math.floor((text.length * 4) / 5));
}
