// What wasm-bindgen makes of the crate; the bundler puts its file in the place of this name.

declare module "gray1-engine" {
  /** Makes the machine from the bytes of the WebAssembly. */
  export default function start(options: { module_or_path: ArrayBuffer }): Promise<unknown>;

  /** What the last panic had to say; after one, nothing else must be called. */
  export function last_panic(): string;

  /** Panics with this text. */
  export function panic_with(text: string): void;

  export class Page {
    constructor();
    /** Answers a request; both are JSON. */
    ask(request: string): string;
    /** The bytes that the last answer has announced. */
    take(): Uint8Array<ArrayBuffer>;
  }
}
