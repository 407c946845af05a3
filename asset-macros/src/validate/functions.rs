//! The functions of a model: what each mark wants of the function it is on.

use super::second;
use super::signature::{self, Form, Gives, Names, Takes};
use crate::ast::{CheckKind, Item, Mark, MarkKind, Module, name_of};
use crate::errors::Errors;
use crate::ir::{Check, Display, Init, InitForm, Progress, ProgressKind};
use crate::text;
use syn::{Ident, ItemFn};

const FIRE: [Form; 1] = [(&[Takes::StateMut, Takes::Transition], Gives::Bool)];
const INIT: [Form; 3] =
    [(&[Takes::StateMut], Gives::Nothing), (&[], Gives::State), (&[], Gives::States)];
const STUBBORN: [Form; 1] =
    [(&[Takes::State, Takes::Transition, Takes::Obligations], Gives::Nothing)];
const ANSWER: [Form; 1] = [(&[Takes::State], Gives::Answer)];
const OF_STATE: [Form; 1] = [(&[Takes::State], Gives::Bool)];
const PROGRESS: [Form; 2] =
    [(&[Takes::Transition], Gives::Bool), (&[Takes::State, Takes::Transition], Gives::Bool)];
const DISPLAY: [Form; 2] =
    [(&[Takes::State], Gives::Text), (&[Takes::State, Takes::Formatter], Gives::FmtResult)];

/// The functions of a model by what they are for.
#[derive(Default)]
pub struct Functions {
    pub inits: Vec<Init>,
    pub rules: Option<Ident>,
    pub checks: Vec<Check>,
    pub progress: Vec<Progress>,
    pub display: Option<Display>,
}

/// All marked functions.
pub fn all(module: &Module, names: &Names, errors: &mut Errors) -> Functions {
    let mut functions = Functions::default();
    for item in &module.items {
        let marks = item.marks.iter().filter(|mark| is_for_functions(&mark.kind));
        let marks: Vec<&Mark> = marks.collect();
        match &item.syn {
            syn::Item::Fn(function) => {
                for mark in marks {
                    functions.add(mark, function, names, errors);
                }
            }
            _ => {
                for mark in marks {
                    let name = mark.kind.name();
                    errors.at(&mark.attr, format!("`#[{name}]` goes on a function"));
                }
            }
        }
    }
    functions
}

/// The function that fires a transition, which is found by its name.
pub fn fire(module: &Module, names: &Names, errors: &mut Errors) -> Option<Ident> {
    let is_fire = |item: &&Item| name_of(&item.syn).is_some_and(|name| name == "fire_transition");
    match module.items.iter().find(is_fire).map(|item| &item.syn) {
        Some(syn::Item::Fn(function)) => {
            signature::form(&function.sig, &FIRE, names, errors)?;
            Some(function.sig.ident.clone())
        }
        _ => {
            missing_fire(module, names, errors);
            None
        }
    }
}

fn missing_fire(module: &Module, names: &Names, errors: &mut Errors) {
    let functions = module.items.iter().filter_map(|item| match &item.syn {
        syn::Item::Fn(function) => Some(&function.sig.ident),
        _ => None,
    });
    let is_near = |name: &&Ident| text::nearest(&name.to_string(), &["fire_transition"]).is_some();
    match functions.into_iter().find(is_near) {
        Some(name) => errors.at(name, "the model looks for this function as `fire_transition`"),
        None => errors.at(
            &module.head.ident,
            format!(
                "a model needs a function that fires its transitions: add `pub fn \
                 fire_transition(s: &mut {}, t: {}) -> bool`",
                names.state, names.transition
            ),
        ),
    }
}

fn is_for_functions(kind: &MarkKind) -> bool {
    match kind {
        MarkKind::Init
        | MarkKind::Stubborn
        | MarkKind::Check(_)
        | MarkKind::Progress { .. }
        | MarkKind::Display => true,
        MarkKind::Param(_) | MarkKind::State | MarkKind::StateVar | MarkKind::Transitions => false,
    }
}

impl Functions {
    fn add(&mut self, mark: &Mark, function: &ItemFn, names: &Names, errors: &mut Errors) {
        let name = function.sig.ident.clone();
        let mut form = |forms: &[Form]| signature::form(&function.sig, forms, names, errors);
        match mark.kind {
            MarkKind::Init => {
                let forms = [InitForm::Changes, InitForm::One, InitForm::Several];
                let found = form(&INIT).map(|i| Init { function: name, form: forms[i] });
                self.inits.extend(found);
            }
            MarkKind::Stubborn => {
                let fits = form(&STUBBORN).is_some();
                if self.rules.is_some() {
                    second(mark, errors);
                } else if fits {
                    self.rules = Some(name);
                }
            }
            MarkKind::Check(kind) => {
                let is_answer = matches!(kind, CheckKind::State | CheckKind::Deadlock);
                let forms = if is_answer { &ANSWER } else { &OF_STATE };
                let doc = text::first_paragraph(&text::doc(&function.attrs));
                self.checks.extend(form(forms).map(|_| Check { function: name, doc, kind }));
            }
            MarkKind::Progress { of_states: true } => {
                let kind = ProgressKind::States;
                self.progress.extend(form(&OF_STATE).map(|_| Progress { function: name, kind }));
            }
            MarkKind::Progress { of_states: false } if signature::is_of_state(function, names) => {
                let message = "to mark states as progress, write `#[progress(state)]`";
                errors.at(&mark.attr, message);
            }
            MarkKind::Progress { of_states: false } => {
                let kinds = [ProgressKind::Transitions, ProgressKind::Edges];
                let found = form(&PROGRESS).map(|i| Progress { function: name, kind: kinds[i] });
                self.progress.extend(found);
            }
            MarkKind::Display => {
                let found = form(&DISPLAY);
                if self.display.is_some() {
                    second(mark, errors);
                } else {
                    self.display = found.map(|i| Display { function: name, to_formatter: i == 1 });
                }
            }
            MarkKind::Param(_) | MarkKind::State | MarkKind::StateVar | MarkKind::Transitions => {}
        }
    }
}
