//! Changes to the machine, read from text: `a = 3`, `list[1] = n + 1`.

use crate::error::{DebugError, require};
use crate::expression::Parser;
use crate::scanner::Scanner;
use crate::timeline::Edit;
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::INPUTS;

impl Parser<'_> {
    /// Reads a change: what is changed (`a`, `c`, `pc` or a byte of RAM), and its new value. Neither text may contain
    /// anything else.
    pub fn edit(&self, target: &mut Scanner, value: &mut Scanner) -> Result<Edit, DebugError> {
        let target_offset = target.offset();
        let register = target.clone().name().filter(|name| ["a", "c", "pc"].contains(name));
        let address = if register.is_some() { None } else { Some(self.address(target)?) };
        register.map(|register| target.take(register));
        target.end()?;
        let value_offset = value.offset();
        let number = self.expression(value)?.value(self.machine)?;
        value.end()?;
        let below = |limit: i64| {
            let fits = (0..limit).contains(&number) || (limit == 256 && (-128..0).contains(&number));
            let fitting = fits.then_some((number & (limit - 1)) as u16);
            require(fitting, value_offset, format!("{number} does not fit: expected 0 to {}", limit - 1))
        };
        match (register, address) {
            (Some("a"), _) => Ok(Edit::A(below(256)? as u8)),
            (Some("c"), _) => Ok(Edit::C(below(2)? == 1)),
            (_, None) => Ok(Edit::Pc(below(PROGRAM_WORDS as i64)?)),
            (_, Some(address)) if address < INPUTS => Ok(Edit::Ram(address, below(256)? as u8)),
            _ => Err(DebugError::input(
                target_offset,
                "this is an input, not RAM: `press` and `keys` change it",
            )),
        }
    }
}
