//! From a formula to a generalised Büchi automaton: a tableau.
//!
//! J.-M. Couvreur, *On-the-fly Verification of Linear Temporal Logic* (1999). A state is a
//! set of formulas that the rest of the word has to satisfy. They are taken apart into what
//! the first letter must be and what must hold after it. An edge on which `b` of `a U b` was
//! put off is not in the acceptance set of `b`: so no run puts it off for ever.
//!
//! A formula is simplified before, and not on the way: to leave `F p` out of a state since
//! `q R X F p` is there, too, which implies it, would put it off for ever, step by step.

use crate::automaton::{Automaton, Edge, all_marks};
use crate::pool::{Id, Node, Pool};
use crate::reduce::reduce;
use crate::{Bdd, Bdds, Ltl, MAX_ATOMS};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// The most states that a tableau may have before it is made smaller.
pub const MAX_STATES: usize = 1024;
/// The most alternatives that one state may have.
const MAX_TERMS: usize = 1 << 11;
/// The most acceptance sets: bits of a word, some of which others need.
const MAX_SETS: usize = 32;

/// A formula whose automaton is not made, since it would be too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(String);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TooLarge {}

/// An automaton that accepts the words on which the formula holds.
pub fn translate(formula: &Ltl) -> Result<Automaton, TooLarge> {
    let n_atoms = formula.n_atoms();
    if n_atoms > MAX_ATOMS {
        let what = format!(
            "the formula has {n_atoms} propositions, and {MAX_ATOMS} at most are possible: \
             check its parts one by one"
        );
        return Err(TooLarge(what));
    }
    let mut tableau = Tableau::new(formula);
    tableau.build()?;
    Ok(reduce(tableau.automaton(n_atoms)))
}

/// One way to satisfy a formula: the first letter, the formulas that hold after it, and the
/// right sides of untils that were put off.
#[derive(Clone, Debug)]
struct Term {
    label: Bdd,
    next: Vec<Id>,
    put_off: u64,
}

struct Tableau {
    pool: Pool,
    bdds: Bdds,
    /// What holds in each state, sorted.
    states: Vec<Vec<Id>>,
    numbers: HashMap<Vec<Id>, u32>,
    /// For each state: where to, by target and what is put off.
    edges: Vec<BTreeMap<(u32, u64), Bdd>>,
    /// The right sides of untils, each with its acceptance set.
    promises: Vec<Id>,
    terms: HashMap<Id, Vec<Term>>,
}

impl Tableau {
    fn new(formula: &Ltl) -> Tableau {
        let mut pool = Pool::new();
        let first = pool.add(formula, true);
        let mut tableau = Tableau {
            pool,
            bdds: Bdds::default(),
            states: Vec::new(),
            numbers: HashMap::new(),
            edges: Vec::new(),
            promises: Vec::new(),
            terms: HashMap::new(),
        };
        tableau.number(vec![first]);
        tableau
    }

