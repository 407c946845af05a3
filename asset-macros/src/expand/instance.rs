//! The implementation of `asset_core::model::Model` for the instance in scope, and
//! of `Space` for the states in scope.

use super::places::{parameter, told};
use crate::analyse::{Analysis, OfVariant, Touches};
use crate::ir::{Model, Transitions, Variant};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// The hidden type that is the instance.
pub fn instance(model: &Model, analysis: &Analysis) -> TokenStream {
    let krate = &model.krate;
    let (state, fire) = (&model.state, &model.fire);
    let transition = transition(model);
    let rules = rules(model);
    let touches = touches(model, &analysis.transitions);
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

            #touches
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

/// Which state variables a transition touches. Nothing where nothing is known of any.
fn touches(model: &Model, variants: &[OfVariant]) -> TokenStream {
    let is_known =
        |of: &OfVariant| of.touches.iter().any(|told| matches!(told, Touches::Places(_)));
    if !variants.iter().any(is_known) {
        return TokenStream::new();
    }
    let choices = arms(model, variants, |of| match &of.choice {
        Some((place, n_values)) => {
            let place = told(&model.krate, place);
            quote!(::core::option::Option::Some((#place, #n_values)))
        }
        None => quote!(::core::option::Option::None),
    });
    let places = arms(model, variants, |of| {
        let each = of.touches.iter().zip(&of.rules).enumerate().map(|(value, (fire, rules))| {
            let told = places(&model.krate, fire, rules);
            if of.choice.is_some() { quote!(#value => #told) } else { quote!(_ => #told) }
        });
        let otherwise = of.choice.is_some().then(|| quote!(_ => false,));
        quote!(match __value { #(#each)* #otherwise })
    });
    let krate = &model.krate;
    let transition = transition(model);
    quote! {
        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn choice(
            transition: usize,
        ) -> ::core::option::Option<(#krate::generated::Place, usize)> {
            match #transition {
                #(#choices)*
            }
        }

        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn touches(
            transition: usize,
            __value: usize,
            __with_rules: bool,
            __tell: &mut dyn ::core::ops::FnMut(#krate::generated::Place),
        ) -> bool {
            match #transition {
                #(#places)*
            }
        }
    }
}

/// For the transitions of each variant, what is said of them, with their parameters
/// by name.
fn arms(
    model: &Model,
    analysed: &[OfVariant],
    mut say: impl FnMut(&OfVariant) -> TokenStream,
) -> Vec<TokenStream> {
    match &model.transitions {
        Transitions::Enum { ident, variants } => {
            let arm = |(Variant { ident: variant, fields }, of): (&Variant, &OfVariant)| {
                let members = fields.iter().map(|field| &field.member);
                let names = (0..fields.len()).map(parameter);
                let said = say(of);
                quote!(#ident::#variant { #(#members: #names),* } => { #said })
            };
            variants.iter().zip(analysed).map(arm).collect()
        }
        Transitions::Count(_) => {
            let name = parameter(0);
            analysed.iter().map(say).map(|said| quote!(#name => { #said })).collect()
        }
    }
}

/// Tells what firing touches, and what the rules look at besides.
fn places(krate: &syn::Path, fire: &Touches, rules: &Touches) -> TokenStream {
    let Touches::Places(places) = fire else { return quote!({ false }) };
    let told = places.iter().map(|place| told(krate, place));
    let besides = match rules {
        Touches::Everything(_) => quote!(!__with_rules),
        Touches::Places(places) if places.is_empty() => quote!(true),
        Touches::Places(places) => {
            let told = places.iter().map(|place| self::told(krate, place));
            quote!({
                if __with_rules {
                    #(__tell(#told);)*
                }
                true
            })
        }
    };
    quote!({
        #(__tell(#told);)*
        #besides
    })
}
