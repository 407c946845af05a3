//! Bits that are appended a few at a time.

/// A growing list of bits.
#[derive(Clone, Debug, Default)]
pub struct BitList {
    /// The full words.
    words: Vec<u64>,
    /// The word that is being filled.
    last: u64,
    len: usize,
}

impl BitList {
    /// Number of bits.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Appends the low `width` bits of `bits`, at most 63; the others are zero.
    #[inline(always)]
    pub fn push(&mut self, bits: u64, width: usize) {
        let shift = self.len % 64;
        self.last |= bits << shift;
        self.len += width;
        if shift + width >= 64 {
            self.words.push(self.last);
            self.last = bits >> (64 - shift);
        }
    }

    /// Sixty-four bits at a time; zeros follow the last one.
    #[inline(always)]
    pub fn word(&self, i: usize) -> u64 {
        match self.words.get(i) {
            Some(&word) => word,
            None if i == self.words.len() => self.last,
            None => 0,
        }
    }

    /// The `width` bits from bit `at` on, at most 63.
    pub fn get(&self, at: usize, width: usize) -> u64 {
        let (i, shift) = (at / 64, at % 64);
        let bits = (u128::from(self.word(i + 1)) << 64 | u128::from(self.word(i))) >> shift;
        bits as u64 & ((1 << width) - 1)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_there() {
        let mut list = BitList::default();
        let mut parts = Vec::new();
        for i in 0..2000usize {
            let width = i * i % 63 + 1;
            let bits = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - width);
            parts.push((list.len(), bits, width));
            list.push(bits, width);
        }
        assert!(parts.iter().all(|&(at, bits, width)| list.get(at, width) == bits));
    }
}
