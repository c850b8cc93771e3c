//! An image as Intel HEX. A chip of 128 K needs addresses of more than sixteen bits, so a record says where each 64 K
//! begin.

use ihex::Record;

/// The data bytes of one record.
const RECORD_BYTES: usize = 32;
/// The bytes that the offsets of records reach.
const SEGMENT: usize = 1 << 16;

/// An image as text.
pub fn intel_hex(image: &[u8]) -> String {
    let mut records = Vec::new();
    for (upper, segment) in (0u16..).zip(image.chunks(SEGMENT)) {
        records.push(Record::ExtendedLinearAddress(upper));
        for (index, bytes) in segment.chunks(RECORD_BYTES).enumerate() {
            records.push(Record::Data { offset: (index * RECORD_BYTES) as u16, value: bytes.to_vec() });
        }
    }
    records.push(Record::EndOfFile);
    // So many bytes always fit in a record, so this cannot fail.
    ihex::create_object_file_representation(&records).unwrap_or_default()
}
