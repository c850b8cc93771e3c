//! An image as Intel HEX. A chip of 128 K needs addresses of more than sixteen bits, so an extended address record
//! precedes each 64 K.

use ihex::Record;

/// The data bytes of one record.
const RECORD_BYTES: usize = 32;
/// Number of bytes that the offsets of records can address.
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
    // This cannot fail, since `RECORD_BYTES` always fit in a record.
    ihex::create_object_file_representation(&records).unwrap_or_default()
}
