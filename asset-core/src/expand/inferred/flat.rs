//! The tables as a search needs them: which situation a transition is in is a few look-ups in
//! the packed state, and so is what it does there.

use super::firing::{get, put};
use super::rule::{Obliged, Rule};
use super::tables::Tables;
use super::tree::Node;
use super::{Effect, cut, meeting};
use crate::expand::stubborn::view::View;
use crate::machine::{Machine, ModelError, Successors};
use crate::model::{ALL, END};
use std::sync::OnceLock;

/// Marks the number of a situation among those of parts of a tree.
const LEAF: u32 = 1 << 31;
/// Stands for a situation that cannot occur.
const NONE: u32 = u32::MAX;
/// Stands for a situation that has not been looked for.
const UNASKED: u32 = u32::MAX - 1;

/// Asks for a lane; what comes for its values stands side by side.
#[derive(Clone, Copy, Debug)]
struct Question {
    lane: (u32, u32),
    first: u32,
    n: u32,
}

/// What is done in a situation, in bits of a packed state.
#[derive(Clone, Debug)]
enum Action {
    Disabled,
    Failed,
    /// For some words: which bits are kept, and which are set.
    Write(Box<[(u32, u64, u64)]>),
}

/// The tables of a machine, and the rules as far as they were asked for.
#[derive(Debug)]
pub struct Flat {
    tables: Tables,
    questions: Vec<Question>,
    answers: Vec<u32>,
    roots: Vec<u32>,
    actions: Vec<Action>,
    rules: Vec<OnceLock<Rule>>,
    n_words: usize,
}

impl Flat {
    /// From tables of a machine with so many words.
    pub fn new(tables: Tables, n_words: usize) -> Self {
        let mut flat = Flat {
            questions: Vec::new(),
            answers: Vec::new(),
            roots: Vec::new(),
            actions: Vec::new(),
            rules: tables.leaves.iter().map(|_| OnceLock::new()).collect(),
            n_words,
            tables,
        };
        flat.actions = flat.tables.leaves.iter().map(|leaf| flat.action(&leaf.effect)).collect();
        let trees = std::mem::take(&mut flat.tables.trees);
        flat.roots = trees.iter().map(|tree| flat.flatten(tree)).collect();
        flat.tables.trees = trees;
        flat
    }

    fn action(&self, effect: &Effect) -> Action {
        let Effect::Enabled(writes) = effect else {
            return if *effect == Effect::Disabled { Action::Disabled } else { Action::Failed };
        };
        let (mut kept, mut set) = (vec![u64::MAX; self.n_words], vec![0; self.n_words]);
        for &(lane, value) in writes {
            let (start, n_bits) = self.tables.lanes[lane];
            (start..start + n_bits).for_each(|bit| kept[bit as usize / 64] &= !(1 << (bit % 64)));
            put(&mut set, (start, n_bits), value);
        }
        let words = kept.into_iter().zip(set).enumerate();
        let changed = words.filter(|&(_, (kept, _))| kept != u64::MAX);
        Action::Write(changed.map(|(word, (kept, set))| (word as u32, kept, set)).collect())
    }

    fn flatten(&mut self, node: &Node) -> u32 {
        match node {
            Node::Leaf(leaf) => LEAF | *leaf as u32,
            Node::Split(lane, branches) => {
                let n = branches.last().map_or(0, |last| last.0 + 1);
                let (first, number) = (self.answers.len() as u32, self.questions.len() as u32);
                self.answers.resize((first + n) as usize, NONE);
                let lane = self.tables.lanes[*lane];
                self.questions.push(Question { lane, first, n });
                for (value, branch) in branches {
                    self.answers[(first + value) as usize] = self.flatten(branch);
                }
                number
            }
        }
    }

    /// The situation of a transition in a state, or `NONE`.
    #[inline(always)]
    fn find(&self, state: &[u64], transition: usize) -> u32 {
        let mut at = self.roots[transition];
        while at & LEAF == 0 {
            let Question { lane, first, n } = self.questions[at as usize];
            let value = get(state, lane);
            if value >= n {
                return NONE;
            }
            at = self.answers[(first + value) as usize];
        }
        if at == NONE { NONE } else { at & !LEAF }
    }

    fn rule(&self, leaf: u32) -> &Rule {
        self.rules[leaf as usize].get_or_init(|| match self.tables.leaves[leaf as usize].effect {
            Effect::Disabled => cut::rule(&self.tables, leaf as usize),
            Effect::Enabled(_) => meeting::rule(&self.tables, leaf as usize),
            Effect::Failed => Rule::All,
        })
    }

