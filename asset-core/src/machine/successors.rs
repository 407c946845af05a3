//! The successors of a batch of states, in flat buffers that are used again.

/// Packed successors with the transitions that lead to them.
#[derive(Debug, Default)]
pub struct Successors {
    /// The packed states, side by side; valid up to `n_words`.
    words: Vec<u64>,
    n_words: usize,
    /// The transition that leads to each; valid up to `n`.
    transitions: Vec<u32>,
    n: usize,
    /// For each expanded state, where its successors end.
    ends: Vec<u32>,
    /// For each expanded state, which transitions are enabled and were left out.
    left_out: Vec<u64>,
    /// For each successor, which transitions are asleep there if it is new; valid up to
    /// `n_sleeping`.
    sleeping: Vec<u64>,
    n_sleeping: usize,
}

impl Successors {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.n_words = 0;
        self.n = 0;
        self.ends.clear();
        self.left_out.clear();
        self.n_sleeping = 0;
    }

    /// Number of successors.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is no successor.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Number of states whose successors are complete.
    pub fn n_expanded(&self) -> usize {
        self.ends.len()
    }

    /// The packed successors, side by side.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.words[..self.n_words]
    }

    /// The transitions that lead to them.
    #[inline(always)]
    pub fn transitions(&self) -> &[u32] {
        &self.transitions[..self.n]
    }

    /// For each expanded state, where its successors end.
    #[inline(always)]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// For each expanded state, which transitions are enabled and were left out.
    #[inline(always)]
    pub fn left_out(&self) -> &[u64] {
        &self.left_out
    }

    /// For each successor, where that is known of all, which transitions are asleep there if
    /// it is new, as `asleep_after` says. Bits in the order of firing; some may be missing.
    #[inline(always)]
    pub fn sleeping(&self) -> Option<&[u64]> {
        (self.n_sleeping == self.n).then(|| &self.sleeping[..self.n])
    }

    /// The successors from the `first` one on have been told with what sleeps there. Those
    /// before may have been expanded in another way, that does not tell.
    #[inline(always)]
    pub(crate) fn know_sleeping_from(&mut self, first: usize) {
        if self.n_sleeping == first {
            self.n_sleeping = self.n;
        }
    }

    /// Tells what sleeps in the successors of the state that was expanded last: given are
    /// what is asleep there, and for each transition its bit, and those with which it
    /// commutes.
    pub(crate) fn put_to_sleep(
        &mut self,
        asleep: u64,
        bit: impl Fn(usize) -> u64,
        commuting: &[u64],
    ) {
        let Some(i) = self.ends.len().checked_sub(1) else { return };
        for at in self.of(i) {
            let t = self.transitions[at] as usize;
            self.sleeping[at] = asleep_after(commuting[t], asleep, bit(t) - 1);
        }
    }

    /// The range of successors of the `i`-th expanded state.
    #[inline(always)]
    pub fn of(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        start..self.ends[i] as usize
    }

    /// Adds a successor of the state that is being expanded.
    pub fn push(&mut self, state: &[u64], transition: usize) {
        self.reserve(1, state.len());
        let (words, number) = self.next(state.len());
        words.copy_from_slice(state);
        *number = transition as u32;
        self.keep_next(state.len());
    }

    /// Adds all that is complete in `others`, with these words of one each in place of
    /// theirs.
    pub(crate) fn extend(&mut self, words: &[u64], others: &Successors) {
        let n = others.ends.last().map_or(0, |&end| end as usize);
        let first = self.n as u32;
        let (to, transitions) = self.room(n, 1);
        to[..n].copy_from_slice(&words[..n]);
        transitions[..n].copy_from_slice(&others.transitions[..n]);
        self.keep(n, 1);
        self.ends.extend(others.ends.iter().map(|end| first + end));
        self.left_out.resize(self.ends.len(), 0);
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> usize {
        8 * (self.words.len() + self.sleeping.len() + self.left_out.len())
            + 4 * (self.transitions.len() + self.ends.len())
    }

    /// Drops the state that was expanded last, with its successors.
    pub(crate) fn drop_last_state(&mut self, width: usize) {
        self.ends.pop();
        self.left_out.pop();
        self.drop_unfinished(width);
    }

    /// Ends the successors of one expanded state.
    #[inline(always)]
    pub fn end_state(&mut self) {
        self.ends.push(self.n as u32);
        self.left_out.push(0);
    }

    /// Makes room for `more` successors of `width` words. The room stays, so
    /// that this costs two comparisons a state.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, more: usize, width: usize) {
        if self.words.len() < self.n_words + more * width || self.transitions.len() < self.n + more
        {
            self.words.resize(2 * (self.n_words + more * width), 0);
            self.transitions.resize(2 * (self.n + more), 0);
            self.sleeping.resize(2 * (self.n + more), 0);
        }
    }

    /// Room for `more` successors of `width` words: their words, and their
    /// transitions.
    #[inline(always)]
    pub(crate) fn room(&mut self, more: usize, width: usize) -> (&mut [u64], &mut [u32]) {
        self.reserve(more, width);
        (&mut self.words[self.n_words..], &mut self.transitions[self.n..])
    }

    /// So many successors have been written into the room.
    #[inline(always)]
    pub(crate) fn keep(&mut self, n: usize, width: usize) {
        self.n += n;
        self.n_words += n * width;
    }

    /// Where the next successor goes.
    #[inline(always)]
    pub(crate) fn next(&mut self, width: usize) -> (&mut [u64], &mut u32) {
        (&mut self.words[self.n_words..self.n_words + width], &mut self.transitions[self.n])
    }

    /// The next successor has been written.
    #[inline(always)]
    pub(crate) fn keep_next(&mut self, width: usize) {
        self.n_words += width;
        self.n += 1;
    }

    /// Keeps the first `n` successors.
    pub(crate) fn truncate(&mut self, n: usize, width: usize) {
        self.n = n;
        self.n_words = n * width;
    }

    /// Drops the successors of a state whose expansion did not end.
    pub(crate) fn drop_unfinished(&mut self, width: usize) {
        self.truncate(self.ends.last().map_or(0, |&end| end as usize), width);
    }

    /// To add the successors of several states, up to so many in all, and of `width`
    /// words. Returns what `add` does.
    #[inline(always)]
    pub(crate) fn add_states<T>(
        &mut self,
        more: usize,
        width: usize,
        add: impl FnOnce(&mut Room<'_>) -> T,
    ) -> T {
        self.reserve(more, width);
        let Successors { words, n_words, transitions, n, ends, left_out, sleeping, .. } = self;
        let mut room = Room { words, transitions, sleeping, ends, left_out, n: *n };
        let added = add(&mut room);
        (*n, *n_words) = (room.n, room.n * width);
        added
    }
}

