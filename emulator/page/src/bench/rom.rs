//! A ROM that is rewired: its cells and formulas follow its lines.

use gray1_machine::board::Chip;
use gray1_machine::burn::Burn;
use gray1_machine::names;

/// The longest line that is written.
const WIDTH: usize = 120;
/// The number of cells in a line, if one is too short for all.
const CELLS: usize = 16;

/// A ROM that can be changed.
#[derive(Clone)]
pub struct Rom {
    pub name: String,
    pub part: String,
    pub address: Vec<String>,
    pub data: Vec<String>,
    pub burn: Contents,
}

/// Its contents.
#[derive(Clone)]
pub enum Contents {
    Cells(Vec<u8>),
    Formulas(Vec<String>),
}

impl Rom {
    /// A chip of the text, if it is a ROM with cells or formulas.
    pub fn of(chip: &Chip) -> Option<Rom> {
        let Chip::Rom { name, part, burn, address, data } = chip else { return None };
        let burn = match burn {
            Burn::Cells(cells) => Contents::Cells(cells.clone()),
            Burn::Formula(formulas) => Contents::Formulas(formulas.texts().to_vec()),
            _ => return None,
        };
        let [address, data] = [address, data].map(|lines| lines.names().to_vec());
        Some(Rom { name: name.clone(), part: part.clone(), address, data, burn })
    }

    /// Puts other nets on its lines. Lines that stay keep their meaning; a new one makes no difference yet.
    pub fn rewire(&mut self, address: Vec<String>, data: Vec<String>) {
        let [addresses, outputs] = [places(&self.address, &address), places(&self.data, &data)];
        match &mut self.burn {
            Contents::Cells(cells) => {
                let old = |new: usize| {
                    let bits = addresses.iter().enumerate();
                    bits.fold(0, |old, (line, place)| old | place.map_or(0, |place| new >> place & 1) << line)
                };
                let moved = |cell: u8| {
                    let bits = outputs.iter().enumerate();
                    bits.fold(0, |new, (line, place)| {
                        new | place.map_or(0, |place| (cell >> line & 1) << place)
                    })
                };
                let cell = |new| cells.get(old(new)).map_or(0, |&cell| moved(cell));
                *cells = (0..1usize << address.len().min(20)).map(cell).collect();
            }
            Contents::Formulas(formulas) => {
                if address.len() == self.address.len() {
                    for (old, new) in self.address.iter().zip(&address) {
                        if old != new && !address.contains(old) {
                            formulas.iter_mut().for_each(|text| rename(text, old, new, false));
                        }
                    }
                }
                for (line, old) in self.data.iter().enumerate() {
                    match outputs[line].map(|place| &data[place]) {
                        Some(new) if new != old => {
                            formulas.iter_mut().for_each(|text| rename(text, old, new, true));
                        }
                        Some(_) => {}
                        None => formulas.retain(|text| target(text) != old),
                    }
                }
                for (place, new) in data.iter().enumerate() {
                    let is_given = |text: &String| [new.as_str(), stem(new)].contains(&target(text));
                    if !outputs.contains(&Some(place)) && !formulas.iter().any(is_given) {
                        formulas.push(format!("{new} = 0"));
                    }
                }
            }
        }
        (self.address, self.data) = (address, data);
    }

    /// The ROM in the syntax of board files, indented by this many spaces.
    pub fn text(&self, indent: usize) -> String {
        let Rom { name, part, address, data, burn } = self;
        let [address, data] = [address, data].map(|nets| names::runs(nets).join(" "));
        let head = format!("Rom(name: {name:?}, part: {part:?}, address: {address:?}, data: {data:?},");
        let (kind, items): (&str, Vec<String>) = match burn {
            Contents::Cells(cells) => ("Cells", cells.iter().map(u8::to_string).collect()),
            Contents::Formulas(formulas) => {
                ("Formula", formulas.iter().map(|text| format!("{text:?}")).collect())
            }
        };
        let burn = format!("burn: {kind}([{}])),", items.join(", "));
        let burn = burn.trim_end_matches(',');
        let short = format!("{head} {burn}");
        let spaces = |more: usize| " ".repeat(indent + more);
        if indent + short.len() < WIDTH {
            short
        } else if indent + 4 + burn.len() < WIDTH {
            format!("{head}\n{}{burn}", spaces(4))
        } else {
            let lines = items.chunks(if kind == "Cells" { CELLS } else { 1 });
            let lines: String = lines.map(|line| format!("{}{},\n", spaces(8), line.join(", "))).collect();
            format!("{head}\n{0}burn: {kind}([\n{lines}{0}]))", spaces(4))
        }
    }
}

/// For each old line, where it is among the new ones: at its place, if there are as many, or else by its name.
fn places(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    if old.len() == new.len() {
        return (0..old.len()).map(Some).collect();
    }
    let mut left: Vec<Option<&String>> = new.iter().map(Some).collect();
    let place = |name: &String| {
        let place = left.iter().position(|other| *other == Some(name))?;
        left[place] = None;
        Some(place)
    };
    old.iter().map(place).collect()
}

/// The name before the `=` of a formula.
fn target(formula: &str) -> &str {
    formula.split('=').next().unwrap_or_default().trim()
}

/// A name without its number.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Replaces a name in a formula, before its `=` or behind it.
fn rename(formula: &mut String, old: &str, new: &str, is_target: bool) {
    let Some((before, after)) = formula.split_once('=') else { return };
    *formula = match is_target {
        true if before.trim() == old => format!("{new} ={after}"),
        true => return,
        false => format!("{before}={}", renamed(after, old, new)),
    };
}

fn renamed(text: &str, old: &str, new: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut made = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let length = rest[start..].find(|c| !is_part(c)).unwrap_or(rest.len() - start);
        let word = &rest[start..start + length];
        made += &rest[..start];
        made += if word == old { new } else { word };
        rest = &rest[start + length..];
    }
    made + rest
}
