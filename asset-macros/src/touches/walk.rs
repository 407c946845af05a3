//! A walk through a function that gets the state, and perhaps a transition, and
//! through those that it calls with the state.

mod truth;

use super::closed::closed;
use super::patterns::{may_be, may_match};
use super::{Known, Module, Place, Touches, is_any_word, is_integer};
use crate::validate::answer::is_assignment;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Arm, Expr, FnArg, Ident, ItemFn, Macro, Member, Pat, Token, UnOp};

/// Macros of the standard library whose arguments are expressions that are
/// evaluated, or not, and nothing else.
pub(super) const PLAIN_MACROS: [&str; 9] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "format",
    "panic",
    "unreachable",
];

/// Calls that are followed: functions that call each other twice, level by level,
/// would make a compiler wait.
const MAX_CALLS: usize = 1000;

/// What is known of names in the function that the walk is in.
#[derive(Clone, Default)]
pub struct Scope {
    /// The state.
    state: String,
    /// Whether that is a reference to it.
    is_reference: bool,
    /// The transition.
    transition: Option<String>,
    /// What can be worked out from the transition's parameters.
    pub(super) known: HashMap<String, Known>,
    /// All names that are bound in patterns.
    pub(super) bound: HashSet<String>,
}

/// An argument of a call.
enum Argument {
    State,
    Transition,
    Known(Known),
    Other,
}

/// The walk for the transitions of one variant, or for a state check.
pub struct Walk<'m> {
    module: &'m Module<'m>,
    variant: Option<usize>,
    scope: Scope,
    /// The functions that the walk is in.
    stack: Vec<&'m Ident>,
    n_calls: usize,
    places: Vec<Place>,
    is_everything: bool,
    /// The fields that have been mentioned.
    mentioned: HashSet<usize>,
    /// Loops and closures that the walk is in.
    n_repeated: usize,
    /// The first choice that is made, if it is known to be one by a value of the
    /// state before the firing.
    pub choice: Option<(Place, usize)>,
    /// The value by which it is assumed to be made.
    assumed: Option<usize>,
    /// Whether it is looked for in conditions, and not in a `match`.
    by_condition: bool,
}

impl<'m> Walk<'m> {
    /// Where no transition is told apart from others, there is no variant.
    pub fn new(
        module: &'m Module<'m>,
        variant: Option<usize>,
        assumed: Option<usize>,
        by_condition: bool,
    ) -> Self {
        Walk {
            module,
            variant,
            scope: Scope::default(),
            stack: Vec::new(),
            n_calls: 0,
            places: Vec::new(),
            is_everything: !module.is_plain || module.fields.is_empty(),
            mentioned: HashSet::new(),
            n_repeated: 0,
            choice: None,
            assumed,
            by_condition,
        }
    }

