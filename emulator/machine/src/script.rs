//! Input scripts: pads and keys pressed at given cycles.

use crate::ron_text::{SyntaxError, read};
use crate::state::Inputs;
use gray1_isa::memory_map::{DISPLAY_SIZE, KEY_NAMES};
use ron::extensions::Extensions;
use serde::{Deserialize, Deserializer};

/// Inputs by cycle. An event is in effect from the start of its cycle until another event changes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The inputs from each of these cycles on; the cycles ascend.
    changes: Vec<(u64, Inputs)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    at: u64,
    /// Absent: the pad stays as it is. `None`: it is released.
    #[serde(default, deserialize_with = "present")]
    pad: Option<Option<Pad>>,
    /// Absent: the keys stay as they are.
    #[serde(default)]
    keys: Option<Keys>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pad {
    row: Coordinate,
    col: Coordinate,
}

#[derive(Deserialize)]
#[serde(try_from = "u64")]
struct Coordinate(u8);

/// A set of keys, one bit each.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Keys(u8);

impl Script {
    /// Reads a script: `[(at: 1000, pad: Some((row: 2, col: 3))), (at: 2500, keys: ["left", "a"])]`.
    pub fn from_ron(text: &str) -> Result<Script, SyntaxError> {
        let mut events: Vec<Event> = read(text, 8, Extensions::IMPLICIT_SOME)?;
        events.sort_by_key(|event| event.at);
        let mut inputs = Inputs::default();
        let mut changes: Vec<(u64, Inputs)> = Vec::new();
        for event in events {
            if let Some(pad) = event.pad {
                inputs.pad = pad.map(|pad| (pad.row.0, pad.col.0));
            }
            if let Some(Keys(keys)) = event.keys {
                inputs.keys = keys;
            }
            changes.push((event.at, inputs));
        }
        Ok(Script { changes })
    }

    /// A script with these inputs from each of these cycles on; the cycles must ascend.
    pub fn of(changes: Vec<(u64, Inputs)>) -> Script {
        Script { changes }
    }

    /// The text of a script; parsing it gives the same script.
    pub fn to_ron(&self) -> String {
        let event = |(at, inputs): &(u64, Inputs)| {
            let pad = inputs
                .pad
                .map_or("None".to_owned(), |(row, column)| format!("Some((row: {row}, col: {column}))"));
            let keys = KEY_NAMES.iter().zip(0..).filter(|(_, bit)| inputs.keys >> bit & 1 == 1);
            let keys: Vec<String> = keys.map(|(name, _)| format!("{name:?}")).collect();
            format!("    (at: {at}, pad: {pad}, keys: [{}]),\n", keys.join(", "))
        };
        format!("[\n{}]\n", self.changes.iter().map(event).collect::<String>())
    }

    /// The cycles of the events.
    pub fn cycles(&self) -> impl Iterator<Item = u64> {
        self.changes.iter().map(|(at, _)| *at)
    }

    /// The inputs during a cycle.
    pub fn inputs_at(&self, cycle: u64) -> Inputs {
        let events = self.changes.partition_point(|&(at, _)| at <= cycle);
        events.checked_sub(1).map_or(Inputs::default(), |last| self.changes[last].1)
    }

    /// The cycle of the first event after this cycle.
    pub fn next_change(&self, cycle: u64) -> Option<u64> {
        let events = self.changes.partition_point(|&(at, _)| at <= cycle);
        self.changes.get(events).map(|&(at, _)| at)
    }
}

/// Distinguishes a field that is present from one that is absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Pad>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl TryFrom<u64> for Coordinate {
    type Error = String;

    fn try_from(value: u64) -> Result<Coordinate, String> {
        match u8::try_from(value) {
            Ok(value) if usize::from(value) < DISPLAY_SIZE => Ok(Coordinate(value)),
            _ => Err(format!("{value} is not a row or column: they are 0 to 7, from the top left")),
        }
    }
}

impl TryFrom<Vec<String>> for Keys {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Keys, String> {
        names
            .iter()
            .try_fold(0, |keys, name| match KEY_NAMES.iter().position(|key| key == name) {
                Some(bit) => Ok(keys | 1 << bit),
                None => Err(format!("`{name}` is not a key; the keys are {}", KEY_NAMES.join(", "))),
            })
            .map(Keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let changes = (0..200).map(|at| {
            let pad = (at % 3 > 0).then_some(((at / 8 % 8) as u8, (at % 8) as u8));
            (at * at, Inputs { pad, keys: at as u8 & 0x7F })
        });
        let script = Script::of(changes.collect());
        assert_eq!(Script::from_ron(&script.to_ron()), Ok(script));
        assert_eq!(Script::from_ron(&Script::default().to_ron()), Ok(Script::default()));
    }

    #[test]
    fn an_event_holds_until_another_changes_it() {
        let script = Script::from_ron(
            r#"[(at: 1000, pad: Some((row: 2, col: 3))), (at: 2000, pad: None), (at: 2500, keys: ["left", "a"]),
                (at: 2600, pad: (row: 7, col: 0)), (at: 3000, keys: [])]"#,
        )
        .unwrap();
        let cases = [
            (0, None, 0),
            (999, None, 0),
            (1000, Some((2, 3)), 0),
            (1999, Some((2, 3)), 0),
            (2000, None, 0),
            (2500, None, 0b10001),
            (2600, Some((7, 0)), 0b10001),
            (3000, Some((7, 0)), 0),
            (u64::MAX, Some((7, 0)), 0),
        ];
        for (cycle, pad, keys) in cases {
            assert_eq!(script.inputs_at(cycle), Inputs { pad, keys }, "cycle {cycle}");
        }
        assert_eq!(script.next_change(0), Some(1000));
        assert_eq!(script.next_change(1000), Some(2000));
        assert_eq!(script.next_change(3000), None);
        assert_eq!(script.inputs_at(1000).pad_column(), 0b1000);
        assert_eq!(script.inputs_at(1000).pad_row(), 0b100);
    }

    #[test]
    fn faults_have_a_place() {
        let cases = [
            ("[(at: 1, pad: Some((row: 8, col: 0)))]", "1:", "8 is not a row or column"),
            ("[\n  (at: 1, keys: [\"left\", \"fire\"]),\n]", "2:", "`fire` is not a key"),
            ("[(at: -1)]", "1:", ""),
            ("[(at: 1, key: [])]", "1:", "key"),
            ("[(at: 1", "1:", ""),
            ("", "1:1", ""),
        ];
        for (text, place, message) in cases {
            let error = Script::from_ron(text).expect_err(text).to_string();
            assert!(error.starts_with(place) && error.contains(message), "{text}: {error}");
        }
    }
}
