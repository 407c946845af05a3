//! The items of an instance with what is generated for them: all of them, or those
//! that the instances of one block share.

use super::inline::{self, Uses};
use super::sharing::Sharing;
use super::{
    Values, fields, instance, not_recommended, properties, state_var, temporal, transitions,
};
use crate::analyse::Analysis;
use crate::ast;
use crate::ir::{Asked, Formula, Model, Transitions};
use crate::validate::Names;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// What an instance consists of.
pub struct Body<'a> {
    pub model: &'a Model,
    /// What its functions touch.
    pub analysis: &'a Analysis,
    /// The values of the parameters; of those that no item of this level
    /// depends on, any.
    pub values: &'a Values<'a>,
    /// How often each word stands in the module.
    pub uses: &'a Uses,
    /// In a copy, only what belongs to one level is written.
    pub copy: Option<(&'a Sharing, usize)>,
}

impl Body<'_> {
    /// Its items, in the order of declaration, and what is generated for them.
    pub fn write(&self) -> TokenStream {
        let model = self.model;
        let krate = &model.krate;
        let items = self.items();
        let vars = model.vars.iter().filter(|var| self.has(&var.ident));
        let names = Names::of(model.items.iter().map(|item| &item.syn));
        let hint = (!names.contains("diagnostic")).then(not_recommended).unwrap_or_default();
        let vars = vars.map(|var| state_var(krate, var, &hint));
        let transitions = match &model.transitions {
            Transitions::Enum { ident, variants } if self.has(ident) => {
                Some(transitions::numbered(krate, ident, variants))
            }
            Transitions::Count(count) if self.has(count) => {
                Some(transitions::check_count(krate, &quote!(#count), count))
            }
            _ => None,
        };
        let widths = self.has(&model.state).then(|| instance::widths(model));
        let size = self.has(&model.state).then(|| size(model));
        let names = instance::names_in_space(model);
        let space = self.has_all(&names).then(|| instance::space(model));
        let names = properties::names(model);
        let propositions = model.propositions.iter().filter(|known| self.has(&known.function));
        let ranges = propositions.map(|proposition| temporal::ranges(krate, proposition));
        let properties = self.has_all(&names).then(|| properties::properties(model, self.analysis));
        let is_whole = self.copy.is_none_or(|(sharing, level)| level == sharing.order.len());
        let instance = is_whole.then(|| instance::instance(model, self.analysis));
        let prelude = self.copy.is_none().then(|| super::prelude(model, self.analysis));
        quote! {
            #prelude
            #(#items)*
            #(#vars)*
            #transitions
            #widths
            #space
            #(#ranges)*
            #properties
            #instance
            #size
        }
    }

    /// Whether what goes with the item of this name is written here.
    fn has(&self, name: &Ident) -> bool {
        self.has_all(&[name])
    }

    /// Whether what goes with all of these items is written here.
    fn has_all(&self, names: &[&Ident]) -> bool {
        self.copy.is_none_or(|(sharing, level)| {
            let levels = names.iter().map(|name| sharing.level_of(self.model, name));
            levels.max() == Some(level)
        })
    }

    /// The formula that an item states.
    fn formula(&self, item: &syn::Item) -> Option<&Formula<Asked>> {
        ast::stated(item)?;
        let name = ast::name_of(item)?;
        let mut formulas = self.model.formulas.iter();
        let found = formulas.find(|(check, _)| self.model.checks[*check].function == *name);
        found.map(|(_, formula)| formula)
    }

    /// The author's items, with the values of parameters and hints.
    fn items(&self) -> impl Iterator<Item = syn::Item> {
        let items = self.model.items.iter().enumerate().filter(|(index, item)| {
            self.copy
                .is_none_or(|(sharing, level)| !item.test_only && sharing.levels[*index] == level)
        });
        items.map(move |(_, item)| {
            let mut syn = item.syn.clone();
            if let (syn::Item::Const(constant), Some(param)) = (&mut syn, item.param)
                && self.copy.is_some()
            {
                *constant.expr = self.values[param].expr.clone();
            }
            if let (syn::Item::Const(constant), Some(formula)) = (&syn, self.formula(&syn)) {
                return temporal::stated(self.model, constant, formula);
            }
            if let syn::Item::Fn(function) = &mut syn {
                inline::hint(self.model, self.uses, function);
            }
            syn
        })
    }
}

/// A constant that does not compile if the state is too large, on its name.
fn size(model: &Model) -> TokenStream {
    let Model { krate, state, .. } = model;
    let layout = quote!(<#state as #krate::generated::StateVar>::LAYOUT);
    let check = quote!(#krate::generated::check_size(&#layout));
    let check = fields::respan(check, state.span());
    quote!(const _: () = #check;)
}
