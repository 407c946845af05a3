//! The implementation of `asset_core::model::Model` for the instance in scope, and
//! of `Space` for the states in scope.

use super::places::{parameter, told, told_apart};
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
        struct __asset_Instance;

        impl #krate::generated::Model for __asset_Instance {
            type State = #state;
            type Space = __asset_Space;
            type Properties = __asset_Properties;

            #[inline(always)]
            fn fire(
                __asset_state: &mut Self::State,
                __asset_transition: ::core::primitive::usize,
            ) -> ::core::primitive::bool {
                #fire(__asset_state, #transition)
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
        Transitions::Enum { ident, .. } => {
            quote!(<#ident as #krate::generated::TransitionEnum>::COUNT)
        }
        Transitions::Count(constant) => quote!(#constant),
    };
    quote! {
        struct __asset_Space;

        impl #krate::generated::Space for __asset_Space {
            type State = #state;
            const N_TRANSITIONS: ::core::primitive::usize = #n_transitions;
        }
    }
}

/// The width of states, as far as the author has nothing of that name.
pub fn widths(model: &Model) -> TokenStream {
    let (krate, state) = (&model.krate, &model.state);
    let layout = quote!(&<#state as #krate::generated::StateVar>::LAYOUT);
    let [bits, words] = model.shows;
    let bits = bits.then(|| {
        quote! {
            /// Number of bits of a packed state.
            #[allow(dead_code)]
            pub const BITS_PER_STATE: ::core::primitive::u32 =
                #krate::generated::Layout::bits(#layout);
        }
    });
    let words = words.then(|| {
        quote! {
            /// Number of 64-bit words of a packed state.
            #[allow(dead_code)]
            pub const WORDS_PER_STATE: ::core::primitive::usize =
                #krate::generated::Layout::words(#layout);
        }
    });
    quote!(#bits #words)
}

/// The expression that makes the author's transition from the number
/// `__asset_transition`.
pub fn transition(model: &Model) -> TokenStream {
    let krate = &model.krate;
    match &model.transitions {
        Transitions::Enum { ident, .. } => {
            quote!(<#ident as #krate::generated::TransitionEnum>::from_number(__asset_transition))
        }
        Transitions::Count(_) => quote!(__asset_transition),
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
            __asset_state: &Self::State,
            __asset_transition: ::core::primitive::usize,
            __asset_need: &mut #krate::generated::Obligations,
        ) {
            #rules(__asset_state, #transition, __asset_need)
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
        quote!(match __asset_value { #(#each)* #otherwise })
    });
    let apart = arms(model, variants, |of| {
        let each = of.touches.iter().zip(&of.accesses).enumerate();
        let each = each.map(|(value, (touches, accesses))| {
            let told = match touches {
                Touches::Everything(_) => quote!({ false }),
                Touches::Places(_) => {
                    let told = told_apart(&model.krate, accesses);
                    quote!({ #(__asset_tell #told;)* true })
                }
            };
            if of.choice.is_some() { quote!(#value => #told) } else { quote!(_ => #told) }
        });
        let otherwise = of.choice.is_some().then(|| quote!(_ => false,));
        quote!(match __asset_value { #(#each)* #otherwise })
    });
    let krate = &model.krate;
    let transition = transition(model);
    quote! {
        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn accesses(
            __asset_transition: ::core::primitive::usize,
            __asset_value: ::core::primitive::usize,
            __asset_tell: &mut dyn ::core::ops::FnMut(
                #krate::generated::Access,
                #krate::generated::Place,
            ),
        ) -> ::core::primitive::bool {
            match #transition {
                #(#apart)*
            }
        }

        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn choice(
            __asset_transition: ::core::primitive::usize,
        ) -> ::core::option::Option<(#krate::generated::Place, ::core::primitive::usize)> {
            match #transition {
                #(#choices)*
            }
        }

        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn touches(
            __asset_transition: ::core::primitive::usize,
            __asset_value: ::core::primitive::usize,
            __asset_with_rules: ::core::primitive::bool,
            __asset_tell: &mut dyn ::core::ops::FnMut(#krate::generated::Place),
        ) -> ::core::primitive::bool {
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
            let arm = |(Variant { ident: variant, fields, .. }, of): (&Variant, &OfVariant)| {
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
        Touches::Everything(_) => quote!(!__asset_with_rules),
        Touches::Places(places) if places.is_empty() => quote!(true),
        Touches::Places(places) => {
            let told = places.iter().map(|place| self::told(krate, place));
            quote!({
                if __asset_with_rules {
                    #(__asset_tell(#told);)*
                }
                true
            })
        }
    };
    quote!({
        #(__asset_tell(#told);)*
        #besides
    })
}