/// Room for successors, all of which is in registers while they are added.
pub(crate) struct Room<'s> {
    words: &'s mut [u64],
    transitions: &'s mut [u32],
    sleeping: &'s mut [u64],
    ends: &'s mut Vec<u32>,
    left_out: &'s mut Vec<u64>,
    n: usize,
}

impl Room<'_> {
    /// Whether there is room for `more` successors of `width` words.
    #[inline(always)]
    pub(crate) fn is_enough(&self, more: usize, width: usize) -> bool {
        self.n + more <= self.transitions.len() && (self.n + more) * width <= self.words.len()
    }

    /// The room that is left: for words, and for transitions.
    #[inline(always)]
    pub(crate) fn rest(&mut self, width: usize) -> (&mut [u64], &mut [u32]) {
        (&mut self.words[self.n * width..], &mut self.transitions[self.n..])
    }

    /// The state that is being expanded has so many successors, written into the room.
    #[inline(always)]
    pub(crate) fn end_state(&mut self, n: usize) {
        self.end_state_without(n, 0);
    }

    /// The same, and these transitions, which are enabled, were left out.
    #[inline(always)]
    pub(crate) fn end_state_without(&mut self, n: usize, left_out: u64) {
        self.n += n;
        self.ends.push(self.n as u32);
        self.left_out.push(left_out);
    }

    /// Room for the next successor, of one word, behind `n` of the same state: its word,
    /// its transition, and what sleeps there.
    #[inline(always)]
    pub(crate) fn nth(&mut self, n: usize) -> (&mut u64, &mut u32, &mut u64) {
        let at = self.n + n;
        (&mut self.words[at], &mut self.transitions[at], &mut self.sleeping[at])
    }
}

/// Which transitions are asleep in a state that is discovered by firing one: those that
/// *commute* with it where it is fired (fired in either order both are enabled, and lead to
/// the same state; or they are disabled, and stay so), and are asleep there or come before it
/// in the order of firing. Why the states to which they lead are known stands with the search
/// (`search/sleep.rs`).
#[inline(always)]
pub(crate) fn asleep_after(commuting: u64, asleep: u64, before: u64) -> u64 {
    commuting & (asleep | before)
}
