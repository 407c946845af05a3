//! The model language of `asset-core`: a module becomes a packed state machine.
//!
//! A small compiler: `parse` reads the module into an `ast` that keeps the
//! author's tokens, `validate` collects everything that is wrong or lowers
//! the rest to an `ir` that cannot be wrong, `analyse` finds out what the author's
//! functions touch, and `expand` writes thin code that calls `asset_core`. If
//! something is wrong, `fallback` still defines the module's names, so that one
//! mistake is one message; `recover` finds them in a module that does not parse.

mod analyse;
mod ast;
mod errors;
mod expand;
mod fallback;
mod ir;
mod parse;
mod recover;
#[cfg(test)]
mod tests;
mod text;
mod validate;

use proc_macro::TokenStream;

/// Turns a module into a model: see the guide "Writing a model".
///
/// ```text
/// /// A lamp.
/// #[model]
/// pub mod lamp {
///     #[state]
///     pub struct State {
///         on: bool,
///     }
///
///     #[transitions]
///     pub enum Transition {
///         Press,
///     }
///
///     pub fn fire_transition(s: &mut State, t: Transition) -> bool {
///         match t {
///             Transition::Press => s.on = !s.on,
///         }
///         true
///     }
/// }
/// ```
///
/// The parts of a model:
///
/// | mark | on | says |
/// |---|---|---|
/// | `#[param(2..=5)]` | a constant | every value becomes an instance; the constant's own is the default. Also `#[param(2, 4)]`, and `#[param]` for all values of a `bool` or of an enum without data |
/// | `#[state]` | a struct | the state variables |
/// | `#[derive(StateVar)]` | an enum or a struct | can be a state variable |
/// | `#[range(0..N)]` | a field | the legal values of an integer or of an array of them |
/// | `#[only_if(LOSSY)]` | a variant of the transitions | it exists only where this constant condition is true |
/// | `#[transitions]` | an enum, or a `usize` constant | the transitions; an integer parameter needs a `#[range]` |
/// | *name* `fire_transition` | `fn(&mut State, Transition) -> bool` | fires; `false` means disabled |
/// | `#[init]` | `fn(&mut State)`, `fn() -> State` or a collection of states | initial states; without it all variables are zero |
/// | `#[stubborn]` | `fn(&State, Transition, &mut Obligations)` | stubborn set rules |
/// | `#[check(state)]`, `#[check(deadlock)]` | `fn(&State) -> Result<(), &'static str>`, also with `String`, or `bool` | holds in every state; in every terminal state |
/// | `#[check(reachable)]` | `fn(&State) -> bool` | holds in some state |
/// | `#[check(may_progress)]`, `#[check(must_progress)]` | `fn(&State) -> bool` | progress states; `may_progress(strict)` says that termination is not progress |
/// | `#[proposition]` | `fn(&State, …) -> bool` | can be named in formulas; parameters are `bool`, or integers with a `#[range]` |
/// | `#[check(ltl)]` | a constant, `const NAME: Ltl = ltl!(G (waiting(0) -> F served(0)));` | the formula holds of every fair run |
/// | `#[fair(weak)]`, `#[fair(strong)]` | a transition | runs are fair to it; also `by = i`, `group = name` |
/// | `#[check(never_without)]` | `fn(Transition) -> NeverWithout` | nothing watched happens again and again without a remedy |
/// | `#[progress]` | `fn(Transition) -> bool`, `fn(&State, Transition) -> bool` | progress transitions |
/// | `#[progress(state)]` | `fn(&State) -> bool` | progress states of livelock checks |
/// | `#[display]` | `fn(&State) -> String`, `fn(&State, &mut fmt::Formatter) -> fmt::Result` | a state on one line |
///
/// The module keeps all its items and gets `model()`, which returns the
/// `asset_core::Family` of its instances, and the constants
/// `BITS_PER_STATE` and `WORDS_PER_STATE` of the default instance. Types get
/// `Clone`, `Copy`, `PartialEq`, `Eq` and `Debug` unless they have them.
///
/// A model with parameters is compiled once for each combination of values, but
/// for what does not depend on all of them: that is shared. If there are more than 32
/// combinations, the default one is built and those that are named: in the source, by
/// `#[model(instances(n = 3, fast = true))]`, or in the environment variable
/// `ASSET_INSTANCES`, as `n=3,fast=true; n=4`.
/// The other instances are copies beside the module in a constant of the
/// module's name, so no function or constant beside it can have that name, and
/// it has no modules of its own but those for tests.
///
/// Arguments: `crate = "path"` says where `asset_core` is if not at
/// `::asset_core`; `trust(impure)` permits what could make a model give two
/// answers for the same state, such as statics and clocks; `instances(n = 3)` and
/// `instances(all)` name instances that are built whatever the number of combinations.
#[proc_macro_attribute]
pub fn model(args: TokenStream, item: TokenStream) -> TokenStream {
    // It may be anything, as long as nobody asks for it.
    let named = std::env::var_os(validate::VARIABLE);
    let named = named.as_ref().map(|named| named.to_string_lossy());
    model_tokens(args.into(), item.into(), named.as_deref()).into()
}

/// The compiler behind [`macro@model`], callable from unit tests. `named` are the instances
/// that the environment names.
fn model_tokens(
    args: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
    named: Option<&str>,
) -> proc_macro2::TokenStream {
    let mut errors = errors::Errors::default();
    let Some(module) = parse::module(args, item.clone(), &mut errors) else {
        return fallback::without_module(errors, item);
    };
    if module.is_broken {
        return fallback::module(errors, &module);
    }
    match validate::module(&module, named, &mut errors) {
        Some(model) if errors.is_empty() => {
            let analysis = analyse::model(&model, module.trust_impure);
            expand::model(&model, &analysis)
        }
        _ => fallback::module(errors, &module),
    }
}

/// Makes an enum or a struct a state variable: finitely many values, packed
/// into just enough bits.
///
/// Inside a `#[model]` module the macro also chooses the representation and
/// derives `Clone`, `Copy`, `PartialEq`, `Eq` and `Debug`. Elsewhere they must be
/// written: `#[repr(u8)]` for an enum without data, `#[repr(C)]` for a struct,
/// and at least `#[derive(Clone, Copy, PartialEq, Eq, Debug)]`, which models that
/// use the type rely on. An integer field may have a
/// `#[range(0..n)]`.
#[proc_macro_derive(StateVar, attributes(range))]
pub fn state_var(item: TokenStream) -> TokenStream {
    let mut errors = errors::Errors::default();
    let item = match syn::parse::<syn::Item>(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error().into(),
    };
    let krate = parse::default_crate();
    let var = validate::derived(&item, &mut errors);
    let mut tokens = errors.into_tokens();
    tokens.extend(var.map(|var| expand::state_var(&krate, &var, &expand::not_recommended())));
    tokens.into()
}
