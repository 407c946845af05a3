//! Calls of the module's functions with the state.

use super::macros::text_of;
use super::names::{Bound, is_name};
use super::{Argument, Scope, Walk};
use crate::analyse::closed::{closed, element};
use crate::analyse::module::is_integer;
use crate::analyse::summary::{Key, Open, Summary};
use crate::analyse::value::{Known, Value};
use quote::ToTokens;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Expr, FnArg, Ident, ItemFn, Pat};

/// Functions that the walk is in at once; it is written as a recursion.
const MAX_DEPTH: usize = 200;

impl<'m> Walk<'m> {
    /// Walks through a function that gets the state, the transition and `n_others`
    /// other arguments.
    pub fn function_of_transition(&mut self, name: &Ident, n_others: usize) {
        let transition = match self.variant {
            Some(_) => Argument::Transition,
            None => {
                let ty: syn::Type = syn::parse_quote!(usize);
                Argument::Known(Known::parameter(0, &ty))
            }
        };
        let mut arguments = vec![Argument::State, transition];
        arguments.extend((0..n_others).map(|_| Argument::Other));
        self.call(&name.to_string(), arguments);
    }

    /// Walks through a function that gets nothing but the state.
    pub fn function_of_state(&mut self, name: &Ident) {
        self.function_of_state_and(name, &[]);
    }

    /// Walks through a function that gets the state and parameters of these types.
    pub fn function_of_state_and(&mut self, name: &Ident, types: &[&syn::Type]) {
        let parameter = |(i, ty): (usize, &&syn::Type)| match is_integer(ty) {
            true => Argument::Known(Known::parameter(i, ty)),
            false => Argument::Other,
        };
        let parameters = types.iter().enumerate().map(parameter);
        self.call(&name.to_string(), std::iter::once(Argument::State).chain(parameters).collect());
    }

    /// Takes over what is said of a function of the module, which gets the state. Tells
    /// what it returns, if that is known.
    fn call(&mut self, name: &str, arguments: Vec<Argument>) -> Option<bool> {
        let function = match self.module.functions.get(name) {
            Some(Ok(function)) => *function,
            // Whoever calls has looked whether it is there.
            unclear => {
                let reason = unclear.and_then(|unclear| unclear.as_ref().err().cloned());
                self.unclear = self.unclear.take().or(reason);
                return self.give_up(format!("there is no function `{name}`"), self.module.state);
            }
        };
        if self.unclear.is_some() {
            return None;
        }
        if self.stack.contains(&&function.sig.ident) {
            return self.give_up(format!("`{name}` calls itself"), &function.sig.ident);
        }
        if self.stack.len() >= MAX_DEPTH {
            return self.give_up("functions call each other too deeply", &function.sig.ident);
        }
        let value = |argument: &Argument| match argument {
            Argument::Known(known) => Some(known.value.clone()),
            _ => None,
        };
        let values: Vec<Option<Value>> = arguments.iter().map(value).collect();
        let summary = self.summary(function, &arguments);
        self.take_over(&summary, &values)
    }

