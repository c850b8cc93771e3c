//! A small interpreter of the instruction set, for tests of the effects of assembled programs.

#![allow(dead_code, reason = "not every test needs everything")]

use gray1_isa::{Image, Opcode};

/// Runs a program until it halts; returns the bytes that it has sent to the output port.
pub fn run(image: &Image) -> Vec<u8> {
    run_from(image, 0, false).0
}

/// The same with initial values of A and C; also returns the number of cycles, without the jump that halts.
pub fn run_from(image: &Image, mut a: u8, mut carry: bool) -> (Vec<u8>, usize) {
    let mut pc = 0u16;
    let mut ram = [0xA5u8; 4096];
    let mut sent = Vec::new();
    for cycles in 0..1_000_000 {
        let word = image.word(pc);
        let value = if word.m() { word.x() as u8 } else { ram[usize::from(word.x())] };
        let mut next = (pc + 1) % 4096;
        let taken = match word.opcode() {
            Opcode::Lda => {
                a = value;
                false
            }
            Opcode::Sta => {
                ram[usize::from(word.x())] = a;
                if word.x() == 0xFF0 {
                    sent.push(a);
                }
                false
            }
            Opcode::Add => {
                (a, carry) = a.overflowing_add(value);
                false
            }
            Opcode::Nor => {
                a = !(a | value);
                false
            }
            Opcode::Shr => {
                (a, carry) = (value >> 1, value & 1 == 1);
                false
            }
            Opcode::Jmp => true,
            Opcode::Jc => carry,
            Opcode::Jz => a == 0,
        };
        if let (true, Some(target)) = (taken, word.landing()) {
            if target == pc {
                return (sent, cycles);
            }
            next = target;
        }
        pc = next;
    }
    panic!("the program does not halt");
}