    /// What was found.
    pub fn found(self) -> Touches {
        if self.is_everything { Touches::Everything } else { Touches::Places(self.places) }
    }

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
        self.call(&name.to_string(), vec![Argument::State]);
    }

    /// Walks through a function of the module, which gets the state. Tells what it
    /// returns, if that is known.
    fn call(&mut self, name: &str, arguments: Vec<Argument>) -> Option<bool> {
        let Some(Some(function)) = self.module.functions.get(name).copied() else {
            return self.everything();
        };
        self.n_calls += 1;
        if self.stack.contains(&&function.sig.ident) || self.n_calls > MAX_CALLS {
            return self.everything();
        }
        let scope = scope_of(function, arguments, self.module.state);
        let Some(scope) = scope else { return self.everything() };
        let outer = std::mem::replace(&mut self.scope, scope);
        self.stack.push(&function.sig.ident);
        let mut returned = None;
        match self.by_condition {
            true => returned = self.body(&function.block),
            false => self.visit_block(&function.block),
        }
        self.stack.pop();
        self.scope = outer;
        returned
    }

    /// Whether a call passes the state on.
    fn is_call_with_state(&self, call: &syn::ExprCall) -> bool {
        call.args.iter().any(|argument| self.is_state(argument))
    }

    /// Walks through such a call.
    fn call_with_state(&mut self, call: &syn::ExprCall) -> Option<bool> {
        let Expr::Path(path) = &*call.func else { return self.everything() };
        let name = path.path.get_ident().filter(|_| path.qself.is_none());
        let Some(name) = name.map(Ident::to_string) else { return self.everything() };
        if self.scope.bound.contains(&name) {
            return self.everything();
        }
        let Some(Some(function)) = self.module.functions.get(&name) else {
            return self.everything();
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

    /// All may be touched; nothing is known any more.
    fn everything(&mut self) -> Option<bool> {
        self.is_everything = true;
        None
    }

    /// What an argument of a call is, for a parameter of this type.
    fn argument(&self, expr: &Expr, ty: Option<&syn::Type>) -> Argument {
        if self.is_state(expr) {
            return Argument::State;
        }
        if is_name(expr, self.scope.transition.as_ref()) {
            return Argument::Transition;
        }
        let value = closed(self.module, &self.scope, expr);
        match (ty.filter(|ty| is_integer(ty)), value) {
            (Some(ty), Some(value)) => {
                Argument::Known(Known { ty: ty.to_token_stream(), value, is_integer: true })
            }
            _ => Argument::Other,
        }
    }

    /// Whether this is the whole state, or a reference to it.
    fn is_state(&self, expr: &Expr) -> bool {
        self.n_followed(expr).is_some()
    }

    /// If this is the state's name with `*` and `&` before it, how many references are
    /// followed, less those that are taken. Never more than there are: the author's
    /// `Deref` might lead elsewhere.
    fn n_followed(&self, expr: &Expr) -> Option<i32> {
        let n = match expr {
            Expr::Paren(inner) => self.n_followed(&inner.expr)?,
            Expr::Group(inner) => self.n_followed(&inner.expr)?,
            Expr::Reference(inner) => self.n_followed(&inner.expr)? - 1,
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.n_followed(&unary.expr)? + 1
            }
            _ => is_name(expr, Some(&self.scope.state)).then_some(0)?,
        };
        (n <= i32::from(self.scope.is_reference)).then_some(n)
    }

    /// If this is `s.field`, perhaps with more after it, notes what it touches.
    fn touches_place(&mut self, expr: &Expr) -> bool {
        let Some((member, indices)) = self.chain(expr) else { return false };
        // The last one is next to the field.
        self.note(member, indices.last().copied().flatten());
        indices.into_iter().rev().flatten().for_each(|index| self.visit_expr(index));
        true
    }

    /// If this is `s.field`, perhaps with more after it, the field and what comes
    /// after it, from the outside to the inside: indices, or `None` for fields.
    fn chain<'e>(&self, mut expr: &'e Expr) -> Option<(&'e Member, Vec<Option<&'e Expr>>)> {
        let mut indices = Vec::new();
        loop {
            match expr {
                Expr::Paren(inner) => expr = &inner.expr,
                Expr::Group(inner) => expr = &inner.expr,
                Expr::Index(index) => {
                    indices.push(Some(&*index.index));
                    expr = &index.expr;
                }
                Expr::Field(field) if self.is_state(&field.base) => {
                    return Some((&field.member, indices));
                }
                Expr::Field(field) => {
                    indices.push(None);
                    expr = &field.base;
                }
                _ => return None,
            }
        }
    }

    /// Notes a field, or an element of it.
    fn note(&mut self, member: &Member, index: Option<&Expr>) {
        let Some(place) = self.place(member, index) else {
            self.is_everything = true;
            return;
        };
        self.mentioned.insert(place.field);
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// A field, or the element of it that an index chooses, if it is an array and
    /// the index can be worked out.
    fn place(&self, member: &Member, index: Option<&Expr>) -> Option<Place> {
        let field = self.module.fields.iter().position(|field| field.member == *member)?;
        let is_array = matches!(self.module.fields[field].ty, syn::Type::Array(_));
        let index = index.filter(|_| is_array);
        let element = index.and_then(|index| closed(self.module, &self.scope, index));
        Some(Place { field, element })
    }

    /// If this is the first mention of a variable that is one of an enum's values
    /// without data, the variable and that enum's name.
    fn chooser(&self, expr: &Expr) -> Option<(Place, String)> {
        let (member, indices) = self.chain(expr)?;
        let place = self.place(member, indices.last().copied().flatten())?;
        let ty = match (&self.module.fields[place.field].ty, &*indices) {
            (syn::Type::Array(array), [Some(_)]) if place.element.is_some() => &*array.elem,
            (ty, []) => ty,
            _ => return None,
        };
        let syn::Type::Path(path) = ty else { return None };
        let name = path.path.get_ident()?.to_string();
        let is_first = self.n_repeated == 0 && !self.mentioned.contains(&place.field);
        (is_first && self.module.names.contains_key(&name)).then_some((place, name))
    }

    /// Walks through a `match` by the value of a variable. `position` is where in
    /// a tuple the variable stands, if it stands in one.
    fn visit_choice(
        &mut self,
        choice: &syn::ExprMatch,
        (place, name): (Place, String),
        position: Option<usize>,
    ) {
        let values = self.module.names[&name];
        self.choice = Some((place, values.len()));
        self.visit_expr(&choice.expr);
        let value = self.assumed.map(|value| &values[value]);
        for arm in &choice.arms {
            if value.is_none_or(|value| may_be(&arm.pat, position, &name, value, values)) {
                self.visit_pat(&arm.pat);
                self.visit_expr(&arm.body);
            }
        }
    }

    /// Walks through those arms of a `match` of the transition that may be taken.
    fn visit_arm_of_transition(&mut self, arm: &Arm) {
        let mut known = HashMap::new();
        if !may_match(self.module, self.variant, &arm.pat, &mut known) {
            return;
        }
        let outer = self.scope.clone();
        let mut inside = Bound::default();
        if let Pat::Guard(guard) = &arm.pat {
            inside.visit_expr(&guard.guard);
        }
        inside.visit_expr(&arm.body);
        known.retain(|name: &String, _| !inside.names.contains(name));
        self.scope.known.extend(known);
        // Guards are part of patterns.
        self.visit_pat(&arm.pat);
        self.visit_expr(&arm.body);
        self.scope = outer;
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if self.is_everything || self.touches_place(expr) {
            return;
        }
        match expr {
            // Not as part of anything that is understood.
            _ if is_name(expr, Some(&self.scope.state)) => self.is_everything = true,
            Expr::Verbatim(_) | Expr::Unsafe(_) | Expr::Async(_) => self.is_everything = true,
            Expr::Call(call) if self.is_call_with_state(call) => {
                self.call_with_state(call);
            }
            _ if self.by_condition && Walk::is_condition(expr) => {
                self.truth(expr);
            }
            Expr::Match(choice) if is_name(&choice.expr, self.scope.transition.as_ref()) => {
                choice.arms.iter().for_each(|arm| self.visit_arm_of_transition(arm));
            }
            Expr::Match(choice) if self.choice.is_none() && !self.by_condition => {
                let tuple = match &*choice.expr {
                    Expr::Tuple(tuple) => tuple.elems.iter().enumerate().collect(),
                    _ => Vec::new(),
                };
                // What stands before it in a tuple is evaluated before it.
                let of_tuple = tuple.iter().find_map(|&(i, element)| {
                    let is_clear = tuple[..i].iter().all(|(_, before)| is_simple(before));
                    Some((self.chooser(element).filter(|_| is_clear)?, Some(i)))
                });
                match self.chooser(&choice.expr).map(|found| (found, None)).or(of_tuple) {
                    Some((found, position)) => self.visit_choice(choice, found, position),
                    None => visit::visit_expr(self, expr),
                }
            }
            // The right side is evaluated first.
            Expr::Assign(assign) => {
                self.visit_expr(&assign.right);
                self.visit_expr(&assign.left);
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                self.repeated(|walk| visit::visit_expr(walk, expr));
            }
            // Which side is evaluated first depends on types.
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                self.repeated(|walk| visit::visit_expr(walk, expr));
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let name = call.path.get_ident().map(Ident::to_string).unwrap_or_default();
        if name == "matches" {
            let Ok(Matches(expr, rest)) = syn::parse2(call.tokens.clone()) else {
                self.is_everything = true;
                return;
            };
            // The guard is not walked through. A macro in it can show the state in a text,
            // where its name is no word.
            if is_any_word(rest.clone(), &|word| word == self.scope.state) || calls_macro(rest) {
                self.is_everything = true;
                return;
            }
            return self.visit_foreign(&[expr]);
        }
        if PLAIN_MACROS.contains(&&*name) {
            // What it says may decide what is done: a panic can be caught.
            if may_show(&call.tokens.to_string(), &self.scope.state) {
                self.is_everything = true;
                return;
            }
            let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
            let Ok(list) = syn::parse::Parser::parse2(parse, call.tokens.clone()) else {
                self.is_everything = true;
                return;
            };
            return self.visit_foreign(&list.into_iter().collect::<Vec<_>>());
        }
        // What it makes of its arguments is not known. It might even bind names.
        self.is_everything = true;
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.is_everything = true;
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            // Constants in patterns, and guards; macros might be anything.
            Pat::Macro(_) | Pat::Verbatim(_) | Pat::Const(_) => self.is_everything = true,
            // A guard may be evaluated once for each alternative.
            Pat::Guard(_) => self.repeated(|walk| visit::visit_pat(walk, pat)),
            _ => visit::visit_pat(self, pat),
        }
    }
}

