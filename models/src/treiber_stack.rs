//! Treiber's lock-free stack, whose nodes are used again: the ABA problem.
//!
//! R. K. Treiber, *Systems Programming: Coping with Parallelism* (1986). A thread
//! that pops reads the top and the node below, and swings the top from the one to
//! the other if it is still what it was. It may be so again: another thread has
//! popped that node, and those below it, and pushed it back. Then the top is swung to
//! a node that belongs to somebody. The remedy is as old: a tag beside the top counts
//! how often it was swung. `--tags 1` is the stack without a tag. A tag of few values
//! comes round: with two, the fault needs one operation more.
//!
//! Every thread does `OPS` operations: it pops a node, or pushes one that it has. A
//! failing compare-and-swap returns what is there now, as `compare_exchange` does, and
//! the thread tries again with that.
//!
//! States / edges, all enabled transitions fired:
//!
//! | n | ops | 1 tag, until the violation | 2 tags | 16 tags |
//! |---|---|---|---|---|
//! | 2 | 3 | 713 / 1,144 | 2,039 / 3,630 | 2,295 / 3,968 |
//! | | 4 | 916 / 1,413 | 3,273 / 5,404, violated | 16,579 / 30,836 |
//! | 3 | 3 | 7,212 / 13,682 | 35,369 / 76,018, violated | 341,406 / 867,642 |
//!
//! SPIN agrees (`tests/spin/treiber_stack.pml`).
//!
//! The model has no rules: nearly every step looks at the top or changes it.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    treiber_stack::model()
}

/// Treiber's stack, from which N threads pop and onto which they push back.
#[model]
pub mod treiber_stack {
    /// Number of threads.
    #[param(2, 3)]
    pub const N: usize = 2;

    /// Number of nodes. All are on the stack at first.
    pub const NODES: usize = 3;

    /// How many operations each thread does.
    #[param(3, 4)]
    pub const OPS: u8 = 3;

    /// How many tags there are; with one there might as well be none.
    #[param(1, 2, 16)]
    pub const TAGS: u8 = 16;

    /// What a thread is about to do.
    #[derive(StateVar)]
    pub enum At {
        /// Begin with an operation, if any is left.
        Idle,
        /// Read which node is below the one that it has seen on top.
        ReadNext,
        /// Swing the top to that node.
        SwingDown,
        /// Put its own node above the one that it has seen on top.
        Link,
        /// Swing the top to its own node.
        SwingUp,
    }

    /// In place of a node: there is none.
    const NONE: u8 = NODES as u8;

    /// In place of a thread: the node is on the stack, or nobody's.
    const NOBODY: u8 = N as u8;

    /// The state variables.
    #[state]
    pub struct State {
        /// The top, and its tag.
        #[range(0..=NODES)]
        top: u8,
        #[range(0..TAGS)]
        tag: u8,
        /// The node below each node.
        #[range(0..=NODES)]
        next: [u8; NODES],
        /// The thread that each node belongs to.
        #[range(0..=N)]
        owner: [u8; NODES],
        at: [At; N],
        /// The top that each thread has seen, and its tag.
        #[range(0..=NODES)]
        seen: [u8; N],
        #[range(0..TAGS)]
        seen_tag: [u8; N],
        /// The node to which each thread will swing the top.
        #[range(0..=NODES)]
        node: [u8; N],
        /// How many operations each thread will still begin.
        #[range(0..=OPS)]
        left: [u8; N],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The thread begins to pop: it reads the top.
        Pop(#[range(0..N)] usize),
        /// The thread begins to push this node: it reads the top.
        Push(#[range(0..N)] usize, #[range(0..NODES)] usize),
        /// The thread reads which node is below.
        ReadNext(#[range(0..N)] usize),
        /// The thread puts its node above the top that it has seen.
        Link(#[range(0..N)] usize),
        /// The thread compares the top with what it has seen, and swings it.
        Swing(#[range(0..N)] usize),
    }

    /// All nodes are on the stack, the first on top.
    #[init]
    pub fn all_on_the_stack(s: &mut State) {
        for k in 0..NODES {
            s.next[k] = k as u8 + 1;
        }
        s.owner = [NOBODY; NODES];
        s.left = [OPS; N];
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Pop(i) if s.at[i] == At::Idle && s.left[i] > 0 => {
                s.left[i] -= 1;
                look(s, i, At::ReadNext);
            }
            Transition::Push(i, k) if s.at[i] == At::Idle && s.left[i] > 0 && has(s, i, k) => {
                s.left[i] -= 1;
                s.node[i] = k as u8;
                look(s, i, At::Link);
            }
            Transition::ReadNext(i) if s.at[i] == At::ReadNext => {
                s.node[i] = s.next[usize::from(s.seen[i])];
                s.at[i] = At::SwingDown;
            }
            Transition::Link(i) if s.at[i] == At::Link => {
                s.next[usize::from(s.node[i])] = s.seen[i];
                s.at[i] = At::SwingUp;
            }
            Transition::Swing(i) if s.at[i] == At::SwingDown => {
                if is_unchanged(s, i) {
                    s.owner[usize::from(s.seen[i])] = i as u8;
                    swing(s, i);
                } else {
                    s.node[i] = 0;
                    look(s, i, At::ReadNext);
                }
            }
            Transition::Swing(i) if s.at[i] == At::SwingUp => {
                if is_unchanged(s, i) {
                    s.owner[usize::from(s.node[i])] = NOBODY;
                    swing(s, i);
                } else {
                    look(s, i, At::Link);
                }
            }
            _ => return false,
        }
        true
    }

    /// Thread `i` sees the top as it is. If it wants to pop and there is nothing, that was
    /// its operation.
    fn look(s: &mut State, i: usize, then: At) {
        if then == At::ReadNext && s.top == NONE {
            forget(s, i);
        } else {
            s.seen[i] = s.top;
            s.seen_tag[i] = s.tag;
            s.at[i] = then;
        }
    }

    fn is_unchanged(s: &State, i: usize) -> bool {
        s.top == s.seen[i] && s.tag == s.seen_tag[i]
    }

    fn swing(s: &mut State, i: usize) {
        s.top = s.node[i];
        s.tag = (s.tag + 1) % TAGS;
        forget(s, i);
    }

    /// The operation is over: what was seen is of no interest.
    fn forget(s: &mut State, i: usize) {
        s.at[i] = At::Idle;
        s.seen[i] = 0;
        s.seen_tag[i] = 0;
        s.node[i] = 0;
    }

    fn has(s: &State, i: usize, k: usize) -> bool {
        usize::from(s.owner[k]) == i
    }

    /// No node is on the stack that belongs to a thread.
    #[check(state)]
    pub fn nodes_on_the_stack_are_nobodys(s: &State) -> Result<(), &'static str> {
        let mut node = s.top;
        for _ in 0..NODES {
            if node == NONE {
                break;
            }
            if s.owner[usize::from(node)] != NOBODY {
                return Err("A node on the stack belongs to a thread");
            }
            node = s.next[usize::from(node)];
        }
        Ok(())
    }

    /// At the end every node is on the stack or belongs to a thread.
    #[check(deadlock)]
    pub fn no_node_is_lost(s: &State) -> Result<(), &'static str> {
        let mut is_there = [false; NODES];
        let mut node = s.top;
        for _ in 0..NODES {
            if node == NONE {
                break;
            }
            is_there[usize::from(node)] = true;
            node = s.next[usize::from(node)];
        }
        let is_somewhere = |k: usize| is_there[k] || s.owner[k] != NOBODY;
        if (0..NODES).all(is_somewhere) { Ok(()) } else { Err("A node is lost") }
    }
}
