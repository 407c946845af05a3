//! The implementation of `asset_core::model::Model` for the instance in scope, and
//! of `Space` for the states in scope.

use crate::ir::{Model, Transitions};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// The hidden type that is the instance.
pub fn instance(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let (state, fire) = (&model.state, &model.fire);
    let transition = transition(model);
    let rules = rules(model);
    quote! {
        struct __Instance;

        impl #krate::generated::Model for __Instance {
            type State = #state;
            type Space = __Space;
            type Properties = __Properties;

            #[inline(always)]
            fn fire(state: &mut Self::State, transition: usize) -> bool {
                #fire(state, #transition)
            }

            #rules
        }
    }
}

/// The author's names that [`space`] mentions.
pub fn names_in_space(model: &Model) -> [&Ident; 2] {
    let (Transitions::Enum { ident, .. } | Transitions::Count(ident)) = &model.transitions;
    [&model.state, ident]
}

/// The hidden type for what instances share that have the same states and as
/// many transitions.
pub fn space(model: &Model) -> TokenStream {
    let (krate, state) = (&model.krate, &model.state);
    let n_transitions = match &model.transitions {
        Transitions::Enum { ident, .. } => quote!(#ident::COUNT),
        Transitions::Count(constant) => quote!(#constant),
    };
    quote! {
        struct __Space;

        impl #krate::generated::Space for __Space {
            type State = #state;
            const N_TRANSITIONS: usize = #n_transitions;
        }
    }
}

/// The names of what [`widths`] defines.
pub const WIDTHS: [&str; 2] = ["BITS_PER_STATE", "WORDS_PER_STATE"];

/// The width of states.
pub fn widths(model: &Model) -> TokenStream {
    let (krate, state) = (&model.krate, &model.state);
    quote! {
        /// Number of bits of a packed state.
        #[allow(dead_code)]
        pub const BITS_PER_STATE: u32 = <#state as #krate::generated::StateVar>::LAYOUT.bits();

        /// Number of 64-bit words of a packed state.
        #[allow(dead_code)]
        pub const WORDS_PER_STATE: usize = <#state as #krate::generated::StateVar>::LAYOUT.words();
    }
}

/// The expression that makes the author's transition from the number
/// `transition`.
pub fn transition(model: &Model) -> TokenStream {
    match &model.transitions {
        Transitions::Enum { ident, .. } => quote!(#ident::from_number(transition)),
        Transitions::Count(_) => quote!(transition),
    }
}

fn rules(model: &Model) -> TokenStream {
    let Some(rules) = &model.rules else {
        return TokenStream::new();
    };
    let krate = &model.krate;
    let transition = transition(model);
    quote! {
        #[inline(always)]
        fn obligations(
            state: &Self::State,
            transition: usize,
            need: &mut #krate::generated::Obligations,
        ) {
            #rules(state, #transition, need)
        }
    }
}
