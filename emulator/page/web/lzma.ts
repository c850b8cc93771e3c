// Unpacks LZMA, which is a quarter smaller than gzip, for the parts of the single-file page. A stream has a header of 13
// bytes, as files `.lzma` have: properties, the size of the dictionary, and the size of the content. It ends with a mark.
//
// A range coder decides about each bit by a chance that is learned on the way. Which chance that is depends on what came
// before: there are lengths and distances of copies, and bytes.

/** Where the chances of each kind of decision begin. */
const IS_COPY = 0; // 12 states, 16 places
const IS_REPEAT = 192;
const REPEATS_OTHER = 204;
const REPEATS_THIRD = 216;
const REPEATS_FOURTH = 228;
const IS_LONGER = 240; // 12 states, 16 places
const SLOT = 432; // 4 lengths, 64 slots
const DISTANCE = 688;
const ALIGN = 816;
const LENGTH = 832; // two decisions, 16 x 8 short, 16 x 8 middle, 256 long
const REPEAT_LENGTH = 1346;
const BYTE = 1860; // 0x300 for each context

/** The content; an error if the stream is damaged or incomplete. */
export function fromLzma(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = new DataView(packed.buffer, packed.byteOffset, 18);
  const properties = header.getUint8(0);
  const contextBits = properties % 9;
  const lowMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
  const placeMask = (1 << Math.floor(properties / 45)) - 1;
  const out = new Uint8Array(header.getUint32(5, true));
  const chances = new Uint16Array(BYTE + ((0x300 * (lowMask + 1)) << contextBits)).fill(1024);
  let at = 18;
  /** The code and the range, 32 bits each: in an array, since a number in a closure is at its fastest below 31 bits. */
  const coder = Uint32Array.of(header.getUint32(14), 0xffffffff);

  const set = (code: number, range: number) => {
    coder[0] = range < 0x1000000 ? (code << 8) | (packed[at++] ?? 0) : code;
    coder[1] = range < 0x1000000 ? range << 8 : range;
  };
  const bit = (which: number) => {
    const code = coder[0] ?? 0;
    const range = coder[1] ?? 0;
    const chance = chances[which] ?? 0;
    const bound = (range >>> 11) * chance;
    if (code < bound) {
      chances[which] = chance + ((2048 - chance) >> 5);
      set(code, bound);
      return 0;
    }
    chances[which] = chance - (chance >> 5);
    set(code - bound, range - bound);
    return 1;
  };
  /** A number whose highest bit comes first, with a chance for each beginning. */
  const number = (base: number, bits: number) => {
    let tree = 1;
    for (let k = 0; k < bits; k++) tree = (tree << 1) | bit(base + tree);
    return tree - (1 << bits);
  };
  /** The same from the lowest bit on. */
  const reversed = (base: number, bits: number) => {
    let [tree, value] = [1, 0];
    for (let k = 0; k < bits; k++) {
      const next = bit(base + tree);
      tree = (tree << 1) | next;
      value |= next << k;
    }
    return value;
  };
  /** Bits that are as likely as not. */
  const even = (bits: number) => {
    let value = 0;
    for (let k = 0; k < bits; k++) {
      const code = coder[0] ?? 0;
      const half = (coder[1] ?? 0) >>> 1;
      value = value * 2 + (code < half ? 0 : 1);
      set(code < half ? code : code - half, half);
    }
    return value;
  };
  const length = (base: number, place: number) => {
    if (!bit(base)) return 2 + number(base + 2 + place * 8, 3);
    if (!bit(base + 1)) return 10 + number(base + 130 + place * 8, 3);
    return 18 + number(base + 258, 8);
  };
  const distanceOf = (long: number) => {
    const slot = number(SLOT + Math.min(long - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + reversed(DISTANCE + start - slot - 1, bits);
    return start + even(bits - 4) * 16 + reversed(ALIGN, 4);
  };

  let [position, state] = [0, 0];
  /** How far back the latest four copies began, less one. */
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (;;) {
    if (position > out.length) throw new Error("the file is damaged");
    const place = position & placeMask;
    if (!bit(IS_COPY + state * 16 + place)) {
      const before = (out[position - 1] ?? 0) >> (8 - contextBits);
      const base = BYTE + 0x300 * (((position & lowMask) << contextBits) + before);
      let symbol = 1;
      if (state >= 7) {
        // After a copy the next byte is likely not to be the one that would have continued it.
        let other = out[position - first - 1] ?? 0;
        while (symbol < 0x100) {
          const expected = (other >> 7) & 1;
          other <<= 1;
          const next = bit(base + ((1 + expected) << 8) + symbol);
          symbol = (symbol << 1) | next;
          if (next !== expected) break;
        }
      }
      while (symbol < 0x100) symbol = (symbol << 1) | bit(base + symbol);
      out[position++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let long = 1;
    if (!bit(IS_REPEAT + state)) {
      [fourth, third, second] = [third, second, first];
      long = length(LENGTH, place);
      first = distanceOf(long);
      if (first === 0xffffffff) break;
      state = state < 7 ? 7 : 10;
    } else {
      const isOther = bit(REPEATS_OTHER + state);
      if (isOther) {
        if (!bit(REPEATS_THIRD + state)) [first, second] = [second, first];
        else if (!bit(REPEATS_FOURTH + state)) [first, second, third] = [third, first, second];
        else [first, second, third, fourth] = [fourth, first, second, third];
      }
      // A repeat of the latest distance may be for one byte only.
      if (isOther || bit(IS_LONGER + state * 16 + place)) {
        long = length(REPEAT_LENGTH, place);
        state = state < 7 ? 8 : 11;
      } else {
        state = state < 7 ? 9 : 11;
      }
    }
    if (first >= position) throw new Error("the file is damaged");
    for (const end = position + long; position < end; position++) out[position] = out[position - first - 1] ?? 0;
  }
  // The code of a stream that is as it was written ends with 0.
  if (coder[0] !== 0 || position !== out.length) throw new Error("the file is damaged");
  return out;
}
