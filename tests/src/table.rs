//! A small model as a value: variables with few values each, and transitions
//! as lists of guarded assignments.

use asset_core::Family;
use asset_core::machine::Instance;
use asset_core::machine::{
    Accesses, CaseAccesses, Facts, Footprint, Footprints, LaneBits, Machine, ModelError, Packed,
    TransitionAccesses,
};
use asset_core::model::{
    Check, CheckKind, CheckSet, Description, Fair, Fault, NeverWithout, Obligations, Proposition,
    Shown, Temporal,
};
use asset_core::state::{Layout, Shape, StateVar};
use std::collections::HashMap;

/// The largest number of transitions: sets of them are bits of a byte.
pub const MAX_TRANSITIONS: usize = 8;

/// Names of the variables, in order.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// The index of the state check among a table's checks.
pub const STATE_CHECK: usize = 0;
/// The index of the deadlock check.
pub const DEADLOCK_CHECK: usize = 1;
/// The index of the may-progress check.
pub const MAY_CHECK: usize = 2;
/// The index of the must-progress check.
pub const MUST_CHECK: usize = 3;
/// The index of the check that some transitions do not go on without others, if there is one.
pub const NEVER_WITHOUT_CHECK: usize = 4;

/// The variables' values, in order.
pub type Values = Vec<u8>;

/// One or more variables have certain values; an empty list is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predicate(pub Vec<(usize, u8)>);

impl Predicate {
    /// Whether every variable's value is among the bits of its mask.
    pub fn holds(&self, values: &[u8]) -> bool {
        self.0.iter().all(|&(variable, mask)| mask >> values[variable] & 1 != 0)
    }
}

/// What happens to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It gets this value.
    Set(u8),
    /// It gets the next value, the first after the last.
    Next,
}

/// A guarded assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// When it can happen.
    pub guard: Predicate,
    /// What it does, variable by variable.
    pub effects: Vec<(usize, Effect)>,
}

/// A transition does the first of its branches whose guard holds.
pub type Transition = Vec<Branch>;

/// What the rules oblige in each state: for each transition a set, as bits.
/// In a state that is not listed everything is obliged.
pub type Rules = HashMap<Values, [u8; MAX_TRANSITIONS]>;

/// A model as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// How many values each variable has, at most eight.
    pub domains: Vec<u8>,
    /// The initial states.
    pub initial: Vec<Values>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// The states in which the state check fails.
    pub bad: Predicate,
    /// The terminal states in which the deadlock check fails.
    pub illegal: Predicate,
    /// The progress states of the may-progress check.
    pub may: Predicate,
    /// Whether termination is no progress for it.
    pub may_is_strict: bool,
    /// The progress states of the must-progress check.
    pub must: Predicate,
    /// Whether termination is no progress for it.
    pub must_is_strict: bool,
    /// The progress transitions, as bits.
    pub progress_transitions: u8,
    /// The progress states.
    pub progress_states: Predicate,
    /// The rules.
    pub rules: Rules,
    /// Words of a packed state; the variables are dealt out to them.
    pub n_words: usize,
}

impl Table {
    /// The state after a transition, or `None` if it is disabled.
    pub fn next(&self, values: &[u8], transition: usize) -> Option<Values> {
        let branch = self.transitions[transition].iter().find(|b| b.guard.holds(values))?;
        let mut next = values.to_vec();
        for &(variable, effect) in &branch.effects {
            next[variable] = match effect {
                Effect::Set(value) => value,
                Effect::Next => (next[variable] + 1) % self.domains[variable],
            };
        }
        Some(next)
    }

    fn pack(&self, values: &[u8]) -> Packed {
        let mut words = vec![0; self.n_words];
        for (i, &value) in values.iter().enumerate() {
            words[i % self.n_words] |= u64::from(value) << (8 * (i / self.n_words));
        }
        words.into()
    }

    /// The variables of a packed state.
    pub fn unpack(&self, state: &[u64]) -> Values {
        let value = |i: usize| (state[i % self.n_words] >> (8 * (i / self.n_words))) as u8;
        (0..self.domains.len()).map(value).collect()
    }

    /// The machine of this model.
    pub fn machine(self) -> TableMachine {
        let description = Description {
            name: "table",
            doc: "",
            checks: &CHECKS[usize::from(self.may_is_strict)][usize::from(self.must_is_strict)],
            has_rules: true,
            progress_transitions: self.progress_transitions != 0,
            progress_states: !self.progress_states.0.is_empty(),
            progress_edges: false,
            not_understood: &[],
        };
        let touched = self.transitions.iter().map(|branches| self.touched(branches)).collect();
        TableMachine { table: self, description, touched, says: Says::default() }
    }

