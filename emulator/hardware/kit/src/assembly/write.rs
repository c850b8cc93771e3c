//! Finds the write line for a real RAM chip, which writes while the line is low. The netlist's line is high then.

use gray1_machine::netlist::Netlist;

/// A net that is the opposite of this one in every cell of the chip that drives both. So what is proved about when one
/// of them moves holds for the other, too.
pub fn opposite(netlist: &Netlist, net: &str) -> Option<String> {
    let pin = netlist.nets[netlist.net(net)?].driver?;
    let cells = netlist.table(pin.chip)?;
    let data = &netlist.chips[pin.chip].data;
    let is_opposite = |line: usize| cells.iter().all(|cell| (cell >> line ^ cell >> pin.line) & 1 == 1);
    (0..data.len()).find(|&line| is_opposite(line)).map(|line| netlist.nets[data[line]].name.clone())
}
