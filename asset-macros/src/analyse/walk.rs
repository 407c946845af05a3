//! A walk through a function that gets the state, and perhaps a transition, and
//! through those that it calls with the state.

mod calls;
mod choices;
mod macros;
mod names;
mod places;
mod truth;

use super::module::Module;
use super::reason::Reason;
use super::summary::{Open, Places, Summaries, Summary};
use super::value::Known;
use super::{Accesses, Place, Touches};
use crate::ast::is_assignment;
use names::{is_name, is_simple};
use quote::ToTokens;
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Ident, Macro, Pat};

pub use macros::PLAIN_MACROS;

/// What is known of names in the function that the walk is in.
#[derive(Clone, Default)]
pub struct Scope {
    /// The state.
    state: String,
    /// Whether that is a reference to it.
    is_reference: bool,
    /// Whether it is one by which nothing can be changed.
    is_shared: bool,
    /// Whether some pattern may lend a part of the state in order to change it.
    lends: bool,
    /// The names that are bound once, to an integer.
    integers: HashSet<String>,
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

/// The walk for the transitions of one variant, or for a state check, through one
/// function; what others do is taken over from their summaries.
pub struct Walk<'m> {
    module: &'m Module<'m>,
    summaries: &'m Summaries,
    variant: Option<usize>,
    scope: Scope,
    /// The functions that the walk is in.
    stack: Vec<&'m Ident>,
    places: Places,
    /// What of that may be read, and what may be written.
    reads: Places,
    writes: Places,
    /// Whether what is mentioned here may be written, too.
    may_write: bool,
    /// Why everything may be touched.
    unclear: Option<Reason>,
    /// The fields that have been mentioned.
    mentioned: BTreeSet<usize>,
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
    /// Where no transition is told apart from others, there is no variant. No choice is
    /// looked for if nothing is open.
    pub fn new(
        module: &'m Module<'m>,
        summaries: &'m Summaries,
        variant: Option<usize>,
        open: Option<&Open>,
    ) -> Self {
        let no_fields = || {
            let why = || Reason::new("the state has no fields", module.state);
            module.fields.is_empty().then(why)
        };
        Walk {
            module,
            summaries,
            variant,
            scope: Scope::default(),
            stack: Vec::new(),
            places: Places::default(),
            reads: Places::default(),
            writes: Places::default(),
            may_write: false,
            unclear: module.strange.clone().or_else(no_fields),
            mentioned: open.map(|open| open.mentioned.clone()).unwrap_or_default(),
            n_repeated: usize::from(open.is_none()),
            choice: None,
            assumed: open.and_then(|open| open.assumed),
            by_condition: open.is_some_and(|open| open.by_condition),
        }
    }

    /// What was found.
    pub fn found(self) -> Touches {
        self.found_apart().0
    }

    /// What was found, and what of that may be read and written.
    pub fn found_apart(self) -> (Touches, Accesses) {
        let list = |places: &Places| places.iter().cloned().collect();
        match self.unclear {
            Some(reason) => (Touches::Everything(reason), Accesses::default()),
            None => {
                let accesses = Accesses { reads: list(&self.reads), writes: list(&self.writes) };
                (Touches::Places(list(&self.places)), accesses)
            }
        }
    }

    /// What was found in a function that returns this.
    fn summed_up(self, returned: Option<bool>) -> Summary {
        let Walk { places, reads, writes, unclear, mentioned, choice, .. } = self;
        Summary { places, reads, writes, unclear, mentioned, choice, returned }
    }

    /// All may be touched, for this reason; nothing is known any more.
    fn give_up(&mut self, why: impl Into<String>, at: &impl ToTokens) -> Option<bool> {
        self.unclear.get_or_insert_with(|| Reason::new(why, at));
        None
    }

    /// Visits what may be evaluated more than once, or in another order than it is
    /// visited: no choice is made there.
    fn repeated(&mut self, visit: impl FnOnce(&mut Self)) {
        self.n_repeated += 1;
        visit(self);
        self.n_repeated -= 1;
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if self.unclear.is_some() || self.touches_place(expr) {
            return;
        }
        match expr {
            // Not as part of anything that is understood.
            _ if is_name(expr, Some(&self.scope.state)) => {
                self.give_up("the state is used as a whole", expr);
            }
            Expr::MethodCall(call) if self.is_state(&call.receiver) => {
                let why = format!("a method of the state is called, `{}`", call.method);
                self.give_up(why, &call.method);
            }
            Expr::Verbatim(_) | Expr::Unsafe(_) | Expr::Async(_) => {
                self.give_up("this is code of an unusual kind", expr);
            }
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
                if !self.overwrites(&assign.left) {
                    self.writing(|walk| walk.visit_expr(&assign.left));
                }
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.writing(|walk| walk.visit_expr(&reference.expr));
            }
            Expr::RawAddr(_) => self.writing(|walk| visit::visit_expr(walk, expr)),
            Expr::MethodCall(call) if self.touches_element(call) => {}
            Expr::MethodCall(call) if !self.only_looks(call) => {
                self.writing(|walk| walk.visit_expr(&call.receiver));
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                self.repeated(|walk| visit::visit_expr(walk, expr));
            }
            // Which side is evaluated first depends on types.
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                self.repeated(|walk| {
                    walk.writing(|walk| walk.visit_expr(&binary.left));
                    walk.visit_expr(&binary.right);
                });
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.call_of_macro(call);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.give_up("an item is defined inside of a function", item);
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            // Constants in patterns, and guards; macros might be anything.
            Pat::Macro(_) | Pat::Verbatim(_) | Pat::Const(_) => {
                self.give_up("a macro or a block stands in a pattern", pat);
            }
            // A guard may be evaluated once for each alternative.
            Pat::Guard(_) => self.repeated(|walk| visit::visit_pat(walk, pat)),
            _ => visit::visit_pat(self, pat),
        }
    }
}
