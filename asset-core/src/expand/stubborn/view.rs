//! One state as the closure sees it: what its transitions oblige, and firing them.

use crate::machine::{ModelError, Opened, Successors};
use crate::model::{END, Obligations};

/// A state, from memory or by what is remembered.
pub trait View {
    /// What `transition` obliges: where in [`View::lists`] that begins. [`END`] ends
    /// it.
    fn oblige(&mut self, transition: usize) -> Result<u32, Box<ModelError>>;

    /// Lists of obligations, one after the other.
    fn lists(&self) -> &[u32];

    /// Fires `transition`, whose obligations have been asked for, and adds the
    /// successor to `out`; false if it is disabled.
    fn fire(&mut self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>>;

    /// Whether `transition` is enabled.
    fn is_enabled(&mut self, transition: usize) -> Result<bool, Box<ModelError>>;
}

/// What [`Fresh`] needs to write down.
#[derive(Debug, Default)]
pub struct Lists {
    /// The lists of the state at hand.
    all: Vec<u32>,
    /// The list that is being written. A rule sees no other.
    need: Obligations,
    /// What is fired only to see whether it can be.
    fired: Successors,
}

/// A state in memory, as the closure sees it.
pub struct Fresh<'f> {
    local: &'f dyn Opened,
    lists: &'f mut Lists,
}

impl<'f> Fresh<'f> {
    /// The view of a state.
    pub fn new(local: &'f dyn Opened, lists: &'f mut Lists) -> Self {
        lists.all.clear();
        lists.fired.clear();
        Fresh { local, lists }
    }
}

impl View for Fresh<'_> {
    #[inline(always)]
    fn oblige(&mut self, transition: usize) -> Result<u32, Box<ModelError>> {
        let Lists { all, need, .. } = self.lists;
        need.list.clear();
        self.local.oblige(transition, need)?;
        let start = all.len() as u32;
        // They are few: this is faster than to copy them all at once.
        need.list.iter().for_each(|&t| all.push(t));
        all.push(END);
        Ok(start)
    }

    #[inline(always)]
    fn lists(&self) -> &[u32] {
        &self.lists.all
    }

    #[inline(always)]
    fn fire(&mut self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        self.local.fire(transition, out)
    }

    fn is_enabled(&mut self, transition: usize) -> Result<bool, Box<ModelError>> {
        self.local.fire(transition, &mut self.lists.fired)
    }
}
