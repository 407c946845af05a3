//! Formulas of linear temporal logic as trees.

use std::fmt;

/// The most atoms that a formula may have: a letter is a word of so many bits.
pub const MAX_ATOMS: usize = 64;

/// A formula over numbered atoms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ltl {
    /// True of every run.
    True,
    /// True of none.
    False,
    /// The atom with this number is true now.
    Atom(usize),
    /// `!a`
    Not(Box<Ltl>),
    /// `a && b`
    And(Box<Ltl>, Box<Ltl>),
    /// `a || b`
    Or(Box<Ltl>, Box<Ltl>),
    /// `a -> b`
    Implies(Box<Ltl>, Box<Ltl>),
    /// `a <-> b`
    Iff(Box<Ltl>, Box<Ltl>),
    /// `X a`: in the next state.
    Next(Box<Ltl>),
    /// `F a`: now or some time.
    Finally(Box<Ltl>),
    /// `G a`: from now on always.
    Globally(Box<Ltl>),
    /// `a U b`: `b` will be true, and `a` is until then.
    Until(Box<Ltl>, Box<Ltl>),
    /// `a W b`: the same, but `b` need not come if `a` stays.
    WeakUntil(Box<Ltl>, Box<Ltl>),
    /// `a R b`: `b` is true up to and including where `a` is, and for ever if `a` never is.
    Release(Box<Ltl>, Box<Ltl>),
}

// The names are those of the operators, which are no methods of a value.
#[allow(clippy::should_implement_trait)]
impl Ltl {
    /// `!a`
    pub fn not(a: Ltl) -> Ltl {
        Ltl::Not(Box::new(a))
    }

    /// `a && b`
    pub fn and(a: Ltl, b: Ltl) -> Ltl {
        Ltl::And(Box::new(a), Box::new(b))
    }

    /// `a || b`
    pub fn or(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Or(Box::new(a), Box::new(b))
    }

    /// `a -> b`
    pub fn implies(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Implies(Box::new(a), Box::new(b))
    }

    /// `a <-> b`
    pub fn iff(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Iff(Box::new(a), Box::new(b))
    }

    /// `X a`
    pub fn next(a: Ltl) -> Ltl {
        Ltl::Next(Box::new(a))
    }

    /// `F a`
    pub fn finally(a: Ltl) -> Ltl {
        Ltl::Finally(Box::new(a))
    }

    /// `G a`
    pub fn globally(a: Ltl) -> Ltl {
        Ltl::Globally(Box::new(a))
    }

    /// `a U b`
    pub fn until(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Until(Box::new(a), Box::new(b))
    }

    /// `a W b`
    pub fn weak_until(a: Ltl, b: Ltl) -> Ltl {
        Ltl::WeakUntil(Box::new(a), Box::new(b))
    }

    /// `a R b`
    pub fn release(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Release(Box::new(a), Box::new(b))
    }

    /// All of them; `true` if there are none.
    pub fn all(parts: impl IntoIterator<Item = Ltl>) -> Ltl {
        parts.into_iter().reduce(Ltl::and).unwrap_or(Ltl::True)
    }

    /// Any of them; `false` if there are none.
    pub fn any(parts: impl IntoIterator<Item = Ltl>) -> Ltl {
        parts.into_iter().reduce(Ltl::or).unwrap_or(Ltl::False)
    }

    /// The parts of the outermost operator.
    pub fn parts(&self) -> impl Iterator<Item = &Ltl> {
        let (one, other): (Option<&Ltl>, Option<&Ltl>) = match self {
            Ltl::True | Ltl::False | Ltl::Atom(_) => (None, None),
            Ltl::Not(a) | Ltl::Next(a) | Ltl::Finally(a) | Ltl::Globally(a) => (Some(a), None),
            Ltl::And(a, b)
            | Ltl::Or(a, b)
            | Ltl::Implies(a, b)
            | Ltl::Iff(a, b)
            | Ltl::Until(a, b)
            | Ltl::WeakUntil(a, b)
            | Ltl::Release(a, b) => (Some(a), Some(b)),
        };
        one.into_iter().chain(other)
    }

    /// Number of operators.
    pub fn n_operators(&self) -> usize {
        let own = usize::from(!matches!(self, Ltl::True | Ltl::False | Ltl::Atom(_)));
        own + self.parts().map(Ltl::n_operators).sum::<usize>()
    }

