//! The functions of a model: what each mark wants of the function it is on.

use super::signature::{self, Form, Gives, Names, Takes};
use super::{answer, second};
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
const ANSWER: [Form; 2] = [(&[Takes::State], Gives::Answer), (&[Takes::State], Gives::Bool)];
const OF_STATE: [Form; 1] = [(&[Takes::State], Gives::Bool)];
const PROGRESS: [Form; 2] =
    [(&[Takes::Transition], Gives::Bool), (&[Takes::State, Takes::Transition], Gives::Bool)];
const NEVER_WITHOUT: [Form; 1] = [(&[Takes::Transition], Gives::NeverWithout)];
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
        for mark in &item.marks {
            if let (MarkKind::Check(CheckKind::Ltl), syn::Item::Const(constant)) =
                (&mark.kind, &item.syn)
            {
                let doc = text::first_paragraph(&text::doc(&constant.attrs));
                let function = constant.ident.clone();
                functions.checks.push(Check { function, doc, kind: CheckKind::Ltl });
            }
            let Some(forms) = forms(&mark.kind) else {
                continue;
            };
            match &item.syn {
                syn::Item::Fn(function) => functions.add(mark, function, forms, names, errors),
                _ => {
                    let shown = signature::show("name", &forms[0], names);
                    let name = mark.kind.name();
                    let message = format!("`#[{name}]` goes on a function such as `{shown}`");
                    errors.at(&mark.attr, message);
                }
            }
        }
    }
    functions
}

/// The signatures that a function with this mark can have.
fn forms(kind: &MarkKind) -> Option<&'static [Form]> {
    Some(match kind {
        MarkKind::Init => &INIT,
        MarkKind::Stubborn => &STUBBORN,
        MarkKind::Check(CheckKind::State | CheckKind::Deadlock) => &ANSWER,
        MarkKind::Check(CheckKind::NeverWithout) => &NEVER_WITHOUT,
        MarkKind::Check(
            CheckKind::Reachable | CheckKind::MayProgress { .. } | CheckKind::MustProgress { .. },
        )
        | MarkKind::Progress { of_states: true } => &OF_STATE,
        MarkKind::Progress { of_states: false } => &PROGRESS,
        MarkKind::Display => &DISPLAY,
        // Those are elsewhere.
        MarkKind::Check(CheckKind::Ltl)
        | MarkKind::Proposition
        | MarkKind::Param(_)
        | MarkKind::State
        | MarkKind::StateVar
        | MarkKind::Transitions => return None,
    })
}

/// The function that fires a transition, which is found by its name.
pub fn fire(module: &Module, names: &Names, errors: &mut Errors) -> Option<Ident> {
    let is_fire = |item: &&Item| name_of(&item.syn).is_some_and(|name| name == "fire_transition");
    match module.items.iter().find(is_fire).map(|item| &item.syn) {
        Some(syn::Item::Fn(function)) => {
            signature::form(&function.sig, &FIRE, names, errors)?;
            answer::check(function, errors);
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
    let methods = module.items.iter().filter_map(|item| match &item.syn {
        syn::Item::Impl(item) => Some(&item.items),
        _ => None,
    });
    let method = methods.flatten().find_map(|item| match item {
        syn::ImplItem::Fn(function) if function.sig.ident == "fire_transition" => {
            Some(&function.sig.ident)
        }
        _ => None,
    });
    match (functions.into_iter().find(is_near), method) {
        (Some(name), _) => {
            errors.at(name, "the model looks for this function as `fire_transition`")
        }
        (None, Some(name)) => errors.at(
            name,
            format!(
                "this is a function of the module and not a method: move it out of the `impl`, as \
                 `pub fn fire_transition(s: &mut {}, t: {}) -> bool`",
                names.state, names.transition
            ),
        ),
        (None, None) => errors.at(
            &module.head.ident,
            format!(
                "a model needs a function that fires its transitions: add `pub fn \
                 fire_transition(s: &mut {}, t: {}) -> bool`",
                names.state, names.transition
            ),
        ),
    }
}

impl Functions {
    fn add(
        &mut self,
        mark: &Mark,
        function: &ItemFn,
        forms: &[Form],
        names: &Names,
        errors: &mut Errors,
    ) {
        if matches!(mark.kind, MarkKind::Progress { of_states: false })
            && signature::is_of_state(function, names)
        {
            let message = "to mark states as progress, write `#[progress(state)]`";
            return errors.at(&mark.attr, message);
        }
        let is_second = match mark.kind {
            MarkKind::Stubborn => self.rules.is_some(),
            MarkKind::Display => self.display.is_some(),
            _ => false,
        };
        if is_second {
            second(mark, errors);
        }
        let Some(form) = signature::form(&function.sig, forms, names, errors) else {
            return;
        };
        let name = function.sig.ident.clone();
        match mark.kind {
            MarkKind::Init => {
                let forms = [InitForm::Changes, InitForm::One, InitForm::Several];
                self.inits.push(Init { function: name, form: forms[form] });
            }
            MarkKind::Stubborn => self.rules = Some(name),
            MarkKind::Check(kind) => {
                let doc = text::first_paragraph(&text::doc(&function.attrs));
                self.checks.push(Check { function: name, doc, kind });
            }
            MarkKind::Progress { of_states } => {
                let kind = match (of_states, form) {
                    (true, _) => ProgressKind::States,
                    (false, 0) => ProgressKind::Transitions,
                    (false, _) => ProgressKind::Edges,
                };
                self.progress.push(Progress { function: name, kind });
            }
            MarkKind::Display => {
                self.display = Some(Display { function: name, to_formatter: form == 1 });
            }
            MarkKind::Proposition
            | MarkKind::Param(_)
            | MarkKind::State
            | MarkKind::StateVar
            | MarkKind::Transitions => {}
        }
    }
}
