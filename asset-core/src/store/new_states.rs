//! Which of a batch of inserted states are new.

/// Positions of the new states in a batch, in order.
#[derive(Debug, Default)]
pub struct NewStates {
    /// The positions; valid up to `n`.
    positions: Vec<u32>,
    n: usize,
    /// How many of the first 0, 1, 2, … states are new; valid up to `n_told`.
    up_to: Vec<u32>,
    n_told: usize,
}

impl NewStates {
    /// Forgets everything, and makes room for a batch of so many states.
    #[inline(always)]
    pub fn clear(&mut self, n_states: usize) {
        (self.n, self.n_told) = (0, 0);
        if self.up_to.len() <= n_states {
            self.positions.resize(2 * n_states + 1, 0);
            self.up_to.resize(2 * n_states + 1, 0);
        }
    }

    /// Tells of the next state of the batch.
    #[inline(always)]
    pub fn tell(&mut self, is_new: bool) {
        self.tell_while([is_new], Some);
    }

    /// Tells of the next states of the batch, those of `states` for which
    /// `is_new` knows. Without a jump for those that are: that cannot be guessed.
    ///
    /// # Panics
    ///
    /// If `clear` made no room for them.
    #[inline(always)]
    pub fn tell_while<T>(
        &mut self,
        states: impl IntoIterator<Item = T>,
        mut is_new: impl FnMut(T) -> Option<bool>,
    ) {
        // In registers meanwhile.
        let (mut n, mut n_told) = (self.n, self.n_told);
        let room = self.up_to[n_told + 1..].iter_mut().zip(states);
        for (up_to, state) in room {
            let Some(is_new) = is_new(state) else { break };
            self.positions[n] = n_told as u32;
            n += usize::from(is_new);
            n_told += 1;
            *up_to = n as u32;
        }
        (self.n, self.n_told) = (n, n_told);
    }

    /// How many states have been told of.
    #[inline(always)]
    pub fn n_told(&self) -> usize {
        self.n_told
    }

    /// The positions of those that are new.
    #[inline(always)]
    pub fn positions(&self) -> &[u32] {
        &self.positions[..self.n]
    }

    /// How many of the first `n_states` are new.
    #[inline(always)]
    pub fn up_to(&self, n_states: usize) -> usize {
        self.up_to[n_states] as usize
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> usize {
        4 * (self.positions.len() + self.up_to.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_counts() {
        let mut new = NewStates::default();
        for n in [5, 1, 0, 100] {
            new.clear(n);
            let is_new = |i: usize| i.is_multiple_of(3) || i % 7 == 2;
            // The one at which it stops is told by itself.
            while new.n_told() < n {
                let i = new.n_told();
                new.tell_while(i..n, |i| (i % 10 != 9).then(|| is_new(i)));
                if new.n_told() < n {
                    new.tell(is_new(new.n_told()));
                }
            }
            let expected: Vec<u32> = (0..n).filter(|&i| is_new(i)).map(|i| i as u32).collect();
            assert_eq!(new.positions(), expected);
            for i in 0..=n {
                assert_eq!(new.up_to(i), (0..i).filter(|&i| is_new(i)).count());
            }
        }
    }
}
