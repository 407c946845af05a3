//! The states of a model as the engine stores and expands them: the only file here that
//! knows how.

use super::graph::{States, Step};
use crate::expand::Recipe;
use crate::machine::ModelError;
use crate::model::Atom;
use crate::search::{Edge, Failure, Space};
use crate::store::{BitSet, Id, StateSet};
use std::ops::ControlFlow;

/// States in a space, with the letter of each.
pub struct EngineStates<'s, 'm, const W: usize> {
    space: &'s mut Space<'m, W>,
    recipe: Recipe<'m>,
    atoms: &'s [Atom],
    letters: Letters,
    /// The states that were expanded …
    expanded: BitSet,
    /// … and have no successor.
    pub terminal: BitSet,
    /// Edges of the states that were expanded, each counted once.
    pub n_edges: u64,
}

impl<'s, 'm, const W: usize> EngineStates<'s, 'm, W> {
    /// The states of a space, read by these atoms.
    pub fn new(space: &'s mut Space<'m, W>, atoms: &'s [Atom]) -> Result<Self, ModelError> {
        let mut letters = Letters::new(atoms.len());
        for id in 0..space.store().len() {
            letters.push(space.recipe().letter(&space.state(id as Id), atoms)?);
        }
        let (expanded, terminal) = (BitSet::default(), BitSet::default());
        let recipe = space.recipe().clone();
        Ok(EngineStates { space, recipe, atoms, letters, expanded, terminal, n_edges: 0 })
    }
}

impl<const W: usize> States for EngineStates<'_, '_, W> {
    fn n_roots(&self) -> usize {
        self.space.n_roots()
    }

    fn n_states(&self) -> usize {
        self.space.store().len()
    }

    fn expand(&mut self, state: u32, out: &mut Vec<Step>) -> Result<(), Failure> {
        let (recipe, atoms) = (&self.recipe, self.atoms);
        let letters = &mut self.letters;
        let (mut wrong, n_before) = (None, out.len());
        let flow = self.space.expand_one(state, &mut |edge: Edge<'_>| {
            if edge.is_new && !atoms.is_empty() {
                match edge.packed(edge.state, |state| recipe.letter(state, atoms)) {
                    Ok(letter) => letters.push(letter),
                    Err(error) => {
                        wrong = Some(Failure::model(error, Some(edge.to)));
                        return ControlFlow::Break(());
                    }
                }
            }
            out.push(Step { to: edge.to, transition: edge.transition });
            ControlFlow::Continue(())
        })?;
        debug_assert!(flow.is_continue() || wrong.is_some());
        if self.expanded.insert(state) {
            self.n_edges += (out.len() - n_before) as u64;
            if out.len() == n_before {
                self.terminal.insert(state);
            }
        }
        wrong.map_or(Ok(()), Err)
    }

    #[inline]
    fn letter(&self, state: u32) -> u64 {
        self.letters.get(state as usize)
    }

    fn size(&self) -> [usize; 3] {
        let own = 8 * self.letters.words.capacity() + self.expanded.bytes();
        let after_growth = self.space.store().bytes_after_growth() + own;
        [self.n_edges as usize, self.space.bytes() + own, after_growth]
    }
}

/// A letter for each state, in as many bits as there are atoms, rounded up to a power of two.
struct Letters {
    bits: usize,
    words: Vec<u64>,
    len: usize,
}

impl Letters {
    fn new(n_atoms: usize) -> Letters {
        let bits = if n_atoms == 0 { 0 } else { n_atoms.next_power_of_two() };
        Letters { bits, words: Vec::new(), len: 0 }
    }

    fn push(&mut self, letter: u64) {
        if self.bits == 0 {
            return;
        }
        let at = self.len * self.bits;
        if at.is_multiple_of(64) {
            self.words.push(0);
        }
        self.words[at / 64] |= letter << (at % 64);
        self.len += 1;
    }

    #[inline]
    fn get(&self, i: usize) -> u64 {
        if self.bits == 0 {
            return 0;
        }
        let at = i * self.bits;
        self.words[at / 64] >> (at % 64) & (u64::MAX >> (64 - self.bits))
    }
}
