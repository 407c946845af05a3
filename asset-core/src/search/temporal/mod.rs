//! Searches for runs that a formula, an automaton or a fairness condition speaks of.
//!
//! They see a [`Graph`]: nodes and coloured edges. A colour stands for an acceptance set of
//! an automaton, or for a part of a fairness condition, and a search looks for a cycle that
//! has certain colours. [`Product`] makes such a graph of a model's states and an automaton;
//! `engine` is the only file here that knows how states are stored and expanded.
//!
//! Invariant: a node's edges depend on the model's state and the automaton's state alone.

mod engine;
mod fairness;
mod graph;
mod lasso;
mod nested;
mod product;
mod scc;
mod strong;
mod without;

pub use engine::EngineStates;
pub use fairness::{Condition, Fairness};
pub use graph::{Graph, GraphEdge, Hunted, Node, STUTTER, States, Step, Wanted};
pub use lasso::Lasso;
pub use nested::nested;
pub use product::{Product, Table};
pub use scc::components;
pub use without::Without;
