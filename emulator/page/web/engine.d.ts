// The types of the code that wasm-bindgen generates from the crate; the bundler replaces this module by that code.

declare module "gray1-engine" {
  /** Makes the machine from the bytes of the WebAssembly. */
  export default function start(options: { module_or_path: BufferSource }): Promise<unknown>;

  /** The message of the last panic. After a panic no other function may be called. */
  export function last_panic(): string;

  /** Panics with this text. */
  export function panic_with(text: string): void;

  export class Page {
    constructor();
    /** Answers a request; both are JSON. */
    ask(request: string): string;
    /** Takes the bytes that the last answer has announced. */
    take(): Uint8Array<ArrayBuffer>;
  }
}
