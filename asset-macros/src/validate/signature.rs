//! Signatures of a model's functions, compared by the names of their types.

use crate::errors::Errors;
use quote::ToTokens;
use std::fmt::Write;
use syn::visit::Visit;
use syn::{FnArg, GenericArgument, Ident, ItemFn, PathArguments, ReturnType, Signature, Type};

/// The names of a model's own types.
pub struct Names {
    /// The state.
    pub state: Ident,
    /// The transitions: an enum, or `usize`.
    pub transition: Ident,
}

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// `&State`.
    State,
    /// `&mut State`.
    StateMut,
    /// `Transition`.
    Transition,
    /// `&mut Obligations`.
    Obligations,
    /// `&mut fmt::Formatter`.
    Formatter,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Nothing,
    /// `bool`.
    Bool,
    /// A `Result` whose error is a text.
    Answer,
    /// The state.
    State,
    /// A collection of states.
    States,
    /// `String`.
    Text,
    /// `fmt::Result`.
    FmtResult,
    /// `NeverWithout`.
    NeverWithout,
}

/// One legal signature.
pub type Form = (&'static [Takes], Gives);

/// The first of `forms` that the signature has; otherwise reports the part
/// that is wrong and shows all forms.
pub fn form(sig: &Signature, forms: &[Form], names: &Names, errors: &mut Errors) -> Option<usize> {
    if !is_plain(sig, errors) {
        return None;
    }
    let inputs: Vec<&FnArg> = sig.inputs.iter().collect();
    let fits = |(takes, gives): &Form| {
        takes.len() == inputs.len()
            && takes.iter().zip(&inputs).all(|(takes, input)| takes.is(input, names))
            && gives.is(&sig.output, names)
    };
    if let Some(found) = forms.iter().position(fits) {
        return Some(found);
    }
    // What it returns, and how many parameters it has, is kept if possible.
    let is_like_it =
        |(takes, gives): &&Form| takes.len() == inputs.len() && gives.is(&sig.output, names);
    let alike: Vec<&Form> = forms.iter().filter(is_like_it).collect();
    let offered = if alike.is_empty() { forms.iter().collect() } else { alike };
    let shown: Vec<String> =
        offered.iter().map(|form| show(&sig.ident.to_string(), form, names)).collect();
    let shown = shown.join("` or `");
    let near = offered.iter().find(|(takes, _)| takes.len() == inputs.len());
    match near.map(|form| mismatch(sig, form, names)) {
        None if inputs.is_empty() => {
            errors.at(&sig.ident, format!("`{}` lacks its parameters: write `{shown}`", sig.ident))
        }
        None => errors.at(
            &sig.inputs,
            format!("`{}` takes the wrong number of parameters: write `{shown}`", sig.ident),
        ),
        Some((tokens, why)) => errors.at(tokens, format!("{why} write `{shown}`")),
    }
    None
}

/// Whether the function takes just a state to look at.
pub fn is_of_state(function: &ItemFn, names: &Names) -> bool {
    let inputs: Vec<&FnArg> = function.sig.inputs.iter().collect();
    matches!(inputs[..], [input] if Takes::State.is(input, names))
}

/// Whether the function has nothing that no function of a model has.
fn is_plain(sig: &Signature, errors: &mut Errors) -> bool {
    if !sig.generics.params.is_empty() {
        let message = "a function that the model calls cannot be generic: write the types out";
        errors.at(&sig.generics, message);
        return false;
    }
    if let Some(asyncness) = &sig.asyncness {
        let message = "a function that the model calls cannot be `async`: remove it";
        errors.at(asyncness, message);
        return false;
    }
    true
}

/// The first part of a signature that differs from a form of the same length.
fn mismatch(sig: &Signature, form: &Form, names: &Names) -> (Box<dyn ToTokens>, String) {
    let has = |takes: &Takes| sig.inputs.iter().any(|input| takes.is(input, names));
    let fits = |(takes, input): (&Takes, &FnArg)| takes.is(input, names);
    if form.0.iter().all(has) && !form.0.iter().zip(&sig.inputs).all(fits) {
        let why = format!("the parameters of `{}` are in the wrong order:", sig.ident);
        return (Box::new(sig.inputs.clone()), why);
    }
    for (takes, input) in form.0.iter().zip(&sig.inputs) {
        if takes.is(input, names) {
            continue;
        }
        let tokens: Box<dyn ToTokens> = match input {
            FnArg::Typed(input) => Box::new(input.ty.clone()),
            FnArg::Receiver(input) => Box::new(input.clone()),
        };
        let why = match takes {
            Takes::State if Takes::StateMut.is(input, names) => {
                format!(
                    "`{}` looks at the state and must not change it: take out what does, and",
                    sig.ident
                )
            }
            _ => format!("this parameter must be `{}`:", takes.show(names)),
        };
        return (tokens, why);
    }
    match &sig.output {
        ReturnType::Default => (
            Box::new(sig.ident.clone()),
            format!("`{}` must return `{}`:", sig.ident, form.1.show(names)),
        ),
        ReturnType::Type(_, ty) if form.1 == Gives::Nothing => {
            (Box::new(ty.clone()), format!("`{}` must return nothing:", sig.ident))
        }
        ReturnType::Type(_, ty) => {
            (Box::new(ty.clone()), format!("`{}` must return `{}`:", sig.ident, form.1.show(names)))
        }
    }
}

/// A signature as it should be written.
pub fn show(function: &str, (takes, gives): &Form, names: &Names) -> String {
    let parameters: Vec<String> = takes
        .iter()
        .map(|takes| format!("{}: {}", takes.usual_name(), takes.show(names)))
        .collect();
    let mut shown = format!("fn {function}({})", parameters.join(", "));
    if *gives != Gives::Nothing {
        let _ = write!(shown, " -> {}", gives.show(names));
    }
    shown
}

impl Takes {
    fn usual_name(self) -> &'static str {
        match self {
            Takes::State | Takes::StateMut => "s",
            Takes::Transition => "t",
            Takes::Obligations => "need",
            Takes::Formatter => "f",
        }
    }

    fn show(self, names: &Names) -> String {
        match self {
            Takes::State => format!("&{}", names.state),
            Takes::StateMut => format!("&mut {}", names.state),
            Takes::Transition => names.transition.to_string(),
            Takes::Obligations => "&mut Obligations".to_owned(),
            Takes::Formatter => "&mut fmt::Formatter".to_owned(),
        }
    }

    fn is(self, input: &FnArg, names: &Names) -> bool {
        let FnArg::Typed(input) = input else {
            return false;
        };
        match self {
            Takes::State => is_reference(&input.ty, false, &names.state.to_string()),
            Takes::StateMut => is_reference(&input.ty, true, &names.state.to_string()),
            Takes::Transition => is_named(&input.ty, &names.transition.to_string()),
            Takes::Obligations => is_reference(&input.ty, true, "Obligations"),
            Takes::Formatter => is_reference(&input.ty, true, "Formatter"),
        }
    }
}

