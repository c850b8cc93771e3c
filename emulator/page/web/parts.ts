// The parts of the page other than its script: the worker and the WebAssembly. The single-file page contains them packed,
// since a page that was opened from a disk may not fetch files; in the folder they are files beside it.

import { inflated, packed } from "./packed.js";

/** The names of files of the folder, which the bundler puts in. */
declare const WORKER: string;
declare const WASM: string;

export async function makeWorker(): Promise<Worker> {
  const inside = packed("worker");
  if (!inside) return new Worker(WORKER);
  const url = URL.createObjectURL(new Blob([await inflated(inside)], { type: "text/javascript" }));
  const worker = new Worker(url);
  // After its first message the worker has read its script, so the URL is no longer needed.
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

/** The WebAssembly; packed as it is in the single file, since the worker has the time to unpack it. */
export const wasm = async () => packed("machine") ?? (await fetched(WASM));

/** The licences of what the page contains. */
export async function licences(): Promise<string> {
  const inside = packed("licences");
  return inside ? inflated(inside) : new TextDecoder().decode(await fetched("licences.txt"));
}

async function fetched(file: string): Promise<ArrayBuffer> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** The program that was placed in the page, if there is one. */
export function placed(): unknown {
  return JSON.parse(document.getElementById("program")?.textContent || "null");
}
