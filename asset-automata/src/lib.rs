//! Linear temporal logic, and the automata that a model checker searches with.
//!
//! A formula ([`Ltl`]) is over numbered propositions, its *atoms*. [`translate`] makes a
//! generalised Büchi automaton of it, with acceptance on the edges: a word is accepted if a
//! run over it takes edges of every acceptance set again and again. A letter says which
//! atoms are true, one bit each. [`Word::satisfies`] decides without an automaton whether a
//! formula holds on a word of the form `u v v v …`; everything else is tested against it.
//!
//! Invariant: nothing here knows models or states, only atoms.
//!
//! ```
//! use asset_automata::{Ltl, Word, parse, translate};
//!
//! let mut names = vec!["waiting", "served"];
//! let atom = |name: &str, _: &[i64]| {
//!     names.iter().position(|n| *n == name).ok_or_else(|| format!("what is {name}?"))
//! };
//! let formula = parse("G (waiting -> F served)", atom).unwrap();
//! let automaton = translate(&Ltl::not(formula.clone())).unwrap();
//! assert_eq!(automaton.n_states(), 2);
//! // Waiting at first, and then nothing for ever.
//! let word = Word::new(vec![0b01], vec![0b00]);
//! assert!(automaton.accepts(&word) && !word.satisfies(&formula));
//! ```

mod automaton;
mod bdd;
mod components;
mod degeneralise;
mod hoa;
mod ltl;
mod parse;
mod pool;
mod reduce;
mod simulation;
mod translate;
mod word;

pub use automaton::{Automaton, Edge};
pub use bdd::{Bdd, Bdds};
pub use hoa::{HoaError, read_hoa};
pub use ltl::{Ltl, MAX_ATOMS};
pub use parse::{ParseError, parse};
pub use translate::{MAX_STATES, TooLarge, translate};
pub use word::Word;