    /// What transitions read and write, and at what the state check looks.
    fn accesses(&self) -> Accesses {
        let lane = |i: usize| {
            let start = 64 * (i % self.n_words) + 8 * (i / self.n_words);
            let largest = u64::from(self.domains[i]) - 1;
            LaneBits { start: start as u32, n_bits: 8, largest }
        };
        let sorted = |variables: &mut dyn Iterator<Item = usize>| {
            let mut variables: Vec<usize> = variables.collect();
            variables.sort_unstable();
            variables.dedup();
            variables
        };
        let case = |branches: &Transition| {
            let guards = branches.iter().flat_map(|b| b.guard.0.iter().map(|&(v, _)| v));
            let effects = || branches.iter().flat_map(|b| &b.effects);
            let next = effects().filter(|effect| effect.1 == Effect::Next).map(|&(v, _)| v);
            CaseAccesses {
                reads: sorted(&mut guards.chain(next)),
                writes: sorted(&mut effects().map(|&(v, _)| v)),
            }
        };
        let transition =
            |branches| TransitionAccesses { choice: None, cases: vec![case(branches)] };
        let looked_at = sorted(&mut self.bad.0.iter().map(|&(v, _)| v));
        Accesses {
            lanes: (0..self.domains.len()).map(lane).collect(),
            transitions: self.transitions.iter().map(transition).collect(),
            checks: vec![Some(looked_at), None, None, None],
        }
    }

    /// What a transition touches, as bits of a packed state.
    fn touched(&self, branches: &Transition) -> Vec<u64> {
        let guards = branches.iter().flat_map(|b| b.guard.0.iter().map(|&(v, _)| v));
        let effects = branches.iter().flat_map(|b| b.effects.iter().map(|&(v, _)| v));
        let mut values = vec![0; self.domains.len()];
        guards.chain(effects).for_each(|variable| values[variable] = u8::MAX);
        self.pack(&values).into_vec()
    }
}

/// The checks of a table, by whether may and must progress are strict.
static CHECKS: [[[Check; 4]; 2]; 2] =
    [[checks(false, false), checks(false, true)], [checks(true, false), checks(true, true)]];

const fn checks(may: bool, must: bool) -> [Check; 4] {
    [
        check("bad", CheckKind::State),
        check("illegal", CheckKind::Deadlock),
        check("may", CheckKind::MayProgress { strict: may }),
        check("must", CheckKind::MustProgress { strict: must }),
    ]
}

const fn check(name: &'static str, kind: CheckKind) -> Check {
    Check { name, doc: "", kind }
}

/// The checks of a table that says what must not go on without what.
static MORE_CHECKS: [Check; 5] = {
    let [a, b, c, d] = checks(false, false);
    [a, b, c, d, check("never", CheckKind::NeverWithout)]
};

/// What a table says of infinite runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Says {
    /// Where the propositions `p`, `q` and `r` are true.
    pub propositions: Vec<Predicate>,
    /// The fairness condition of each transition.
    pub fair: Vec<Option<Fair>>,
    /// What must not go on without what, by transition.
    pub roles: Vec<NeverWithout>,
}

/// The propositions that a table may have.
static PROPOSITIONS: [Proposition; 3] = [proposition("p"), proposition("q"), proposition("r")];

const fn proposition(name: &'static str) -> Proposition {
    Proposition { name, doc: "", parameters: &[] }
}

/// A family with one instance and no parameters. The machine lives as long as
/// the process: explorers take nothing less, and small machines are small.
pub fn family(machine: impl Machine + 'static) -> Family {
    let machine: &'static dyn Machine = Box::leak(Box::new(machine));
    let instance = Box::leak(Box::new(Instance { values: &[], machine }));
    let Description { name, doc, .. } = *machine.description();
    Family { name, doc, params: &[], instances: std::slice::from_ref(instance) }
}

/// The checks of a table that asks for a bad state instead.
static GOALS: [Check; 4] = [
    check("bad", CheckKind::Reachable),
    check("illegal", CheckKind::Deadlock),
    check("may", CheckKind::MayProgress { strict: false }),
    check("must", CheckKind::MustProgress { strict: false }),
];

impl TableMachine {
    /// The same model, in which a bad state is what is to be reachable.
    pub fn seeking(mut self) -> TableMachine {
        self.description.checks = &GOALS;
        self
    }
}

/// The machine of a [`Table`].
pub struct TableMachine {
    /// The model.
    pub table: Table,
    /// What the machine says that its transitions touch.
    pub touched: Vec<Vec<u64>>,
    description: Description,
    says: Says,
}

impl TableMachine {
    /// The same, with something to say of infinite runs.
    pub fn saying(mut self, says: Says) -> TableMachine {
        if !says.roles.is_empty() {
            self.description.checks = &MORE_CHECKS;
        }
        self.says = says;
        self
    }
}

/// One byte for each variable, by the number of variables: what a packed state
/// of one word has. A set of states may rely on how many bits are used.
static LAYOUTS: [Layout; 9] = layouts();

