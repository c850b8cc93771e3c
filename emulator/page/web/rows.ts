// The rows of the board's picture, from the top. `layout.mjs` has found them, and writes this file.

export const ROWS: readonly (readonly string[])[] = [
  ["XMUX", "ALUH", "T", "PORT", "GREEN0-7"],
  ["RSTIN", "PADCOL0-7", "FLAGS", "ALUL", "GDEC"],
  ["SEQ", "TGH", "A", "IODEC", "PMUX"],
  ["OSC", "PADROW0-7", "DEC", "PCH", "DMUX"],
  ["PROGH", "TGL", "RAMH", "KMUX", "RED0-7"],
  ["KEYS0-6", "PCL", "PROGL", "RAML", "RDEC"],
];
