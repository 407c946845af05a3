//! What is asked of infinite runs, made ready: formulas over numbered atoms, automata, sets
//! of transitions.

use super::atoms::Atoms;
use super::options::Extra;
use crate::explorer::{RunError, model_error};
use crate::machine::Machine;
use crate::model::{Atom, CheckKind, NeverWithout};
use asset_automata::{Automaton, Ltl, parse, read_hoa, translate};

/// A property of infinite runs.
pub(super) struct Property<'m> {
    /// The check's name, the formula's text, or the file's name.
    pub name: String,
    /// `ltl`, `automaton` or `never without`.
    pub kind: &'static str,
    /// Its index among the model's checks, if it is one.
    pub check: Option<usize>,
    pub atoms: Atoms<'m>,
    pub aim: Aim,
}

/// What a run must do, or must not.
pub(super) enum Aim {
    /// The formula holds.
    Formula(Ltl),
    /// The automaton does not accept.
    Automaton(Box<Automaton>),
    /// No watched transition again and again without a remedy, by transition.
    NeverWithout(Vec<NeverWithout>),
}

impl<'m> Property<'m> {
    /// A temporal check of the model.
    pub fn of_check(machine: &'m dyn Machine, check: usize) -> Result<Self, RunError> {
        let described = &machine.description().checks[check];
        let (name, kind) = (described.name.to_owned(), described.kind.name());
        let mut atoms = Atoms::new(machine);
        let wrong = |e| model_error(machine, &e, None);
        let aim = if described.kind == CheckKind::NeverWithout {
            let roles = (0..machine.n_transitions()).map(|t| machine.never_without(check, t));
            Aim::NeverWithout(roles.collect::<Result<_, _>>().map_err(wrong)?)
        } else {
            let number = &mut |index: usize, arguments: &[i64]| {
                let arguments = arguments.to_vec();
                atoms.number(Atom::Proposition { index, arguments })
            };
            let formula = machine.formula(check, number).map_err(wrong)?;
            atoms
                .check_number()
                .and_then(|()| atoms.check_ranges())
                .map_err(|what| RunError::Usage(format!("in the formula of {name}, {what}")))?;
            Aim::Formula(formula.unwrap_or(Ltl::True))
        };
        Ok(Property { name, kind, check: Some(check), atoms, aim })
    }

    /// A property of the command line.
    pub fn of_extra(machine: &'m dyn Machine, extra: &Extra) -> Result<Self, RunError> {
        let mut atoms = Atoms::new(machine);
        let usage = |what: String| RunError::Usage(what);
        match extra {
            Extra::Formula(text) => {
                let read = parse(text, |name, arguments| atoms.resolve(name, arguments));
                let formula = read.map_err(|error| usage(format!("in the formula, {error}")))?;
                atoms.check_number().map_err(|what| usage(format!("in the formula, {what}")))?;
                let (kind, aim) = ("ltl", Aim::Formula(formula));
                Ok(Property { name: text.clone(), kind, check: None, atoms, aim })
            }
            Extra::Automaton(file, text) => {
                let read = read_hoa(text);
                let (mut automaton, names) =
                    read.map_err(|error| usage(format!("{file}, {error}")))?;
                for (i, name) in names.iter().enumerate() {
                    let found = proposition(&mut atoms, name).map_err(|what| {
                        usage(format!("{file}: the proposition \"{name}\": {what}"))
                    })?;
                    if found != i {
                        let what = format!("{file}: two propositions are `{name}`");
                        return Err(usage(what));
                    }
                }
                automaton.n_atoms = names.len();
                let (kind, aim) = ("automaton", Aim::Automaton(Box::new(automaton)));
                Ok(Property { name: file.clone(), kind, check: None, atoms, aim })
            }
        }
    }

    /// The automaton of the runs that must not be; `None` for a property that is none.
    pub fn automaton(&self) -> Result<Option<Automaton>, RunError> {
        let formula = match &self.aim {
            Aim::Formula(formula) => formula,
            Aim::Automaton(automaton) => return Ok(Some((**automaton).clone())),
            Aim::NeverWithout(_) => return Ok(None),
        };
        self.negated(formula).map(Some)
    }

    /// The automaton of the runs on which a formula over these atoms fails.
    pub fn negated(&self, formula: &Ltl) -> Result<Automaton, RunError> {
        let mut automaton = translate(&Ltl::not(formula.clone()))
            .map_err(|error| RunError::Usage(format!("{}: {error}", self.name)))?;
        automaton.n_atoms = self.atoms.list.len();
        Ok(automaton)
    }

    /// A formula as it is written.
    pub fn show(&self, formula: &Ltl) -> String {
        formula.show(&|atom| self.atoms.name(atom))
    }

    /// What is said of a run on which it fails.
    pub fn fails(&self) -> String {
        match &self.aim {
            Aim::Formula(formula) => format!("{} fails on this run", self.show(formula)),
            Aim::Automaton(_) => "the automaton accepts this run".to_owned(),
            Aim::NeverWithout(_) => {
                "on this cycle what is watched happens without what it needs".to_owned()
            }
        }
    }
}

/// The number of the proposition that an automaton's name stands for.
fn proposition(atoms: &mut Atoms<'_>, name: &str) -> Result<usize, String> {
    let mut number = None;
    let read = parse(name, |name, arguments| {
        let found = atoms.resolve(name, arguments)?;
        number = Some(found);
        Ok(found)
    });
    match (read, number) {
        (Ok(Ltl::Atom(_)), Some(number)) => Ok(number),
        (Err(error), _) => Err(error.what),
        _ => Err("one proposition of the model should stand here, as `waiting(0)`".to_owned()),
    }
}