    /// Says whether what is known of a state is what the machine does there: the first
    /// transition that does something else.
    pub fn first_difference(
        &self,
        machine: &dyn Machine,
        state: &[u64],
    ) -> Result<Option<usize>, ModelError> {
        for t in 0..self.roots.len() {
            let leaf = self.find(state, t);
            let Some(action) = self.actions.get(leaf as usize) else { return Ok(Some(t)) };
            let next = match action {
                Action::Disabled => None,
                Action::Failed => continue,
                Action::Write(words) => Some(written(state, words)),
            };
            if machine.fire(state, t)? != next {
                return Ok(Some(t));
            }
        }
        Ok(None)
    }
}

fn written(state: &[u64], words: &[(u32, u64, u64)]) -> Box<[u64]> {
    let mut next: Box<[u64]> = state.into();
    words.iter().for_each(|&(word, kept, set)| {
        let word = &mut next[word as usize];
        *word = *word & kept | set;
    });
    next
}

/// What is needed to see states by tables.
#[derive(Debug, Default)]
pub struct Seen {
    leaves: Vec<u32>,
    lists: Vec<u32>,
    fired: Successors,
}

/// A state as the closure sees it, by tables.
pub struct ByTables<'b> {
    flat: &'b Flat,
    machine: &'b dyn Machine,
    state: &'b [u64],
    seen: &'b mut Seen,
}

impl<'b> ByTables<'b> {
    /// The view of a state.
    pub fn new(
        flat: &'b Flat,
        machine: &'b dyn Machine,
        state: &'b [u64],
        seen: &'b mut Seen,
    ) -> Self {
        seen.leaves.clear();
        seen.leaves.resize(flat.roots.len(), UNASKED);
        seen.lists.clear();
        seen.fired.clear();
        ByTables { flat, machine, state, seen }
    }

    #[inline(always)]
    fn leaf(&mut self, transition: usize) -> u32 {
        let known = self.seen.leaves[transition];
        if known != UNASKED {
            return known;
        }
        let leaf = self.flat.find(self.state, transition);
        self.seen.leaves[transition] = leaf;
        leaf
    }

    /// Whether a transition may be fired.
    #[inline(always)]
    fn may_fire(&mut self, transition: usize) -> bool {
        let leaf = self.leaf(transition);
        !matches!(self.flat.actions.get(leaf as usize), Some(Action::Disabled))
    }
}

impl View for ByTables<'_> {
    #[inline(always)]
    fn oblige(&mut self, transition: usize) -> Result<u32, Box<ModelError>> {
        let (leaf, start) = (self.leaf(transition), self.seen.lists.len());
        let flat = self.flat;
        // What the tables do not know may depend on anything.
        let rule = if leaf == NONE { &Rule::All } else { flat.rule(leaf) };
        let Rule::OneOf(lists) = rule else {
            self.seen.lists.extend([ALL, END]);
            return Ok(start as u32);
        };
        let state = self.state;
        let is_alive = |obliged: &&Obliged| {
            let alive = |(lane, set): (usize, u64)| set >> get(state, flat.tables.lanes[lane]) & 1;
            obliged.alive.is_none_or(|pair| alive(pair) != 0)
        };
        if let [only] = &lists[..] {
            let alive = only.iter().filter(is_alive).map(|obliged| obliged.transition as u32);
            self.seen.lists.extend(alive);
            self.seen.lists.push(END);
            return Ok(start as u32);
        }
        // The list with the fewest enabled members, and of those the shortest.
        let mut best = usize::MAX;
        for list in lists {
            let mut cost = 0;
            for obliged in list.iter().filter(is_alive) {
                cost += 1 + flat.roots.len() * usize::from(self.may_fire(obliged.transition));
            }
            if cost < best {
                best = cost;
                self.seen.lists.truncate(start);
                let alive = list.iter().filter(is_alive).map(|obliged| obliged.transition as u32);
                self.seen.lists.extend(alive);
            }
        }
        self.seen.lists.push(END);
        Ok(start as u32)
    }

    #[inline(always)]
    fn lists(&self) -> &[u32] {
        &self.seen.lists
    }

    #[inline(always)]
    fn fire(&mut self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let leaf = self.leaf(transition);
        match self.flat.actions.get(leaf as usize) {
            Some(Action::Disabled) => Ok(false),
            Some(Action::Write(words)) => {
                let n_words = self.flat.n_words;
                out.reserve(1, n_words);
                let (to, number) = out.next(n_words);
                to.copy_from_slice(self.state);
                words.iter().for_each(|&(word, kept, set)| {
                    let word = &mut to[word as usize];
                    *word = *word & kept | set;
                });
                *number = transition as u32;
                out.keep_next(n_words);
                Ok(true)
            }
            Some(Action::Failed) | None => {
                let next = self.machine.fire(self.state, transition)?;
                if let Some(next) = &next {
                    out.push(next, transition);
                }
                Ok(next.is_some())
            }
        }
    }

    fn is_enabled(&mut self, transition: usize) -> Result<bool, Box<ModelError>> {
        Ok(self.may_fire(transition))
    }
}
