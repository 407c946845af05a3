//! The words of the states that a breadth-first search has found and not yet
//! expanded: a queue in pieces, whose memory is used again.

use std::collections::VecDeque;

/// States of a piece. Ranges that start at multiples of a divisor of it and are
/// no longer than that stay within one piece.
const PIECE: usize = 1 << 14;

/// One-word states by number, of which the first ones have gone.
pub struct Window {
    /// The full pieces.
    pieces: VecDeque<Piece>,
    /// The piece that is being filled.
    last: Piece,
    spare: Vec<Piece>,
    /// Pieces that have gone.
    n_gone: usize,
    len: usize,
}

type Piece = Box<[u64; PIECE]>;

impl Default for Window {
    fn default() -> Self {
        let (pieces, spare) = (VecDeque::new(), Vec::new());
        Window { pieces, last: Box::new([0; PIECE]), spare, n_gone: 0, len: 0 }
    }
}

impl Window {
    /// Number of states, those that have gone included.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Appends a state.
    #[inline(always)]
    pub fn push(&mut self, state: u64) {
        self.last[self.len % PIECE] = state;
        self.len += 1;
        if self.len.is_multiple_of(PIECE) {
            self.end_piece();
        }
    }

    /// Appends states.
    #[inline(always)]
    pub fn extend(&mut self, states: impl ExactSizeIterator<Item = u64>) {
        let (start, n) = (self.len % PIECE, states.len());
        if start + n >= PIECE {
            return states.for_each(|state| self.push(state));
        }
        self.last[start..start + n].iter_mut().zip(states).for_each(|(last, state)| *last = state);
        self.len += n;
    }

    #[cold]
    fn end_piece(&mut self) {
        let next = self.spare.pop().unwrap_or_else(|| Box::new([0; PIECE]));
        self.pieces.push_back(std::mem::replace(&mut self.last, next));
    }

    /// The states of a range within one piece.
    ///
    /// # Panics
    ///
    /// If they have gone, or if the range crosses into another piece.
    #[inline(always)]
    pub fn get(&self, range: std::ops::Range<usize>) -> &[u64] {
        let piece = self.pieces.get(range.start / PIECE - self.n_gone).unwrap_or(&self.last);
        &piece[range.start % PIECE..][..range.len()]
    }

    /// Lets the states below `before` go.
    #[inline(always)]
    pub fn release(&mut self, before: usize) {
        while self.n_gone < before / PIECE {
            self.spare.extend(self.pieces.pop_front());
            self.n_gone += 1;
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        (self.pieces.len() + self.spare.len() + 1) * PIECE * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_of_many_pieces() {
        let mut window = Window::default();
        let mut next = 0;
        for i in 0..10 * PIECE {
            match i % 5 {
                0 => window.push(i as u64 * 3),
                1 => window.extend((i..i + 4).map(|i| i as u64 * 3)),
                _ => {}
            }
            if i % 3 == 0 {
                assert_eq!(window.get(next..next + 1), [next as u64 * 3]);
                next += 1;
                window.release(next);
            }
        }
        assert_eq!(window.get(9 * PIECE + 8..9 * PIECE + 10).len(), 2);
        assert!(window.bytes() <= 9 * PIECE * 8);
    }
}
