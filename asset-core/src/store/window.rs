//! The words of the states that a breadth-first search has found and not yet
//! expanded: a queue in pieces, whose memory is used again.

use std::collections::VecDeque;

/// States of a piece. Ranges that start at multiples of a divisor of it and are
/// no longer than that stay within one piece.
const PIECE: usize = 1 << 14;

/// One-word states by number, of which the first ones have gone.
#[derive(Default)]
pub struct Window {
    pieces: VecDeque<Box<[u64; PIECE]>>,
    spare: Vec<Box<[u64; PIECE]>>,
    /// Pieces that have gone.
    n_gone: usize,
    len: usize,
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
        if self.len.is_multiple_of(PIECE) {
            self.add_piece();
        }
        if let Some(piece) = self.pieces.back_mut() {
            piece[self.len % PIECE] = state;
        }
        self.len += 1;
    }

    #[cold]
    fn add_piece(&mut self) {
        self.pieces.push_back(self.spare.pop().unwrap_or_else(|| Box::new([0; PIECE])));
    }

    /// The states of a range within one piece.
    ///
    /// # Panics
    ///
    /// If they have gone, or if the range crosses into another piece.
    #[inline(always)]
    pub fn get(&self, range: std::ops::Range<usize>) -> &[u64] {
        let piece = &self.pieces[range.start / PIECE - self.n_gone];
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
        (self.pieces.len() + self.spare.len()) * PIECE * 8
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
            window.push(i as u64 * 3);
            if i % 3 == 0 {
                assert_eq!(window.get(next..next + 1), [next as u64 * 3]);
                next += 1;
                window.release(next);
            }
        }
        assert_eq!(window.get(9 * PIECE + 8..9 * PIECE + 10).len(), 2);
        assert!(window.bytes() <= 8 * PIECE * 8);
    }
}
