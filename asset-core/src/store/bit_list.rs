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
        self.extend([(bits, width)]);
    }

    /// Appends several, each with its width, as [`BitList::push`] does.
    #[inline(always)]
    pub fn extend(&mut self, parts: impl IntoIterator<Item = (u64, usize)>) {
        // In registers meanwhile.
        let (mut last, mut len) = (self.last, self.len);
        for (bits, width) in parts {
            let shift = len % 64;
            last |= bits << shift;
            len += width;
            if shift + width >= 64 {
                self.words.push(last);
                last = bits >> (64 - shift);
            }
        }
        (self.last, self.len) = (last, len);
    }

    /// Appends all bits of another list.
    pub fn append(&mut self, other: &BitList) {
        match self.len % 64 {
            0 => self.words.extend_from_slice(&other.words),
            shift => {
                for &word in &other.words {
                    self.words.push(self.last | word << shift);
                    self.last = word >> (64 - shift);
                }
            }
        }
        self.len += 64 * other.words.len();
        self.push(other.last, other.len % 64);
    }

    /// Forgets all bits, but not the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        (self.last, self.len) = (0, 0);
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
    #[inline(always)]
    pub fn get(&self, at: usize, width: usize) -> u64 {
        let (i, shift) = (at / 64, at % 64);
        let (low, high) = match self.words.get(i..i + 2) {
            Some(words) => (words[0], words[1]),
            None => (self.word(i), self.word(i + 1)),
        };
        // Twice, as a shift by 64 is none.
        (low >> shift | high << 1 << (63 - shift)) & ((1 << width) - 1)
    }

    /// The 64 bits before bit `end`; zeros come before the first one.
    #[inline(always)]
    pub fn before(&self, end: usize) -> u64 {
        let Some(at) = end.checked_sub(64) else {
            return if end == 0 { 0 } else { self.word(0) << (64 - end) };
        };
        let (i, shift) = (at / 64, at % 64);
        self.word(i) >> shift | self.word(i + 1) << 1 << (63 - shift)
    }

    /// Makes the numbers of `width` bits, of which the list consists, `new_width`
    /// bits wide, at most 63 and no fewer than before; `change` gives the new
    /// numbers, the last first. `ahead` is told of each a little earlier.
    pub fn widen(
        &mut self,
        width: usize,
        new_width: usize,
        ahead: impl Fn(u64),
        mut change: impl FnMut(usize, u64) -> u64,
    ) {
        const AHEAD: usize = 32;
        let n = self.len / width;
        self.words.push(self.last);
        self.words.resize((n * new_width) / 64 + 1, 0);
        self.len = n * new_width;
        for i in (0..n).rev() {
            if let Some(early) = i.checked_sub(AHEAD) {
                ahead(self.get(early * width, width));
            }
            // It goes up, so that what has not been read stays as it is.
            let new = change(i, self.get(i * width, width));
            self.set(i * new_width, new_width, new);
        }
        self.last = self.words.pop().expect("a word was pushed") & !(u64::MAX << (self.len % 64));
    }

    fn set(&mut self, at: usize, width: usize, bits: u64) {
        let (i, shift) = (at / 64, at % 64);
        let ones = (1u64 << width) - 1;
        self.words[i] = self.words[i] & !(ones << shift) | bits << shift;
        if shift + width > 64 {
            let high = 64 - shift;
            self.words[i + 1] = self.words[i + 1] & !(ones >> high) | bits >> high;
        }
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
        for end in (0..70).chain(list.len() - 70..=list.len()) {
            let bit = |i: usize| if i < 64 - end.min(64) { 0 } else { list.get(end + i - 64, 1) };
            assert_eq!(list.before(end), (0..64).fold(0, |all, i| all | bit(i) << i), "{end}");
        }
    }

    #[test]
    fn lists_are_appended() {
        let (mut all, mut expected, mut part) =
            (BitList::default(), BitList::default(), BitList::default());
        for n in (0..200).chain([0, 64, 128, 1000, 63, 1]) {
            part.clear();
            for i in 0..n {
                let (bits, width) = ((i * n + 1) as u64 % 8, 1 + (i + n) % 3);
                let bits = bits & ((1 << width) - 1);
                part.push(bits, width);
                expected.push(bits, width);
            }
            all.append(&part);
            assert_eq!(all.len(), expected.len());
            assert!((0..=all.len() / 64).all(|i| all.word(i) == expected.word(i)), "{n}");
        }
    }

    #[test]
    fn numbers_can_become_wider() {
        for n in [0, 1, 5, 63, 64, 65, 1000] {
            for (width, new_width) in [(1, 1), (7, 8), (16, 32), (31, 33), (5, 5)] {
                let number = |i: usize| (i * 37) as u64 % (1 << width);
                let mut list = BitList::default();
                (0..n).for_each(|i| list.push(number(i), width));
                list.widen(
                    width,
                    new_width,
                    |_| {},
                    |i, x| {
                        assert_eq!(x, number(i));
                        x / 2 + 1
                    },
                );
                list.push(1, new_width);
                assert_eq!(list.len(), (n + 1) * new_width);
                let at = |i: usize| list.get(i * new_width, new_width);
                assert!((0..n).all(|i| at(i) == number(i) / 2 + 1) && at(n) == 1);
            }
        }
    }
}
