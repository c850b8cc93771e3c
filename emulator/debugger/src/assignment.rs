//! Changes to the machine, read from text: `a = 3`, `list[1] = n + 1`.

use crate::error::DebugError;
use crate::expression::Reader;
use crate::history::Edit;
use crate::scan::Scan;
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::INPUTS;

impl Reader<'_> {
    /// Reads a change: what is changed (`a`, `c`, `pc` or a byte of RAM), and its new value. Each text has to end with
    /// that.
    pub fn edit(&self, target: &mut Scan, value: &mut Scan) -> Result<Edit, DebugError> {
        target.space();
        let target_offset = target.at();
        let register = target.clone().name().filter(|name| ["a", "c", "pc"].contains(name));
        let address = match register {
            Some(_) => target.name().map_or(0, |_| 0),
            None => self.address(target)?,
        };
        target.end()?;
        let value_offset = value.at();
        let number = self.expression(value)?.value(self.machine)?;
        value.end()?;
        let below = |limit: i64| {
            let fits = (0..limit).contains(&number) || (limit == 256 && (-128..0).contains(&number));
            let message = || format!("{number} does not fit there: it takes 0 to {}", limit - 1);
            fits.then_some((number & (limit - 1)) as u16)
                .ok_or_else(|| DebugError::input(value_offset, message()))
        };
        match register {
            Some("a") => Ok(Edit::A(below(256)? as u8)),
            Some("c") => Ok(Edit::C(below(2)? == 1)),
            Some(_) => Ok(Edit::Pc(below(PROGRAM_WORDS as i64)?)),
            None if address < INPUTS => Ok(Edit::Ram(address, below(256)? as u8)),
            None => Err(DebugError::input(target_offset, "an input, not RAM: `press` and `keys` change it")),
        }
    }
}
