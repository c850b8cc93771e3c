//! Hashes that identify texts and programs: enough to notice an edit, but no protection against deliberate changes.

/// The hash of these bytes: FNV-1a, 64 bits.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// The hash of these bytes as a short text.
pub(crate) fn mark(bytes: &[u8]) -> String {
    format!("{:016x}", hash(bytes))
}