    /// What is said of a function that is called here with such arguments.
    fn summary(&mut self, function: &'m ItemFn, arguments: &[Argument]) -> Rc<Summary> {
        let is_open = self.choice.is_none() && self.n_repeated == 0;
        let open = is_open.then(|| Open {
            assumed: self.assumed,
            by_condition: self.by_condition,
            mentioned: self.mentioned.clone(),
        });
        let kind = |argument: &Argument| match argument {
            Argument::State => "state".to_owned(),
            Argument::Transition => "transition".to_owned(),
            Argument::Known(known) => format!("known {}", known.ty),
            Argument::Other => "other".to_owned(),
        };
        let has_transition = arguments.iter().any(|a| matches!(a, Argument::Transition));
        let key = Key {
            function: function.sig.ident.to_string(),
            arguments: arguments.iter().map(kind).collect(),
            variant: self.variant.filter(|_| has_transition),
            open,
        };
        if let Some(known) = self.summaries.known(&key) {
            return known;
        }
        let mut inner = Walk::new(self.module, self.summaries, key.variant, key.open.as_ref());
        inner.stack = std::mem::take(&mut self.stack);
        inner.stack.push(&function.sig.ident);
        // Whatever the values are: they are put in where it is called.
        let by_position = |(i, argument): (usize, &Argument)| match argument {
            Argument::State => Argument::State,
            Argument::Transition => Argument::Transition,
            Argument::Other => Argument::Other,
            Argument::Known(known) => {
                Argument::Known(Known { value: Value::Argument(i), ..known.clone() })
            }
        };
        let arguments = arguments.iter().enumerate().map(by_position).collect();
        let returned = match scope_of(function, arguments, self.module.state) {
            Ok(scope) => {
                inner.scope = scope;
                inner.function(function)
            }
            Err(why) => {
                inner.give_up(format!("`{}` {why}", function.sig.ident), &function.sig.ident)
            }
        };
        self.stack = std::mem::take(&mut inner.stack);
        self.stack.pop();
        self.summaries.note(key, inner.summed_up(returned))
    }

    /// Walks through a function's body.
    fn function(&mut self, function: &ItemFn) -> Option<bool> {
        match self.by_condition {
            true => self.body(&function.block),
            false => {
                self.visit_block(&function.block);
                None
            }
        }
    }

    /// What a function with these arguments does happens here.
    fn take_over(&mut self, summary: &Summary, arguments: &[Option<Value>]) -> Option<bool> {
        self.places.add_all(&summary.places, arguments);
        self.reads.add_all(&summary.reads, arguments);
        self.writes.add_all(&summary.writes, arguments);
        self.mentioned.extend(&summary.mentioned);
        if let Some((place, n_values)) = &summary.choice {
            let here = place.with(arguments);
            // By a value that cannot be written out nothing can be chosen.
            if here.element.is_none() && place.element.is_some() {
                self.give_up("an index is too long to be written out", self.module.state);
            }
            self.choice = Some((here, *n_values));
        }
        self.unclear = self.unclear.take().or_else(|| summary.unclear.clone());
        summary.returned
    }

    /// Whether a call passes the state on.
    pub(super) fn is_call_with_state(&self, call: &syn::ExprCall) -> bool {
        call.args.iter().any(|argument| self.is_state(argument))
    }

    /// Walks through such a call.
    pub(super) fn call_with_state(&mut self, call: &syn::ExprCall) -> Option<bool> {
        let Expr::Path(path) = &*call.func else {
            return self.give_up("the state is passed to an expression that is called", call);
        };
        let name = path.path.get_ident().filter(|_| path.qself.is_none());
        let Some(name) = name.map(Ident::to_string) else {
            let why = format!("the state is passed to `{}`", text_of(&path.path));
            return self.give_up(why + ", which is not looked into", call);
        };
        if self.scope.bound.contains(&name) {
            let why = format!("the state is passed to `{name}`, a closure or another value");
            return self.give_up(why, call);
        }
        let function = match self.module.functions.get(&name) {
            Some(Ok(function)) => function,
            Some(Err(reason)) => {
                self.unclear = self.unclear.take().or_else(|| Some(reason.clone()));
                return None;
            }
            None => {
                let why = format!("the state is passed to `{name}`, no function of the module");
                return self.give_up(why, call);
            }
        };
        let types: Vec<_> = function.sig.inputs.iter().map(type_of).collect();
        let arguments = call
            .args
            .iter()
            .enumerate()
            .map(|(i, argument)| self.argument(argument, types.get(i).copied().flatten()));
        let arguments = arguments.collect();
        let others = call.args.iter().filter(|argument| !self.is_state(argument));
        let others: Vec<&Expr> = others.collect();
        others.into_iter().for_each(|argument| self.visit_expr(argument));
        self.call(&name, arguments)
    }