impl Walk<'_> {
    /// Visits what may be evaluated more than once, or in another order than it is
    /// visited: no choice is made there.
    fn repeated(&mut self, visit: impl FnOnce(&mut Self)) {
        self.n_repeated += 1;
        visit(self);
        self.n_repeated -= 1;
    }

    /// Visits expressions that stood in the arguments of a macro. Names that are
    /// bound in there have not been seen.
    fn visit_foreign(&mut self, list: &[Expr]) {
        let mut inside = Bound::default();
        list.iter().for_each(|expr| inside.visit_expr(expr));
        let outer = self.scope.clone();
        self.scope.known.retain(|name, _| !inside.names.contains(name));
        if inside.names.contains(&self.scope.state) {
            self.is_everything = true;
        }
        if self.scope.transition.as_ref().is_some_and(|name| inside.names.contains(name)) {
            self.scope.transition = None;
        }
        self.scope.bound.extend(inside.names);
        list.iter().for_each(|expr| self.visit_expr(expr));
        self.scope = outer;
    }
}

/// Whether some text among these tokens may show the variable of this name. Braces and
/// letters can be written as escapes, and what continues a line is left out.
fn may_show(tokens: &str, name: &str) -> bool {
    let is_left_out = |c: char| c.is_whitespace() || c == '\\';
    let joined: String = tokens.chars().filter(|&c| !is_left_out(c)).collect();
    joined.contains(&format!("{{{name}")) || tokens.contains("\\u") || tokens.contains("\\x")
}

