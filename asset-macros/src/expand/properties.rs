//! The implementation of `asset_core::model::Properties`: everything but firing and
//! rules.

use super::instance::{names_in_space, transition};
use super::places::{not_understood, told};
use super::temporal::temporal;
use crate::analyse::{Analysis, Touches};
use crate::ast::CheckKind;
use crate::ir::{Check, InitForm, Model, ProgressKind, Transitions};
use crate::text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// The author's names that [`properties`] mentions.
pub fn names(model: &Model) -> Vec<&Ident> {
    let mut names = names_in_space(model).to_vec();
    names.extend(model.inits.iter().map(|init| &init.function));
    names.extend(model.checks.iter().map(|check| &check.function));
    names.extend(model.propositions.iter().map(|proposition| &proposition.function));
    names.extend(model.progress.iter().map(|progress| &progress.function));
    names.extend(model.display.iter().map(|display| &display.function));
    names
}

/// The hidden type for what instances share whose checks are the same, too.
pub fn properties(model: &Model, analysis: &Analysis) -> TokenStream {
    let (krate, state) = (&model.krate, &model.state);
    let description = description(model, analysis);
    let functions = [
        transition_name(model),
        initial_states(model),
        faults(model),
        looks_at(model, &analysis.checks),
        progress(model),
        temporal(model, analysis),
        display(model),
    ];
    quote! {
        struct __asset_Properties;

        impl #krate::generated::Properties for __asset_Properties {
            type State = #state;
            const DESCRIPTION: #krate::generated::Description = #description;
            #(#functions)*
        }
    }
}

