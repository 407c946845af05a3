//! From the names in a formula to what is asked of states.

use crate::machine::Machine;
use crate::model::{Atom, CheckKind, Proposition};
use asset_automata::MAX_ATOMS;

/// The name of the atom that is true where nothing is enabled.
const TERMINAL: &str = "terminal";

/// The atoms of one property, in order, each once.
pub(super) struct Atoms<'m> {
    machine: &'m dyn Machine,
    pub list: Vec<Atom>,
}

impl<'m> Atoms<'m> {
    pub fn new(machine: &'m dyn Machine) -> Self {
        Atoms { machine, list: Vec::new() }
    }

    /// The number of an atom.
    pub fn number(&mut self, atom: Atom) -> usize {
        let known = self.list.iter().position(|other| *other == atom);
        known.unwrap_or_else(|| {
            self.list.push(atom);
            self.list.len() - 1
        })
    }

    /// The bit of [`Atom::Terminal`], or 0.
    pub fn terminal(&self) -> u64 {
        let at = self.list.iter().position(|atom| *atom == Atom::Terminal);
        at.map_or(0, |at| 1 << at)
    }

    /// The number of the proposition with this name and these arguments, of a check with
    /// this name, or of `terminal`. The error is a sentence.
    pub fn resolve(&mut self, name: &str, arguments: &[i64]) -> Result<usize, String> {
        let propositions = self.machine.temporal().propositions;
        if let Some(index) = propositions.iter().position(|p| p.name == name) {
            check_arguments(&propositions[index], arguments)?;
            let arguments = arguments.to_vec();
            return Ok(self.number(Atom::Proposition { index, arguments }));
        }
        let checks = self.machine.description().checks;
        let is_of_state = |kind: CheckKind| {
            matches!(
                kind,
                CheckKind::State | CheckKind::MayProgress { .. } | CheckKind::MustProgress { .. }
            )
        };
        let atom = match checks.iter().position(|c| c.name == name && is_of_state(c.kind)) {
            _ if !arguments.is_empty()
                && (name == TERMINAL || checks.iter().any(|c| c.name == name)) =>
            {
                return Err(format!("`{name}` takes no arguments"));
            }
            Some(check) => Atom::Check(check),
            None if name == TERMINAL => Atom::Terminal,
            None => return Err(self.unknown(name)),
        };
        Ok(self.number(atom))
    }

    fn unknown(&self, name: &str) -> String {
        let mut known: Vec<String> =
            self.machine.temporal().propositions.iter().map(shown).collect();
        let of_state = |kind: CheckKind| !kind.is_temporal() && kind != CheckKind::Deadlock;
        let checks = self.machine.description().checks.iter();
        known.extend(checks.filter(|c| of_state(c.kind)).map(|c| c.name.to_owned()));
        known.push(TERMINAL.to_owned());
        format!("there is no proposition `{name}`; there are {}", known.join(", "))
    }

    /// The atom of a formula as it is written.
    pub fn name(&self, number: usize) -> String {
        match self.list.get(number) {
            Some(Atom::Proposition { index, arguments }) => {
                let proposition = &self.machine.temporal().propositions[*index];
                if arguments.is_empty() {
                    return proposition.name.to_owned();
                }
                let shown: Vec<String> = arguments.iter().map(i64::to_string).collect();
                format!("{}({})", proposition.name, shown.join(", "))
            }
            Some(Atom::Check(check)) => self.machine.description().checks[*check].name.to_owned(),
            Some(Atom::Terminal) => TERMINAL.to_owned(),
            None => format!("p{number}"),
        }
    }

    /// A sentence if there are more atoms than a letter has bits.
    pub fn check_number(&self) -> Result<(), String> {
        match self.list.len() {
            n if n <= MAX_ATOMS => Ok(()),
            n => Err(format!(
                "it has {n} propositions, and {MAX_ATOMS} at most are possible: check its parts \
                 one by one"
            )),
        }
    }

    /// A sentence if an atom has a value that its proposition has no room for.
    pub fn check_ranges(&self) -> Result<(), String> {
        let propositions = self.machine.temporal().propositions;
        for atom in &self.list {
            if let Atom::Proposition { index, arguments } = atom {
                check_arguments(&propositions[*index], arguments)?;
            }
        }
        Ok(())
    }
}

/// A proposition with its parameters.
fn shown(proposition: &Proposition) -> String {
    let parameters: Vec<&str> = proposition.parameters.iter().map(|p| p.name).collect();
    match parameters.is_empty() {
        true => proposition.name.to_owned(),
        false => format!("{}({})", proposition.name, parameters.join(", ")),
    }
}

fn check_arguments(proposition: &Proposition, arguments: &[i64]) -> Result<(), String> {
    let (wanted, given) = (proposition.parameters.len(), arguments.len());
    if wanted != given {
        let s = if wanted == 1 { "" } else { "s" };
        return Err(format!(
            "`{}` takes {wanted} argument{s} and is given {given}: write `{}`",
            proposition.name,
            shown(proposition)
        ));
    }
    for (&value, parameter) in arguments.iter().zip(proposition.parameters) {
        if i128::from(value) < parameter.least || i128::from(value) > parameter.largest {
            return Err(format!(
                "`{}` of `{}` is {value}, and its values are {}..={}",
                parameter.name, proposition.name, parameter.least, parameter.largest
            ));
        }
    }
    Ok(())
}
