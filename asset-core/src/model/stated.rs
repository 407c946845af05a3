//! Formulas as models state them: constant data that the compiler has checked.

use super::Resolve;
use asset_automata::{Ltl, MAX_ATOMS};

/// The most parameters that a proposition may have behind the state.
pub const MAX_PARAMETERS: usize = 4;

/// The most operators and propositions in a formula, after `forall` and `exists` have been
/// written out.
pub const MAX_STEPS: usize = 512;

/// A step on the way to a formula: each takes what it needs from what the steps before it
/// have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `true`
    True,
    /// `false`
    False,
    /// A proposition with its arguments.
    Proposition(Asked),
    /// `!`
    Not,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
}

/// A proposition with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its index among the model's propositions.
    pub index: usize,
    /// How many arguments there are.
    pub n_arguments: usize,
    /// The arguments, and zeros.
    pub arguments: [i64; MAX_PARAMETERS],
}

/// What `ltl!` stands for: a formula of linear temporal logic over the model's propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedFormula(&'static [Step]);

impl StatedFormula {
    /// True of every run.
    pub const TRUE: StatedFormula = StatedFormula(&[Step::True]);

    /// The formula to which these steps lead.
    pub const fn new(steps: &'static [Step]) -> Self {
        StatedFormula(steps)
    }

    /// The formula as a tree over the atoms that `atom` numbers.
    ///
    /// # Panics
    ///
    /// If its steps lead to none.
    pub fn tree(&self, atom: &mut Resolve<'_>) -> Ltl {
        const WRONG: &str = "the steps of a formula lead to one";
        let mut made: Vec<Ltl> = Vec::new();
        for step in self.0 {
            let mut take = || made.pop().expect(WRONG);
            let two = |of: fn(Ltl, Ltl) -> Ltl, last: Ltl, first: Ltl| of(first, last);
            let next = match step {
                Step::True => Ltl::True,
                Step::False => Ltl::False,
                Step::Proposition(asked) => {
                    Ltl::Atom(atom(asked.index, &asked.arguments[..asked.n_arguments]))
                }
                Step::Not => Ltl::not(take()),
                Step::Next => Ltl::next(take()),
                Step::Finally => Ltl::finally(take()),
                Step::Globally => Ltl::globally(take()),
                Step::And => two(Ltl::and, take(), take()),
                Step::Or => two(Ltl::or, take(), take()),
                Step::Implies => two(Ltl::implies, take(), take()),
                Step::Iff => two(Ltl::iff, take(), take()),
                Step::Until => two(Ltl::until, take(), take()),
                Step::WeakUntil => two(Ltl::weak_until, take(), take()),
                Step::Release => two(Ltl::release, take(), take()),
            };
            made.push(next);
        }
        made.pop().filter(|_| made.is_empty()).expect(WRONG)
    }
}

/// Collects the steps of a formula while a model is compiled.
#[derive(Clone, Copy)]
pub struct Steps {
    list: [Step; MAX_STEPS],
    n: usize,
    known: [Option<Asked>; MAX_ATOMS],
}

impl Steps {
    /// None yet.
    pub const NONE: Steps = Steps { list: [Step::True; MAX_STEPS], n: 0, known: [None; MAX_ATOMS] };

    /// Adds a step. What calls it is on the author's tokens.
    #[track_caller]
    pub const fn add(&mut self, step: Step) {
        assert!(
            self.n < MAX_STEPS,
            "this formula has more than 512 operators and propositions when `forall` and `exists` \
             are written out: make it a check for each part, or use smaller ranges"
        );
        self.list[self.n] = step;
        self.n += 1;
    }

    /// Adds a proposition.
    #[track_caller]
    pub const fn ask<const N: usize>(&mut self, index: usize, given: [i64; N]) {
        let mut arguments = [0; MAX_PARAMETERS];
        let mut i = 0;
        while i < N {
            arguments[i] = given[i];
            i += 1;
        }
        let asked = Asked { index, n_arguments: N, arguments };
        let mut at = 0;
        while at < MAX_ATOMS {
            match &self.known[at] {
                Some(known) if same(known, &asked) => break,
                Some(_) => at += 1,
                None => {
                    self.known[at] = Some(asked);
                    break;
                }
            }
        }
        assert!(
            at < MAX_ATOMS,
            "this formula asks for more than 64 propositions, each with each of its arguments: \
             make it a check for each part, or use smaller ranges"
        );
        self.add(Step::Proposition(asked));
    }

    /// How many there are.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// The steps, of which there are `N`.
    pub const fn list<const N: usize>(&self) -> [Step; N] {
        let mut list = [Step::True; N];
        let mut i = 0;
        while i < N {
            list[i] = self.list[i];
            i += 1;
        }
        list
    }
}

/// Whether these are one proposition with the same arguments.
const fn same(one: &Asked, other: &Asked) -> bool {
    let mut is_same = one.index == other.index && one.n_arguments == other.n_arguments;
    let mut i = 0;
    while is_same && i < one.n_arguments {
        is_same = one.arguments[i] == other.arguments[i];
        i += 1;
    }
    is_same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_the_formula_that_was_written() {
        // forall i in 0..2: G (p(i) -> F q)
        const STEPS: Steps = {
            let mut steps = Steps::NONE;
            let mut i = 0;
            while i < 2 {
                steps.ask(0, [i]);
                steps.ask(1, []);
                steps.add(Step::Finally);
                steps.add(Step::Implies);
                steps.add(Step::Globally);
                i += 1;
            }
            steps.add(Step::And);
            steps
        };
        const LIST: [Step; STEPS.n()] = STEPS.list();
        let mut atoms = Vec::new();
        let formula = StatedFormula::new(&LIST).tree(&mut |index, arguments| {
            atoms.push((index, arguments.to_vec()));
            atoms.len() - 1
        });
        assert_eq!(formula.to_string(), "G (p0 -> F p1) && G (p2 -> F p3)");
        assert_eq!(atoms, [(0, vec![0]), (1, vec![]), (0, vec![1]), (1, vec![])]);
        assert_eq!(StatedFormula::TRUE.tree(&mut |_, _| 0), Ltl::True);
    }
}