/// Whether a macro is called somewhere in the tokens.
fn calls_macro(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_call = |tokens: &[TokenTree]| match tokens {
        [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(_)] => {
            // Keywords are no names: `if !(a)`.
            mark.as_char() == '!' && syn::parse2::<Ident>(name.to_token_stream()).is_ok()
        }
        _ => false,
    };
    let is_inside = |token: &TokenTree| match token {
        TokenTree::Group(group) => calls_macro(group.stream()),
        _ => false,
    };
    tokens.windows(3).any(is_call) || tokens.iter().any(is_inside)
}

/// Whether an expression is just a name.
fn is_simple(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(_))
}

/// The first argument of `matches!`, and what follows.
struct Matches(Expr, TokenStream);

impl syn::parse::Parse for Matches {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let expr = input.parse()?;
        Ok(Matches(expr, input.parse()?))
    }
}

fn type_of(input: &FnArg) -> Option<&syn::Type> {
    match input {
        FnArg::Typed(typed) => Some(&typed.ty),
        FnArg::Receiver(_) => None,
    }
}

/// What is known inside a function that is called with these arguments, or `None`
/// if it cannot be looked through.
fn scope_of(function: &ItemFn, arguments: Vec<Argument>, state: &Ident) -> Option<Scope> {
    let mut inside = Bound::default();
    inside.visit_block(&function.block);
    let mut scope = Scope { bound: inside.names, ..Scope::default() };
    let mut generics = function.sig.generics.params.iter();
    let is_generic = generics.any(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    if is_generic || arguments.len() != function.sig.inputs.len() {
        return None;
    }
    for (input, argument) in function.sig.inputs.iter().zip(arguments) {
        let FnArg::Typed(typed) = input else { return None };
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
            Argument::State if !scope.state.is_empty() => return None,
            Argument::State => {
                let (ty, is_reference) = match &*typed.ty {
                    syn::Type::Reference(reference) => (&*reference.elem, true),
                    ty => (ty, false),
                };
                // By another type, the author's `Deref` might lead elsewhere.
                let syn::Type::Path(path) = ty else { return None };
                if path.qself.is_some() || !path.path.is_ident(state) {
                    return None;
                }
                (scope.state, scope.is_reference) = (steady?, is_reference);
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
                return None;
            }
            own.extend(bound.names);
        }
    }
    scope.bound.extend(own);
    Some(scope)
}

/// Whether an expression is just this name.
fn is_name(expr: &Expr, name: Option<&String>) -> bool {
    let Expr::Path(path) = expr else { return false };
    let ident = path.path.get_ident().filter(|_| path.qself.is_none());
    ident.is_some_and(|ident| name.is_some_and(|name| ident == name))
}

/// All names that patterns bind.
#[derive(Default)]
struct Bound {
    names: HashSet<String>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.names.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}