impl Gives {
    fn show(self, names: &Names) -> String {
        match self {
            Gives::Nothing => "()".to_owned(),
            Gives::Bool => "bool".to_owned(),
            Gives::Answer => "Result<(), &'static str>".to_owned(),
            Gives::State => names.state.to_string(),
            Gives::States => format!("Vec<{}>", names.state),
            Gives::Text => "String".to_owned(),
            Gives::FmtResult => "fmt::Result".to_owned(),
            Gives::NeverWithout => "NeverWithout".to_owned(),
        }
    }

    fn is(self, output: &ReturnType, names: &Names) -> bool {
        let ReturnType::Type(_, ty) = output else {
            return self == Gives::Nothing;
        };
        match self {
            Gives::Nothing => matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()),
            Gives::Bool => is_named(ty, "bool"),
            Gives::Answer => is_result_with_text(ty),
            Gives::State => is_named(ty, &names.state.to_string()),
            Gives::States => {
                let is_collection = matches!(&**ty, Type::Array(_) | Type::ImplTrait(_));
                (is_collection || is_named(ty, "Vec")) && mentions(ty, &names.state)
            }
            Gives::Text => is_named(ty, "String"),
            Gives::FmtResult => is_named(ty, "Result"),
            Gives::NeverWithout => is_named(ty, "NeverWithout"),
        }
    }
}

/// Whether the type's last segment has this name.
fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == name))
}

/// Whether the name occurs somewhere in the type.
fn mentions(ty: &Type, name: &Ident) -> bool {
    struct Finder<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
        }
    }
    let mut finder = Finder(name, false);
    finder.visit_type(ty);
    finder.1
}

fn is_reference(ty: &Type, mutable: bool, name: &str) -> bool {
    match ty {
        Type::Reference(reference) => {
            reference.mutability.is_some() == mutable && is_named(&reference.elem, name)
        }
        _ => false,
    }
}

/// Whether the type is `Result<(), E>` where `E` is a text that outlives calls.
fn is_result_with_text(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let Some(last) = path.path.segments.last().filter(|last| last.ident == "Result") else {
        return false;
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    let types: Vec<&Type> = arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .collect();
    let [Type::Tuple(fine), wrong] = types[..] else {
        return false;
    };
    let is_text = match wrong {
        Type::Reference(reference) => {
            reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
        }
        other => is_named(other, "String") || is_named(other, "Cow"),
    };
    fine.elems.is_empty() && is_text
}