    /// One more than the largest number of an atom.
    pub fn n_atoms(&self) -> usize {
        match self {
            Ltl::Atom(n) => n + 1,
            _ => self.parts().map(Ltl::n_atoms).max().unwrap_or(0),
        }
    }

    /// Whether the formula speaks of the next state, so that it may tell a run from one
    /// that stutters.
    pub fn has_next(&self) -> bool {
        matches!(self, Ltl::Next(_)) || self.parts().any(Ltl::has_next)
    }

    /// Whether the formula has no temporal operator.
    pub fn is_propositional(&self) -> bool {
        match self {
            Ltl::Next(_)
            | Ltl::Finally(_)
            | Ltl::Globally(_)
            | Ltl::Until(..)
            | Ltl::WeakUntil(..)
            | Ltl::Release(..) => false,
            _ => self.parts().all(Ltl::is_propositional),
        }
    }

    /// The formula as text, with a name for each atom. [`parse`](crate::parse()) reads it back.
    pub fn show(&self, name: &dyn Fn(usize) -> String) -> String {
        let of = |part: &Ltl| match part {
            Ltl::And(..)
            | Ltl::Or(..)
            | Ltl::Implies(..)
            | Ltl::Iff(..)
            | Ltl::Until(..)
            | Ltl::WeakUntil(..)
            | Ltl::Release(..) => format!("({})", part.show(name)),
            _ => part.show(name),
        };
        let two = |a: &Ltl, operator: &str, b: &Ltl| format!("{} {operator} {}", of(a), of(b));
        match self {
            Ltl::True => "true".to_owned(),
            Ltl::False => "false".to_owned(),
            Ltl::Atom(n) => name(*n),
            Ltl::Not(a) => format!("!{}", of(a)),
            Ltl::And(a, b) => two(a, "&&", b),
            Ltl::Or(a, b) => two(a, "||", b),
            Ltl::Implies(a, b) => two(a, "->", b),
            Ltl::Iff(a, b) => two(a, "<->", b),
            Ltl::Next(a) => format!("X {}", of(a)),
            Ltl::Finally(a) => format!("F {}", of(a)),
            Ltl::Globally(a) => format!("G {}", of(a)),
            Ltl::Until(a, b) => two(a, "U", b),
            Ltl::WeakUntil(a, b) => two(a, "W", b),
            Ltl::Release(a, b) => two(a, "R", b),
        }
    }

    /// The formulas that come out if the right side of one implication that stands
    /// positively is replaced by `false`, each with the left side of that implication.
    ///
    /// A formula that holds and still holds then does so vacuously: nothing rests on the
    /// right side (I. Beer, S. Ben-David, C. Eisner and Y. Rodeh, *Efficient Detection of
    /// Vacuity in Temporal Model Checking*, 2001).
    pub fn without_a_conclusion(&self) -> Vec<(Ltl, Ltl)> {
        fn go(f: &Ltl, wrap: &dyn Fn(Ltl) -> Ltl, found: &mut Vec<(Ltl, Ltl)>) {
            match f {
                Ltl::Implies(a, b) => {
                    found.push(((**a).clone(), wrap(Ltl::not((**a).clone()))));
                    go(b, &|b| wrap(Ltl::implies((**a).clone(), b)), found);
                }
                Ltl::And(a, b) => {
                    // Each part of a conjunction holds by itself.
                    go(a, wrap, found);
                    go(b, wrap, found);
                }
                Ltl::Or(a, b) => {
                    go(a, &|a| wrap(Ltl::or(a, (**b).clone())), found);
                    go(b, &|b| wrap(Ltl::or((**a).clone(), b)), found);
                }
                Ltl::Globally(a) => go(a, &|a| wrap(Ltl::globally(a)), found),
                Ltl::Finally(a) => go(a, &|a| wrap(Ltl::finally(a)), found),
                Ltl::Next(a) => go(a, &|a| wrap(Ltl::next(a)), found),
                _ => {}
            }
        }
        let mut found = Vec::new();
        go(self, &|f| f, &mut found);
        found
    }
}

impl fmt::Display for Ltl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&|n| format!("p{n}")))
    }
}
