//! Boolean functions of atoms as binary decision diagrams, so that equal labels are equal.
//!
//! R. Bryant, *Graph-Based Algorithms for Boolean Function Manipulation* (1986). Atoms are
//! tested in the order of their numbers. Nothing is ever freed: labels are small.

use std::collections::HashMap;

/// A function: the number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(u32);

impl Bdd {
    /// True of no letter.
    pub const FALSE: Bdd = Bdd(0);
    /// True of every letter.
    pub const TRUE: Bdd = Bdd(1);
}

/// A test of one atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    atom: u8,
    no: Bdd,
    yes: Bdd,
}

/// The nodes of many functions.
#[derive(Clone, Debug)]
pub struct Bdds {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Bdd>,
    conjunctions: HashMap<(Bdd, Bdd), Bdd>,
    negations: HashMap<Bdd, Bdd>,
}

impl Default for Bdds {
    fn default() -> Self {
        // The two constants test an atom that comes after all others.
        let of = |constant| Node { atom: u8::MAX, no: constant, yes: constant };
        Bdds {
            nodes: vec![of(Bdd::FALSE), of(Bdd::TRUE)],
            numbers: HashMap::new(),
            conjunctions: HashMap::new(),
            negations: HashMap::new(),
        }
    }
}

impl Bdds {
    fn node(&mut self, atom: u8, no: Bdd, yes: Bdd) -> Bdd {
        if no == yes {
            return no;
        }
        let node = Node { atom, no, yes };
        let next = Bdd(self.nodes.len() as u32);
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    /// True if the atom is.
    pub fn atom(&mut self, atom: usize) -> Bdd {
        self.node(atom as u8, Bdd::FALSE, Bdd::TRUE)
    }

    /// True where `a` is false.
    pub fn not(&mut self, a: Bdd) -> Bdd {
        if a.0 < 2 {
            return Bdd(1 - a.0);
        }
        if let Some(&known) = self.negations.get(&a) {
            return known;
        }
        let Node { atom, no, yes } = self.nodes[a.0 as usize];
        let (no, yes) = (self.not(no), self.not(yes));
        let result = self.node(atom, no, yes);
        self.negations.insert(a, result);
        result
    }

    /// True where both are.
    pub fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let (a, b) = (a.min(b), a.max(b));
        if a == Bdd::FALSE || a == b {
            return a;
        }
        if a == Bdd::TRUE {
            return b;
        }
        if let Some(&known) = self.conjunctions.get(&(a, b)) {
            return known;
        }
        let (x, y) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
        let atom = x.atom.min(y.atom);
        let split = |of: Bdd, node: Node| match node.atom == atom {
            true => (node.no, node.yes),
            false => (of, of),
        };
        let ((a_no, a_yes), (b_no, b_yes)) = (split(a, x), split(b, y));
        let (no, yes) = (self.and(a_no, b_no), self.and(a_yes, b_yes));
        let result = self.node(atom, no, yes);
        self.conjunctions.insert((a, b), result);
        result
    }

    /// True where one of them is.
    pub fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// True where `a` is and `b` is not.
    pub fn minus(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let b = self.not(b);
        self.and(a, b)
    }

    /// The value for one letter.
    #[inline]
    pub fn holds(&self, function: Bdd, letter: u64) -> bool {
        let mut at = function;
        while at.0 > 1 {
            let node = self.nodes[at.0 as usize];
            at = if letter >> node.atom & 1 != 0 { node.yes } else { node.no };
        }
        at == Bdd::TRUE
    }

    /// The function as text, with a name for each atom: alternatives of conjunctions.
    pub fn show(&self, function: Bdd, name: &dyn Fn(usize) -> String) -> String {
        if function == Bdd::TRUE {
            return "true".to_owned();
        }
        let mut terms = Vec::new();
        self.collect(function, &mut Vec::new(), &mut terms, name);
        if terms.is_empty() { "false".to_owned() } else { terms.join(" | ") }
    }

    fn collect(
        &self,
        at: Bdd,
        literals: &mut Vec<String>,
        terms: &mut Vec<String>,
        name: &dyn Fn(usize) -> String,
    ) {
        match at {
            Bdd::FALSE => {}
            Bdd::TRUE => terms.push(literals.join(" & ")),
            _ => {
                let Node { atom, no, yes } = self.nodes[at.0 as usize];
                for (mark, next) in [("", yes), ("!", no)] {
                    literals.push(format!("{mark}{}", name(atom.into())));
                    self.collect(next, literals, terms, name);
                    literals.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_their_truth_tables() {
        let mut bdds = Bdds::default();
        let mut known = vec![(Bdd::FALSE, 0u8), (Bdd::TRUE, 255)];
        for (atom, table) in [(0, 0b1010_1010), (1, 0b1100_1100), (2, 0b1111_0000)] {
            known.push((bdds.atom(atom), table));
        }
        for i in 0..400 {
            let (a, ta) = known[i * 7 % known.len()];
            let (b, tb) = known[i * 5 % known.len()];
            known.push((bdds.and(a, b), ta & tb));
            known.push((bdds.or(a, b), ta | tb));
            known.push((bdds.minus(a, b), ta & !tb));
            known.push((bdds.not(a), !ta));
        }
        for &(function, table) in &known {
            for letter in 0..8 {
                assert_eq!(bdds.holds(function, letter), table >> letter & 1 != 0);
            }
            assert!(known.iter().all(|&(f, t)| (f == function) == (t == table)));
        }
    }
}
