//! The segments of the run without a fault in which a fault would act: those in which it may change a lookup or an LED.
//!
//! A segment too many costs time; one too few would give wrong results. So they are derived from the same effects that
//! the machine with the fault has.

use crate::faults::effect::{Effect, Segments};
use crate::faults::fault::Fault;
use crate::faults::reference::Reference;
use gray1_machine::wires::{Bit, Data};

impl Reference<'_> {
    /// The segments in which a fault may change a lookup or an LED.
    pub(crate) fn acts(&self, fault: Fault) -> Segments {
        let effects = Effect::all(self.circuit, fault);
        effects
            .iter()
            .fold(0, |set, effect| set | self.looks(effect) | self.gives(effect) | self.darkens(effect))
    }

    /// The segments in which the affected bank is looked up and gives other data, or RAM takes or gives other data.
    fn looks(&self, effect: &Effect) -> Segments {
        let Some(bank) = effect.looks else { return 0 };
        match self.circuit.rom(bank) {
            Some(cells) => self.log.looked_at(bank, |address| {
                effect.rom_data(self.circuit, bank, address) != Some(cells[address as usize])
            }),
            None => effect.sees.changes(|line, level| self.log.looked_with(bank, line, level)),
        }
    }

    /// The segments in which the output of the affected banks has levels that the fault changes.
    fn gives(&self, effect: &Effect) -> Segments {
        let bank = effect.gives.trailing_zeros() as usize;
        let at = |line, level| self.log.at(Bit { bank, bit: line as u32 }, level);
        // A line has to have risen before it can fail to fall.
        let kept = (0..Data::BITS as usize).filter(|line| effect.keeps >> line & 1 == 1);
        let kept = kept.fold(0, |set, line| set | at(line, true));
        effect.held.changes(at) | kept | effect.joined.map_or(0, |joined| self.log.differ(joined.ends))
    }

    /// The segments in which an LED is lit that is dark with the fault.
    fn darkens(&self, effect: &Effect) -> Segments {
        let rows = self.circuit.pack.panel.display.iter().take(16).enumerate();
        let leds = rows.flat_map(|(row, outlet)| {
            outlet
                .latch
                .bits()
                .iter()
                .take(8)
                .enumerate()
                .map(move |(column, line)| (8 * row + column, *line, outlet.inverted))
        });
        let dark = leds.filter(|(led, ..)| effect.dark >> led & 1 == 1);
        dark.fold(0, |set, (_, line, inverted)| set | self.log.at(line, !inverted))
    }
}
