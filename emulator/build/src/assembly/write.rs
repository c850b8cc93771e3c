//! The line that writes a RAM chip that is sold: low while it writes, where the netlist has one that is high.

use gray1_machine::netlist::Netlist;

/// A net that is the opposite of this one in every cell of the chip that drives both. So whatever is proved of when the
/// one moves holds for the other.
pub fn opposite(netlist: &Netlist, net: &str) -> Option<String> {
    let pin = netlist.nets[netlist.net(net)?].driver?;
    let cells = netlist.table(pin.chip)?;
    let data = &netlist.chips[pin.chip].data;
    let is_opposite = |line: usize| cells.iter().all(|cell| (cell >> line ^ cell >> pin.line) & 1 == 1);
    (0..data.len()).find(|&line| is_opposite(line)).map(|line| netlist.nets[data[line]].name.clone())
}
