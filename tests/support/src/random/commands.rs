//! Random words for debugger commands.

use proptest::prelude::*;

/// Generates a word of a command line: a command, a valid argument, or nonsense.
pub fn word(names: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let others = "n list [ ] ( ) .. = == - ! << / % * 0 7 0x $FFF 99999999999999999999 9223372036854775807 ' 'a' \
        \" \"{n}\" { } \\ ; é if log after net net.TICK cycle phase none left wrote writes ram board \
        source output display registers lines phases a c pc loop at change :";
    let known: Vec<&str> = names.iter().copied().chain(others.split(' ')).collect();
    let known = prop::sample::select(known).prop_map(str::to_owned);
    prop_oneof![9 => known, 1 => "\\PC{0,3}"]
}