    /// The number of the state in which these formulas hold.
    fn number(&mut self, formulas: Vec<Id>) -> u32 {
        let mut flat = Vec::new();
        for formula in formulas {
            match self.pool.node(formula) {
                Node::True => {}
                Node::And(parts) => flat.extend(parts),
                _ => flat.push(formula),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        self.drop_weaker(&mut flat);
        let n_states = self.states.len() as u32;
        let number = *self.numbers.entry(flat.clone()).or_insert(n_states);
        if number == n_states {
            self.states.push(flat);
        }
        number
    }

    /// Of two untils with the same right side, which is one promise, the stronger is enough.
    fn drop_weaker(&mut self, formulas: &mut Vec<Id>) {
        let mut at = 0;
        while at < formulas.len() {
            let is_weaker = formulas.iter().any(|&other| {
                let (weak, strong) = (self.pool.node(formulas[at]), self.pool.node(other));
                match (weak.clone(), strong.clone()) {
                    (Node::Until(a, b), Node::Until(c, d)) => {
                        formulas[at] != other && b == d && self.pool.implies(c, a)
                    }
                    _ => false,
                }
            });
            // One by one: of two that imply each other one must stay.
            if is_weaker {
                formulas.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn build(&mut self) -> Result<(), TooLarge> {
        while let Some(state) = self.states.get(self.edges.len()) {
            let mut edges: BTreeMap<(u32, u64), Bdd> = BTreeMap::new();
            for term in self.all_terms(&state.clone())? {
                let to = self.number(term.next);
                let label = edges.entry((to, term.put_off)).or_insert(Bdd::FALSE);
                *label = self.bdds.or(*label, term.label);
            }
            self.edges.push(edges);
            if self.states.len() > MAX_STATES {
                return Err(too_large(&format!("more than {MAX_STATES} states")));
            }
        }
        Ok(())
    }

    fn terms(&mut self, id: Id) -> Result<Vec<Term>, TooLarge> {
        if let Some(known) = self.terms.get(&id) {
            return Ok(known.clone());
        }
        let after = |next: Vec<Id>| Term { label: Bdd::TRUE, next, put_off: 0 };
        let terms = match self.pool.node(id).clone() {
            Node::True => vec![after(Vec::new())],
            Node::False => Vec::new(),
            Node::Literal(atom, positive) => {
                let atom = self.bdds.atom(atom);
                let label = if positive { atom } else { self.bdds.not(atom) };
                vec![Term { label, ..after(Vec::new()) }]
            }
            Node::Next(a) => vec![after(vec![a])],
            Node::And(parts) => self.all_terms(&parts)?,
            Node::Or(parts) => {
                let mut terms = Vec::new();
                for part in parts {
                    terms.extend(self.terms(part)?);
                }
                terms
            }
            Node::Until(a, b) => {
                let put_off = self.promise(b)?;
                let later = [Term { put_off, ..after(vec![id]) }];
                let (mut terms, first) = (self.terms(b)?, self.terms(a)?);
                terms.extend(self.both(&first, &later)?);
                terms
            }
            Node::Release(a, b) => {
                let (first, second) = (self.terms(a)?, self.terms(b)?);
                let mut terms = self.both(&first, &second)?;
                terms.extend(self.both(&second, &[after(vec![id])])?);
                terms
            }
        };
        let terms = self.without_idle(terms);
        self.terms.insert(id, terms.clone());
        Ok(terms)
    }

    /// All ways to satisfy all of some formulas.
    fn all_terms(&mut self, parts: &[Id]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term { label: Bdd::TRUE, next: Vec::new(), put_off: 0 }];
        for &part in parts {
            let others = self.terms(part)?;
            terms = self.both(&terms, &others)?;
        }
        Ok(terms)
    }

    /// The acceptance set of an until with this right side, as a bit.
    fn promise(&mut self, b: Id) -> Result<u64, TooLarge> {
        let known = self.promises.iter().position(|&promise| promise == b);
        let at = known.unwrap_or_else(|| {
            self.promises.push(b);
            self.promises.len() - 1
        });
        match at < MAX_SETS {
            true => Ok(1 << at),
            false => Err(too_large(&format!("more than {MAX_SETS} acceptance sets"))),
        }
    }

    /// All ways to satisfy two formulas at once.
    fn both(&mut self, left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = Vec::new();
        for a in left {
            for b in right {
                let label = self.bdds.and(a.label, b.label);
                if label == Bdd::FALSE {
                    continue;
                }
                let mut next = a.next.clone();
                next.extend(&b.next);
                next.sort_unstable();
                next.dedup();
                terms.push(Term { label, next, put_off: a.put_off | b.put_off });
            }
            if terms.len() > MAX_TERMS {
                return Err(too_large(&format!("more than {MAX_TERMS} alternatives in one state")));
            }
        }
        Ok(self.without_idle(terms))
    }

    /// Without the terms that ask for more than another does, in both what comes next and
    /// what is put off.
    fn without_idle(&mut self, terms: Vec<Term>) -> Vec<Term> {
        let mut kept: Vec<Term> = Vec::new();
        for term in terms {
            let covers = |bdds: &mut Bdds, a: &Term, b: &Term| {
                a.put_off & !b.put_off == 0
                    && a.next.iter().all(|f| b.next.contains(f))
                    && bdds.minus(b.label, a.label) == Bdd::FALSE
            };
            if kept.iter().any(|other| covers(&mut self.bdds, other, &term)) {
                continue;
            }
            kept.retain(|other| !covers(&mut self.bdds, &term, other));
            let same = kept.iter_mut().find(|k| (&k.next, k.put_off) == (&term.next, term.put_off));
            match same {
                Some(same) => same.label = self.bdds.or(same.label, term.label),
                None => kept.push(term),
            }
        }
        kept
    }

    fn automaton(self, n_atoms: usize) -> Automaton {
        let n_sets = self.promises.len() as u32;
        let edges_of = |edges: BTreeMap<(u32, u64), Bdd>| {
            let edge = |((to, put_off), label): ((u32, u64), Bdd)| {
                let marks = all_marks(n_sets) & !put_off;
                Edge { label, marks, to }
            };
            edges.into_iter().map(edge).collect()
        };
        let edges = self.edges.into_iter().map(edges_of).collect();
        Automaton { bdds: self.bdds, n_atoms, n_sets, initial: vec![0], edges }
    }
}

fn too_large(what: &str) -> TooLarge {
    TooLarge(format!("the formula's automaton has {what}: check the formula's parts one by one"))
}
