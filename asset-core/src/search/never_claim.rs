//! Non-progress cycles as accepting cycles of the product with the two-state
//! never claim, by nested depth-first search.
//!
//! G. Holzmann, D. Peled and M. Yannakakis, *On Nested Depth First Search*
//! (1996): the claim of Figure 6 and the search of Figure 4. The claim waits as
//! long as it likes, then accepts as long as there is no progress. The nested
//! search starts when an accepting node is left, and ends at a node on the path
//! of the first search.
//!
//! Where we differ: the claim looks at edges, so that progress may be on
//! transitions; for progress states it is the same, since a cycle has one iff
//! an edge of it leads to one. A node of the product is a number, twice the
//! state's and one more if the claim accepts, and states are stored once. So
//! the product costs marks and time, but not a second copy of each state as it
//! does in tools that store the product. The full space is searched. A state is
//! expanded up to three times, and nothing is promised about the progress
//! before the cycle.

use super::dfs::Stack;
use super::labels::{Ground, Hunt, Labels};
use super::nested::{self, Figure};
use crate::store::{Id, StateSet};

/// Searches the product, until an accepting cycle is found. Its numbers of
/// states and edges are the product's.
pub fn hunt<const W: usize>(ground: &mut Ground<'_, '_, '_, W>) -> Hunt {
    let mut hunt = nested::search::<Four, W>(ground);
    hunt.more.insert(0, ("states of the model", ground.space.store().len() as u64));
    hunt
}

/// Figure 4 on the product with the claim of Figure 6.
struct Four;

/// The node of a state where the claim still waits.
fn waiting(id: Id) -> Id {
    2 * id
}

/// The node of a state where the claim accepts.
fn accepting(id: Id) -> Id {
    2 * id + 1
}

fn is_accepting(node: Id) -> bool {
    node % 2 == 1
}

impl Figure for Four {
    const NODES_PER_STATE: usize = 2;

    fn root(id: Id) -> Id {
        waiting(id)
    }

    fn state(node: Id) -> Id {
        node / 2
    }

    #[inline(always)]
    fn successors(node: Id, to: Id, is_progress: bool) -> [Option<Id>; 2] {
        [(!is_accepting(node)).then(|| waiting(to)), (!is_progress).then(|| accepting(to))]
    }

    fn nested_successor(to: Id) -> Id {
        accepting(to)
    }

    fn is_seed(node: Id, _: &Labels<'_>) -> bool {
        is_accepting(node)
    }

    fn closes(node: Id, seed: Id, first: &Stack, _: &Stack) -> bool {
        first.is_on_path(node) || node == seed
    }
}
