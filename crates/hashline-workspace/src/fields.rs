//! Reads and writes the fields of binary records: bytes, numbers of variable length (LEB128), and arrays of fixed length.

/// Appends a number in LEB128: seven bits in each byte, the lowest first, the top bit set in all bytes but the last.
pub(crate) fn put_number(out: &mut Vec<u8>, number: usize) {
    let mut rest = number as u64;
    loop {
        let [low, ..] = (rest & 0x7f).to_le_bytes();
        rest >>= 7;
        if rest == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

/// The unread rest of a binary record. Every method returns `None` if the record ends too early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    /// Reads one byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Reads a number as `put_number` writes it.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return usize::try_from(number).ok();
            }
        }
        None
    }

    /// Reads `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads `N` bytes as an array.
    pub(crate) fn word<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, put_number};

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, 16_384, usize::MAX] {
            let mut out = Vec::new();
            put_number(&mut out, number);
            let mut fields = Fields(&out);
            assert_eq!(fields.number(), Some(number));
            assert!(fields.0.is_empty());
            assert_eq!(Fields(&out[..out.len() - 1]).number(), None);
        }
    }
}
