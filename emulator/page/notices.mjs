// The licences of what the page contains: crates, npm packages, and Rust's standard library. Each text stands once, below the
// packages that have it, each with its own lines of copyright.

import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A package, and the folder that contains its licence. */
async function crates() {
  const cargo = (...options) => execFileSync("cargo", options, { encoding: "utf8", maxBuffer: 1 << 28 });
  const used = ["--package", "gray1-page", "--edges", "normal,no-proc-macro", "--target", "wasm32-unknown-unknown"];
  const tree = cargo("tree", "--quiet", "--locked", ...used, "--prefix", "none", "--format", "{p}");
  const names = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(cargo("metadata", "--locked", "--filter-platform", "wasm32-unknown-unknown", "--format-version", "1"));
  return packages
    .filter(({ name, version, source }) => source && names.has(`${name} v${version}`))
    .map(({ name, version, license, authors, manifest_path }) => ({ name, version, license, authors, folder: dirname(manifest_path) }));
}

/** The packages that these files, the bundler's inputs, belong to. */
async function npmPackages(inputs) {
  const folders = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean));
  return Promise.all(
    [...folders].map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      return { name, version, license, authors: [], folder };
    }),
  );
}

/** The text of its licence: of MIT, if it can be chosen. */
async function licence({ license, folder }) {
  const files = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
  const file = files.find((file) => /mit/i.test(file)) ?? files[0];
  if (!file) return `Licence: ${license}`;
  return (await readFile(join(folder, file), "utf8")).replaceAll("\r", "").trim();
}

/** All notices, as text. `inputs` are the files that the bundler has read, with their paths. */
export async function notices(inputs) {
  const standard = { name: "Rust's standard library", version: "", license: "MIT OR Apache-2.0", authors: ["The Rust Project Contributors"], text: "" };
  const found = await Promise.all([...(await crates()), ...(await npmPackages(inputs))].map(async (one) => ({ ...one, text: await licence(one) })));
  standard.text = found.find(({ name }) => name === "serde").text;
  const groups = new Map();
  for (const { name, version, license, authors, text } of [...found, standard]) {
    const isCopyright = (line) => /^\s*copyright\b/i.test(line);
    const lines = text.split("\n");
    const owners = lines.filter(isCopyright).map((line) => line.trim());
    const body = lines.filter((line) => !isCopyright(line) && !/^#* *(the )?mit license( \(mit\))?$/i.test(line.trim())).join("\n").trim();
    const key = body.replaceAll(/\s+/g, " ");
    if (!groups.has(key)) groups.set(key, { body, packages: [] });
    const by = owners.length ? owners : authors.length ? [`by ${authors.map((author) => author.replace(/ <.*/, "")).join(", ")}`] : [];
    groups.get(key).packages.push([`${name} ${version}`.trim() + ` (${license})`, ...by.map((line) => `    ${line}`)].join("\n"));
  }
  const parts = [...groups.values()].map(({ body, packages }) => `${[...new Set(packages)].sort().join("\n")}\n\n${body}\n`);
  return parts.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join(`\n${"-".repeat(80)}\n\n`);
}
