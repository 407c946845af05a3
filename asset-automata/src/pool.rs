//! Formulas in negation normal form, each stored once and simplified as it is made.
//!
//! The rules are those of F. Somenzi and R. Bloem, *Efficient Büchi Automata from LTL
//! Formulae* (2000), and K. Etessami and G. Holzmann, *Optimizing Büchi Automata* (2000):
//! implication by syntax, and formulas that are *eventual* (adding letters in front keeps
//! them true) or *universal* (so does taking letters away).

use crate::Ltl;
use std::collections::HashMap;

/// The number of a formula in its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id(u32);

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    False,
    /// An atom, or its negation.
    Literal(usize, bool),
    /// Two or more, sorted.
    And(Vec<Id>),
    /// Two or more, sorted.
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// Many formulas.
pub(crate) struct Pool {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Id>,
    negations: HashMap<Id, Id>,
    implications: HashMap<(Id, Id), bool>,
}

impl Pool {
    pub const TRUE: Id = Id(0);
    pub const FALSE: Id = Id(1);

    pub fn new() -> Pool {
        let mut pool = Pool {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
        };
        pool.store(Node::True);
        pool.store(Node::False);
        pool
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn store(&mut self, node: Node) -> Id {
        let next = Id(self.nodes.len() as u32);
        let id = *self.numbers.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// The formula in negation normal form; its negation unless `positive`.
    pub fn add(&mut self, formula: &Ltl, positive: bool) -> Id {
        match formula {
            Ltl::True => self.constant(positive),
            Ltl::False => self.constant(!positive),
            Ltl::Atom(atom) => self.store(Node::Literal(*atom, positive)),
            Ltl::Not(a) => self.add(a, !positive),
            Ltl::And(a, b) => self.join(a, b, (positive, positive), positive),
            Ltl::Or(a, b) => self.join(a, b, (positive, positive), !positive),
            Ltl::Implies(a, b) => self.join(a, b, (!positive, positive), !positive),
            Ltl::Iff(a, b) => {
                let both = self.join(a, b, (true, positive), true);
                let neither = self.join(a, b, (false, !positive), true);
                self.or(vec![both, neither])
            }
            Ltl::Next(a) => {
                let a = self.add(a, positive);
                self.next(a)
            }
            Ltl::Finally(a) => {
                let a = self.add(a, positive);
                if positive { self.until(Pool::TRUE, a) } else { self.release(Pool::FALSE, a) }
            }
            Ltl::Globally(a) => {
                let a = self.add(a, positive);
                if positive { self.release(Pool::FALSE, a) } else { self.until(Pool::TRUE, a) }
            }
            Ltl::Until(a, b) | Ltl::Release(a, b) => {
                let is_until = matches!(formula, Ltl::Until(..)) == positive;
                let (a, b) = (self.add(a, positive), self.add(b, positive));
                if is_until { self.until(a, b) } else { self.release(a, b) }
            }
            Ltl::WeakUntil(a, b) => {
                // `a W b` is `b R (a || b)`.
                let (a, b) = (self.add(a, positive), self.add(b, positive));
                if positive {
                    let either = self.or(vec![a, b]);
                    self.release(b, either)
                } else {
                    let both = self.and(vec![a, b]);
                    self.until(b, both)
                }
            }
        }
    }

    fn constant(&self, value: bool) -> Id {
        if value { Pool::TRUE } else { Pool::FALSE }
    }

    fn join(&mut self, a: &Ltl, b: &Ltl, positive: (bool, bool), all: bool) -> Id {
        let parts = vec![self.add(a, positive.0), self.add(b, positive.1)];
        if all { self.and(parts) } else { self.or(parts) }
    }

    pub fn not(&mut self, id: Id) -> Id {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let negation = match self.node(id).clone() {
            Node::True => Pool::FALSE,
            Node::False => Pool::TRUE,
            Node::Literal(atom, positive) => self.store(Node::Literal(atom, !positive)),
            Node::And(parts) => {
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                self.and(parts)
            }
            Node::Next(a) => {
                let a = self.not(a);
                self.next(a)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.not(a), self.not(b));
                self.release(a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.not(a), self.not(b));
                self.until(a, b)
            }
        };
        self.negations.insert(id, negation);
        negation
    }

    pub fn and(&mut self, parts: Vec<Id>) -> Id {
        self.nary(parts, true)
    }

    pub fn or(&mut self, parts: Vec<Id>) -> Id {
        self.nary(parts, false)
    }

    /// A conjunction, or its dual.
    fn nary(&mut self, parts: Vec<Id>, all: bool) -> Id {
        let (unit, zero) = (self.constant(all), self.constant(!all));
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) if all => flat.extend(inner),
                Node::Or(inner) if !all => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&part| part != unit);
        let merged = self.merge(&flat, all);
        if merged != flat {
            return self.nary(merged, all);
        }
        // What follows from another part, or is followed by one, adds nothing.
        let mut kept: Vec<Id> = Vec::new();
        for (i, &part) in flat.iter().enumerate() {
            let others = kept.iter().chain(&flat[i + 1..]);
            let others: Vec<Id> = others.copied().collect();
            let is_idle = others.into_iter().any(|other| match all {
                true => self.implies(other, part),
                false => self.implies(part, other),
            });
            if !is_idle {
                kept.push(part);
            }
        }
        for (i, &a) in kept.iter().enumerate() {
            for &b in &kept[i + 1..] {
                let not_b = self.not(b);
                let clash = if all { self.implies(a, not_b) } else { self.implies(not_b, a) };
                if clash {
                    return zero;
                }
            }
        }
        match kept.len() {
            0 => unit,
            1 => kept[0],
            _ if kept.contains(&zero) => zero,
            _ => self.store(if all { Node::And(kept) } else { Node::Or(kept) }),
        }
    }

    /// Puts together parts that have a side in common: `G a && G b` is `G (a && b)`, and
    /// so on.
    fn merge(&mut self, parts: &[Id], all: bool) -> Vec<Id> {
        for (i, &one) in parts.iter().enumerate() {
            for &other in &parts[i + 1..] {
                let joined = match (self.node(one).clone(), self.node(other).clone()) {
                    (Node::Next(a), Node::Next(b)) => {
                        let both = self.nary(vec![a, b], all);
                        self.next(both)
                    }
                    (Node::Release(a, b), Node::Release(c, d)) if all && a == c => {
                        let right = self.and(vec![b, d]);
                        self.release(a, right)
                    }
                    (Node::Release(a, b), Node::Release(c, d)) if !all && b == d => {
                        let left = self.or(vec![a, c]);
                        self.release(left, b)
                    }
                    (Node::Until(a, b), Node::Until(c, d)) if !all && a == c => {
                        let right = self.or(vec![b, d]);
                        self.until(a, right)
                    }
                    (Node::Until(a, b), Node::Until(c, d)) if all && b == d => {
                        let left = self.and(vec![a, c]);
                        self.until(left, b)
                    }
                    _ => continue,
                };
                let others = parts.iter().copied().filter(|&part| part != one && part != other);
                let mut merged: Vec<Id> = others.chain([joined]).collect();
                merged.sort_unstable();
                merged.dedup();
                return merged;
            }
        }
        parts.to_vec()
    }

    pub fn next(&mut self, a: Id) -> Id {
        if a == Pool::TRUE || a == Pool::FALSE || self.is_eventual(a) && self.is_universal(a) {
            return a;
        }
        self.store(Node::Next(a))
    }

    pub fn until(&mut self, a: Id, b: Id) -> Id {
        if a == Pool::FALSE || b == Pool::TRUE || b == Pool::FALSE || self.is_eventual(b) {
            return b;
        }
        if self.implies(a, b) {
            return b;
        }
        let not_a = self.not(a);
        if a != Pool::TRUE && self.implies(not_a, b) {
            return self.until(Pool::TRUE, b);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.until(a, b);
                self.next(inner)
            }
            (Node::True, Node::Next(b)) => {
                let inner = self.until(a, b);
                self.next(inner)
            }
            (Node::True, Node::Until(_, b)) => self.until(a, b),
            // What is true of every suffix or of none need not wait.
            (_, Node::And(parts)) => {
                let still =
                    |pool: &Self, &part: &Id| pool.is_eventual(part) && pool.is_universal(part);
                let (out, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|part| still(self, part));
                if out.is_empty() {
                    return self.store(Node::Until(a, b));
                }
                let rest = self.and(rest);
                let inner = self.until(a, rest);
                self.and(out.into_iter().chain([inner]).collect())
            }
            (_, Node::Or(parts)) => {
                let (out, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|&part| self.is_eventual(part));
                if out.is_empty() {
                    return self.store(Node::Until(a, b));
                }
                let rest = self.or(rest);
                let inner = self.until(a, rest);
                self.or(out.into_iter().chain([inner]).collect())
            }
            (_, Node::Until(c, _)) if self.implies(a, c) => b,
            _ => self.store(Node::Until(a, b)),
        }
    }

    pub fn release(&mut self, a: Id, b: Id) -> Id {
        if a == Pool::TRUE || b == Pool::TRUE || b == Pool::FALSE || self.is_universal(b) {
            return b;
        }
        if self.implies(b, a) {
            return b;
        }
        // All that `until` knows, by its dual.
        let (not_a, not_b) = (self.not(a), self.not(b));
        let until = self.until(not_a, not_b);
        match self.node(until) {
            Node::Until(c, d) if (*c, *d) == (not_a, not_b) => {
                let release = self.store(Node::Release(a, b));
                self.negations.insert(until, release);
                self.negations.insert(release, until);
                release
            }
            _ => self.not(until),
        }
    }

    /// Whether the formula stays true if letters are added in front.
    fn is_eventual(&self, id: Id) -> bool {
        match self.node(id) {
            Node::True | Node::False => true,
            Node::Literal(..) => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|&part| self.is_eventual(part)),
            Node::Next(a) => self.is_eventual(*a),
            Node::Until(a, _) if *a == Pool::TRUE => true,
            Node::Until(a, b) | Node::Release(a, b) => self.is_eventual(*a) && self.is_eventual(*b),
        }
    }

    /// Whether the formula stays true if letters in front are taken away.
    fn is_universal(&self, id: Id) -> bool {
        match self.node(id) {
            Node::True | Node::False => true,
            Node::Literal(..) => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|&part| self.is_universal(part)),
            Node::Next(a) => self.is_universal(*a),
            Node::Release(a, _) if *a == Pool::FALSE => true,
            Node::Until(a, b) | Node::Release(a, b) => {
                self.is_universal(*a) && self.is_universal(*b)
            }
        }
    }

    /// Whether `b` follows from `a`, as far as that is easy to see.
    pub fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == Pool::FALSE || b == Pool::TRUE {
            return true;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        // Until it is known, a question that comes back to itself is not seen.
        self.implications.insert((a, b), false);
        let answer = self.seen_to_imply(a, b);
        self.implications.insert((a, b), answer);
        answer
    }

    fn seen_to_imply(&mut self, a: Id, b: Id) -> bool {
        let (left, right) = (self.node(a).clone(), self.node(b).clone());
        match &right {
            Node::And(parts) => return parts.iter().all(|&part| self.implies(a, part)),
            Node::Or(parts) if parts.iter().any(|&part| self.implies(a, part)) => return true,
            Node::Until(_, d) if self.implies(a, *d) => return true,
            Node::Release(c, d) if self.implies(a, *c) && self.implies(a, *d) => return true,
            Node::Release(_, d) if self.is_universal(a) && self.implies(a, *d) => return true,
            Node::Next(d) if self.is_universal(a) && self.implies(a, *d) => return true,
            _ => {}
        }
        match (&left, &right) {
            (Node::Or(parts), _) => return parts.iter().all(|&part| self.implies(part, b)),
            (Node::And(parts), _) if parts.iter().any(|&part| self.implies(part, b)) => {
                return true;
            }
            (Node::Until(c, d), _) if self.implies(*c, b) && self.implies(*d, b) => return true,
            (Node::Until(_, d), _) if self.is_eventual(b) && self.implies(*d, b) => return true,
            (Node::Next(c), _) if self.is_eventual(b) && self.implies(*c, b) => return true,
            (Node::Release(_, d), _) if self.implies(*d, b) => return true,
            _ => {}
        }
        match (left, right) {
            (Node::Until(c, d), Node::Until(e, f)) | (Node::Release(c, d), Node::Release(e, f)) => {
                self.implies(c, e) && self.implies(d, f)
            }
            (Node::Next(c), Node::Next(d)) => self.implies(c, d),
            _ => false,
        }
    }
}
