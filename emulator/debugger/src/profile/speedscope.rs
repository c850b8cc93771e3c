//! A profile for <https://www.speedscope.app>: the cycles of each sequence of calls.

use crate::profile::counts::{Profile, Stack};
use serde::Serialize;

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: &'a str,
    exporter: &'static str,
    shared: Shared<'a>,
    profiles: [Sampled<'a>; 1],
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<FrameOf<'a>>,
}

#[derive(Serialize)]
struct FrameOf<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sampled<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    samples: Vec<&'a [usize]>,
    weights: Vec<u64>,
}

impl Profile {
    /// The profile as a file for Speedscope. `name` is that of the program. Each sequence of calls is one sample, in the
    /// order in which they were first reached, and its weight is the number of cycles in the last of its calls.
    pub fn speedscope(&self, name: &str) -> String {
        let frames = self.routines.iter().map(|routine| {
            let place = routine.source.as_deref().and_then(|source| source.rsplit_once(':'));
            FrameOf {
                name: &routine.name,
                file: place.map(|(file, _)| file),
                line: place.and_then(|(_, line)| line.parse().ok()),
            }
        });
        let stacks = || self.stacks.iter();
        let file = File {
            schema: "https://www.speedscope.app/file-format-schema.json",
            name,
            exporter: "gray1",
            shared: Shared { frames: frames.collect() },
            profiles: [Sampled {
                kind: "sampled",
                name,
                unit: "none",
                start_value: 0,
                end_value: self.cycles,
                samples: stacks().map(|Stack { routines, .. }| &**routines).collect(),
                weights: stacks().map(|stack| stack.cycles).collect(),
            }],
        };
        // Serialising plain data into memory cannot fail.
        serde_json::to_string(&file).map(|text| text + "\n").unwrap_or_default()
    }
}
