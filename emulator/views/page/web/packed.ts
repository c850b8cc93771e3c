// What the bundler has packed into the single file: gzip, as base64.

/** A packed part of the page; `null` if the page does not contain it. */
export async function unpacked(id: string): Promise<ArrayBuffer | null> {
  const text = document.getElementById(id)?.textContent;
  if (!text) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