const fn layouts() -> [Layout; 9] {
    let mut layouts = [Layout::EMPTY; 9];
    let mut n = 1;
    while n < layouts.len() {
        layouts[n] = Layout::array(Layout::scalar(1, false, 0, 255, true), n);
        n += 1;
    }
    layouts
}

/// The variables by name, by their number.
static SHAPES: [Shape; 9] = [
    Shape::Record(&[]),
    Shape::Record(FIELDS.split_at(1).0),
    Shape::Record(FIELDS.split_at(2).0),
    Shape::Record(FIELDS.split_at(3).0),
    Shape::Record(FIELDS.split_at(4).0),
    Shape::Record(FIELDS.split_at(5).0),
    Shape::Record(FIELDS.split_at(6).0),
    Shape::Record(FIELDS.split_at(7).0),
    Shape::Record(FIELDS),
];

const FIELDS: &[(&str, &Shape)] = &[
    (NAMES[0], &u8::SHAPE),
    (NAMES[1], &u8::SHAPE),
    (NAMES[2], &u8::SHAPE),
    (NAMES[3], &u8::SHAPE),
    (NAMES[4], &u8::SHAPE),
    (NAMES[5], &u8::SHAPE),
    (NAMES[6], &u8::SHAPE),
    (NAMES[7], &u8::SHAPE),
];

impl Machine for TableMachine {
    fn facts(&self) -> Facts<'_> {
        let n = self.table.domains.len();
        Facts {
            description: &self.description,
            n_transitions: self.table.transitions.len(),
            n_words: self.table.n_words,
            layout: &LAYOUTS[n],
            shape: &SHAPES[n],
            packs_exactly: false,
        }
    }

    fn footprints(&self) -> Footprints {
        let touched = self.touched.iter().cloned().map(Footprint::plain);
        Footprints { firing: Some(touched.collect()), ..Footprints::default() }
    }

    fn accesses(&self) -> Option<Accesses> {
        Some(self.table.accesses())
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        Ok(self.table.initial.iter().map(|values| self.table.pack(values)).collect())
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        let next = self.table.next(&self.table.unpack(state), transition);
        Ok(next.map(|values| self.table.pack(&values)))
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        match self.table.rules.get(&self.table.unpack(state)) {
            None => need.all(),
            Some(obliged) => members(obliged[transition]).for_each(|u| need.add(u)),
        }
        Ok(())
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        let fails = on.contains(STATE_CHECK) && self.table.bad.holds(&self.table.unpack(state));
        Ok(fails.then(|| Fault { check: STATE_CHECK, message: "".into() }))
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        let values = self.table.unpack(state);
        let fails = on.contains(DEADLOCK_CHECK) && self.table.illegal.holds(&values);
        Ok(fails.then(|| Fault { check: DEADLOCK_CHECK, message: "".into() }))
    }

    fn progress_states(
        &self,
        states: &[u64],
        check: Option<usize>,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        let predicate = match check {
            Some(MAY_CHECK) => &self.table.may,
            Some(_) => &self.table.must,
            None if !self.description.progress_states => return Ok(()),
            None => &self.table.progress_states,
        };
        for (i, state) in states.chunks_exact(self.table.n_words).enumerate() {
            if predicate.holds(&self.table.unpack(state)) {
                good(i);
            }
        }
        Ok(())
    }

    fn temporal(&self) -> Temporal {
        Temporal { propositions: &PROPOSITIONS[..self.says.propositions.len()] }
    }

    fn proposition(&self, state: &[u64], index: usize, _: &[i64]) -> Result<bool, ModelError> {
        Ok(self.says.propositions[index].holds(&self.table.unpack(state)))
    }

    fn fairness(&self, transition: usize) -> Result<Option<Fair>, ModelError> {
        Ok(self.says.fair.get(transition).cloned().flatten())
    }

    fn never_without(&self, _: usize, transition: usize) -> Result<NeverWithout, ModelError> {
        Ok(self.says.roles.get(transition).copied().unwrap_or_default())
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        Ok(self.table.progress_transitions >> transition & 1 != 0)
    }

    fn progress_edge(&self, _: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.progress_transition(transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        format!("t{transition}")
    }

    fn show(&self, state: &[u64]) -> Shown {
        let values = self.table.unpack(state);
        let named = NAMES.iter().zip(values);
        Shown::Record(named.map(|(&name, value)| (name, Shown::Int(value.into()))).collect())
    }

    fn display(&self, _: &[u64]) -> Result<Option<String>, ModelError> {
        Ok(None)
    }
}

/// The members of a set given as bits, in order.
pub fn members(set: u8) -> impl Iterator<Item = usize> {
    (0..MAX_TRANSITIONS).filter(move |t| set >> t & 1 != 0)
}