fn description(model: &Model, analysis: &Analysis) -> TokenStream {
    let krate = &model.krate;
    let name = text::shown(&model.head.ident);
    let doc = &model.doc;
    let checks = model.checks.iter().map(|Check { function, doc, kind }| {
        let name = text::shown(function);
        let kind = match kind {
            CheckKind::State => quote!(State),
            CheckKind::Deadlock => quote!(Deadlock),
            CheckKind::Reachable => quote!(Reachable),
            CheckKind::MayProgress { strict } => quote!(MayProgress { strict: #strict }),
            CheckKind::MustProgress { strict } => quote!(MustProgress { strict: #strict }),
            CheckKind::Ltl => quote!(Ltl),
            CheckKind::NeverWithout => quote!(NeverWithout),
        };
        quote! {
            #krate::generated::Check {
                name: #name,
                doc: #doc,
                kind: #krate::generated::CheckKind::#kind,
            }
        }
    });
    let has_rules = model.rules.is_some();
    let marks = |kind| model.progress.iter().any(|progress| progress.kind == kind);
    let of_transitions = marks(ProgressKind::Transitions);
    let of_states = marks(ProgressKind::States);
    let of_edges = marks(ProgressKind::Edges);
    let not_understood = not_understood(model, analysis);
    quote! {
        #krate::generated::Description {
            name: #name,
            doc: #doc,
            checks: &[#(#checks),*],
            has_rules: #has_rules,
            progress_transitions: #of_transitions,
            progress_states: #of_states,
            progress_edges: #of_edges,
            not_understood: &[#(#not_understood),*],
        }
    }
}

fn transition_name(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let name = match &model.transitions {
        Transitions::Enum { ident, .. } => {
            quote!(#krate::generated::transition_name(
                <#ident as #krate::generated::TransitionEnum>::SHAPES,
                __asset_transition,
            ))
        }
        Transitions::Count(_) => quote!(::std::string::ToString::to_string(&__asset_transition)),
    };
    quote! {
        fn transition_name(__asset_transition: ::core::primitive::usize) -> ::std::string::String {
            #name
        }
    }
}

fn initial_states(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let zero = quote!(<Self::State as #krate::generated::StateVar>::zero());
    let states = model.inits.iter().map(|init| {
        let function = &init.function;
        match init.form {
            InitForm::Changes => quote! {
                let mut __asset_state = #zero;
                #function(&mut __asset_state);
                __asset_add(&__asset_state);
            },
            InitForm::One => quote!(__asset_add(&#function());),
            InitForm::Several => quote! {
                for __asset_state in #function() {
                    __asset_add(&__asset_state);
                }
            },
        }
    });
    let states = if model.inits.is_empty() {
        quote!(__asset_add(&#zero);)
    } else {
        states.collect::<TokenStream>()
    };
    quote! {
        fn initial_states(__asset_add: &mut dyn ::std::ops::FnMut(&Self::State)) {
            #states
        }
    }
}

fn faults(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let fault = |name: TokenStream, kinds: &[CheckKind]| {
        let checks =
            model.checks.iter().enumerate().filter(|(_, check)| kinds.contains(&check.kind));
        let checks: Vec<TokenStream> = checks
            .map(|(index, Check { function, kind, .. })| {
                // What is to be reachable is found where its function says yes.
                let answer = match kind {
                    CheckKind::Reachable => quote!(!#function(__asset_state)),
                    _ => quote!(#function(__asset_state)),
                };
                quote! {
                    if #krate::generated::CheckSet::contains(__asset_on, #index) {
                        let __asset_fault = #krate::generated::Answer::fault(#answer);
                        if let ::core::option::Option::Some(__asset_message) = __asset_fault {
                            return ::core::option::Option::Some(#krate::generated::Fault {
                                check: #index,
                                message: __asset_message,
                            });
                        }
                    }
                }
            })
            .collect();
        if checks.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn #name(
                __asset_state: &Self::State,
                __asset_on: #krate::generated::CheckSet,
            ) -> ::core::option::Option<#krate::generated::Fault> {
                #(#checks)*
                ::core::option::Option::None
            }
        }
    };
    let state = fault(quote!(state_fault), &[CheckKind::State, CheckKind::Reachable]);
    let deadlock = fault(quote!(deadlock_fault), &[CheckKind::Deadlock]);
    quote!(#state #deadlock)
}

/// Which state variables the state checks look at. Nothing where nothing is known of any.
/// The author's names in it are those of the checks' own code, so that it can stand where
/// the checks do.
fn looks_at(model: &Model, checks: &[Touches]) -> TokenStream {
    let known = checks.iter().enumerate().filter_map(|(index, looks_at)| {
        let Touches::Places(places) = looks_at else { return None };
        let told = places.iter().map(|place| told(&model.krate, place));
        Some(quote!(#index => { #(__asset_tell(#told);)* true }))
    });
    let known: Vec<TokenStream> = known.collect();
    if known.is_empty() {
        return TokenStream::new();
    }
    let krate = &model.krate;
    quote! {
        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn looks_at(
            __asset_check: ::core::primitive::usize,
            __asset_tell: &mut dyn ::core::ops::FnMut(#krate::generated::Place),
        ) -> ::core::primitive::bool {
            match __asset_check {
                #(#known)*
                _ => false,
            }
        }
    }
}

fn progress(model: &Model) -> TokenStream {
    let arms = model.checks.iter().enumerate().filter_map(|(index, check)| {
        let function = &check.function;
        matches!(check.kind, CheckKind::MayProgress { .. } | CheckKind::MustProgress { .. })
            .then(|| quote!(#index => #function(__asset_state),))
    });
    let arms: Vec<TokenStream> = arms.collect();
    let of_checks = (!arms.is_empty()).then(|| {
        quote! {
            fn is_progress(
                __asset_state: &Self::State,
                __asset_check: ::core::primitive::usize,
            ) -> ::core::primitive::bool {
                match __asset_check {
                    #(#arms)*
                    _ => false,
                }
            }
        }
    });
    let any = |kind: ProgressKind, head: TokenStream, arguments: TokenStream| {
        let marks = model.progress.iter().filter(|progress| progress.kind == kind);
        let calls: Vec<TokenStream> = marks
            .map(|progress| {
                let function = &progress.function;
                quote!(#function(#arguments))
            })
            .collect();
        (!calls.is_empty()).then(|| quote!(#head { #(#calls)||* }))
    };
    let transition = transition(model);
    let of_transitions = any(
        ProgressKind::Transitions,
        quote! {
            fn progress_transition(
                __asset_transition: ::core::primitive::usize,
            ) -> ::core::primitive::bool
        },
        transition.clone(),
    );
    let of_states = any(
        ProgressKind::States,
        quote!(fn progress_state(__asset_state: &Self::State) -> ::core::primitive::bool),
        quote!(__asset_state),
    );
    let of_edges = any(
        ProgressKind::Edges,
        quote! {
            fn progress_edge(
                __asset_state: &Self::State,
                __asset_transition: ::core::primitive::usize,
            ) -> ::core::primitive::bool
        },
        quote!(__asset_state, #transition),
    );
    quote!(#of_checks #of_transitions #of_states #of_edges)
}

fn display(model: &Model) -> TokenStream {
    let Some(display) = &model.display else {
        return TokenStream::new();
    };
    let krate = &model.krate;
    let function = &display.function;
    let text = if display.to_formatter {
        quote! {
            #krate::generated::formatted(|__asset_formatter| {
                #function(__asset_state, __asset_formatter)
            })
        }
    } else {
        quote!(#function(__asset_state))
    };
    quote! {
        fn display(
            __asset_state: &Self::State,
        ) -> ::core::option::Option<::std::string::String> {
            ::core::option::Option::Some(#text)
        }
    }
}
