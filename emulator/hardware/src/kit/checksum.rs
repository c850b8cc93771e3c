//! Checksums that identify the contents of a chip: the 16-bit sum that programmers show, and SHA-256.

use sha2::{Digest, Sha256};

/// The sum of all bytes, modulo 65,536.
pub fn sum16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, &byte| sum.wrapping_add(byte.into()))
}

/// SHA-256 as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of FIPS 180-4, and every length around the end of a block: the digests are those of `sha256sum`.
    #[test]
    fn sha256_is_right_for_known_vectors() {
        let vectors: [(&[u8], &str); 7] = [
            (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (&[b'a'; 55], "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (&[b'a'; 56], "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (&[b'a'; 64], "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (&[b'a'; 1_000_000], "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ];
        for (bytes, digest) in vectors {
            assert_eq!(sha256(bytes), digest, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn a_sum_wraps_around() {
        assert_eq!(sum16(&[0xFF; 258]), 254);
        assert_eq!(sum16(&[1, 2, 3]), 6);
    }
}