    /// What an argument of a call is, for a parameter of this type.
    fn argument(&self, expr: &Expr, ty: Option<&syn::Type>) -> Argument {
        if self.is_state(expr) {
            return Argument::State;
        }
        if is_name(expr, self.scope.transition.as_ref()) {
            return Argument::Transition;
        }
        let made = ty.and_then(|ty| Some((ty, element(self.module, &self.scope, expr, ty)?)));
        if let Some((ty, value)) = made {
            let ty = ty.to_token_stream();
            return Argument::Known(Known { ty, value, is_integer: false });
        }
        let value = closed(self.module, &self.scope, expr);
        match (ty.filter(|ty| is_integer(ty)), value) {
            (Some(ty), Some(value)) => {
                Argument::Known(Known { ty: ty.to_token_stream(), value, is_integer: true })
            }
            _ => Argument::Other,
        }
    }
}

fn type_of(input: &FnArg) -> Option<&syn::Type> {
    match input {
        FnArg::Typed(typed) => Some(&typed.ty),
        FnArg::Receiver(_) => None,
    }
}

/// What is known inside a function that is called with these arguments, or, in a clause
/// about it, why it cannot be looked through.
fn scope_of(
    function: &ItemFn,
    arguments: Vec<Argument>,
    state: &Ident,
) -> Result<Scope, &'static str> {
    let mut inside = Bound::default();
    inside.visit_block(&function.block);
    let mut scope = Scope {
        integers: inside.integers(),
        bound: inside.names,
        lends: inside.lends,
        ..Scope::default()
    };
    let mut generics = function.sig.generics.params.iter();
    let is_generic = generics.any(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    if is_generic {
        return Err("is generic and gets the state");
    }
    if arguments.len() != function.sig.inputs.len() {
        return Err("gets another number of arguments than it takes");
    }
    for (input, argument) in function.sig.inputs.iter().zip(arguments) {
        let FnArg::Typed(typed) = input else { return Err("takes `self`") };
        let name = match &*typed.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(name),
            _ => None,
        };
        let steady = name.filter(|name| {
            name.mutability.is_none() && !scope.bound.contains(&name.ident.to_string())
        });
        let steady = steady.map(|name| name.ident.to_string());
        match argument {
            // Twice the state, or by a name that may come to mean something else.
            Argument::State if !scope.state.is_empty() => return Err("gets the state twice"),
            Argument::State => {
                let (ty, is_reference, is_shared) = match &*typed.ty {
                    syn::Type::Reference(reference) => {
                        (&*reference.elem, true, reference.mutability.is_none())
                    }
                    ty => (ty, false, false),
                };
                // By another type, the author's `Deref` might lead elsewhere.
                let is_it =
                    |path: &syn::TypePath| path.qself.is_none() && path.path.is_ident(state);
                if !matches!(ty, syn::Type::Path(path) if is_it(path)) {
                    return Err("takes the state as something else");
                }
                scope.state = steady.ok_or(match name {
                    Some(_) => "binds the state's name once more",
                    None => "takes the state by a pattern",
                })?;
                scope.is_reference = is_reference;
                scope.is_shared = is_shared;
            }
            Argument::Transition => scope.transition = steady,
            Argument::Known(known) => {
                steady.into_iter().for_each(|name| drop(scope.known.insert(name, known.clone())));
            }
            Argument::Other => {}
        }
    }
    // Names of parameters hide those of the module. Two that look the same can come
    // from a macro.
    let mut own: Vec<String> = Vec::new();
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            let mut bound = Bound::default();
            bound.visit_pat(&typed.pat);
            if bound.names.iter().any(|name| own.contains(name)) {
                return Err("has two parameters of one name");
            }
            own.extend(bound.names);
        }
    }
    scope.bound.extend(own);
    Ok(scope)
}
