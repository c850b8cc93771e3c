//! A stage of bringing up a machine, as data.

use serde::Serialize;

/// A stage.
#[derive(Clone, Debug, Serialize)]
pub struct BringUpStage {
    /// Its number in the guide.
    pub number: usize,
    /// Its title.
    pub title: String,
    /// Instructions, and possible pitfalls.
    pub about: String,
    /// The chips to insert; none for the first stage, in which everything else is soldered.
    pub insert: Vec<String>,
    /// Steps before the measurements.
    pub steps: Vec<String>,
    /// The measurements.
    pub measurements: Vec<Measurement>,
    /// The wrong measurements that single faults lead to, in the order in which to look for them.
    pub symptoms: Vec<Symptom>,
    /// The number of faults that were tried.
    pub tried: usize,
    /// The number of faults that change no measurement.
    pub unseen: usize,
}

/// A measurement, on the pin of the chip that drives a net.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// The net.
    pub net: String,
    /// The pin: `PCL pin 13`.
    pub at: String,
    /// The expected levels, in words.
    pub expected: String,
}

/// A wrong measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Symptom {
    /// The first net that is wrong.
    pub net: String,
    /// Its levels, in words.
    pub shows: String,
    /// The faults that lead to it, pin by pin.
    pub causes: String,
}
