//! A bundled model that is asked more than its author asks: with propositions, fairness and
//! watched transitions of somebody else.

use asset_core::Family;
use asset_core::machine::{Facts, Footprints, Machine, ModelError, Opened, Packed, Successors};
use asset_core::model::{
    Check, CheckKind, CheckSet, Description, Fair, Fault, NeverWithout, Obligations, Order,
    Proposition, Shown, Temporal,
};

/// A predicate of the text of a state's variables, with the name that formulas use.
pub type Predicate = (&'static str, fn(&str) -> bool);

/// Answers as the inner machine does, but for what is asked of infinite runs.
pub struct Asked {
    inner: &'static dyn Machine,
    description: Description,
    propositions: &'static [Proposition],
    predicates: Vec<Predicate>,
    /// The group that each transition is weakly fair in, by its name.
    pub process: Option<fn(&str) -> String>,
    /// What must not go on without what, by the number of a transition.
    pub roles: Vec<NeverWithout>,
    /// The progress states, of packed states.
    good: Option<fn(&[u64]) -> bool>,
}

/// The name of the check that [`Asked::roles`] makes.
pub const NEVER: &str = "never_without_it";
/// The name of the check that every cycle has a progress state.
pub const MUST: &str = "must";
/// The same, and every terminal state is one.
pub const MUST_STRICTLY: &str = "must_strictly";

impl Asked {
    /// The instance of a family with these parameters.
    pub fn of(family: &Family, params: &[(&str, &str)], predicates: &[Predicate]) -> Asked {
        let owned: Vec<(String, String)> =
            params.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let inner = family.instance(&owned).expect("an instance").machine;
        let proposition = |&(name, _): &Predicate| Proposition { name, doc: "", parameters: &[] };
        let propositions: Vec<Proposition> = predicates.iter().map(proposition).collect();
        // Formulas of its author are over other propositions, and must not be selected.
        let mut checks: Vec<Check> = inner.description().checks.to_vec();
        checks.push(Check { name: NEVER, doc: "", kind: CheckKind::NeverWithout });
        for (name, strict) in [(MUST, false), (MUST_STRICTLY, true)] {
            checks.push(Check { name, doc: "", kind: CheckKind::MustProgress { strict } });
        }
        let description = Description { checks: checks.leak(), ..*inner.description() };
        Asked {
            inner,
            description,
            propositions: propositions.leak(),
            predicates: predicates.to_vec(),
            process: None,
            roles: Vec::new(),
            good: None,
        }
    }

    /// Makes these the progress states, of livelocks and of [`MUST`], and nothing else progress.
    pub fn label(mut self, good: fn(&[u64]) -> bool) -> Asked {
        self.good = Some(good);
        self.description.progress_transitions = false;
        self.description.progress_states = true;
        self.description.progress_edges = false;
        self
    }

    /// Makes the remedies the progress transitions, and no states progress.
    pub fn label_remedies(mut self) -> Asked {
        self.description.progress_transitions = true;
        self.description.progress_states = false;
        self.description.progress_edges = false;
        self
    }
}

impl Machine for Asked {
    fn facts(&self) -> Facts<'_> {
        Facts { description: &self.description, ..self.inner.facts() }
    }

    fn footprints(&self) -> Footprints {
        self.inner.footprints()
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        self.inner.initial_states()
    }

    fn expand(&self, states: &[u64], order: Order, out: &mut Successors) -> Result<(), ModelError> {
        self.inner.expand(states, order, out)
    }

    fn open(&self, state: &[u64], see: &mut dyn FnMut(&dyn Opened)) -> Result<(), ModelError> {
        self.inner.open(state, see)
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        self.inner.fire(state, transition)
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        self.inner.obligations(state, transition, need)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.state_fault(state, on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.deadlock_fault(state, on)
    }

    fn progress_states(
        &self,
        states: &[u64],
        check: Option<usize>,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        let Some(is_good) = self.good else {
            return self.inner.progress_states(states, check, good);
        };
        let each = states.chunks_exact(self.inner.n_words()).enumerate();
        each.filter(|(_, state)| is_good(state)).for_each(|(i, _)| good(i));
        Ok(())
    }

    fn temporal(&self) -> Temporal {
        Temporal { propositions: self.propositions }
    }

    fn proposition(&self, state: &[u64], index: usize, _: &[i64]) -> Result<bool, ModelError> {
        Ok(self.predicates[index].1(&self.inner.show(state).to_string()))
    }

    fn fairness(&self, transition: usize) -> Result<Option<Fair>, ModelError> {
        let name = self.inner.transition_name(transition);
        let fair =
            |process: fn(&str) -> String| Fair { is_strong: false, group: Some(process(&name)) };
        Ok(self.process.map(fair))
    }

    fn never_without(&self, _: usize, transition: usize) -> Result<NeverWithout, ModelError> {
        Ok(self.roles.get(transition).copied().unwrap_or_default())
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        Ok(self.roles.get(transition).is_some_and(|role| role.is_remedy))
    }

    fn progress_edge(&self, _: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.progress_transition(transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        self.inner.transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        self.inner.show(state)
    }

    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError> {
        self.inner.display(state)
    }
}
