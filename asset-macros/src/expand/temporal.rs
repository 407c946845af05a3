//! What a model says about infinite runs: propositions, formulas, fairness.

use super::fields::{checks, ends, respan};
use super::instance::transition;
use super::places::{parameter, told};
use crate::analyse::{Analysis, Touches};
use crate::ast::{Binary, CheckKind, Formula, Quantifier, Unary};
use crate::ir::{Asked, Fair, Field, Model, Parameter, Proposition, Transitions};
use crate::text;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Member, Path, parse_quote};

/// The part of the implementation of `asset_core::model::Properties`; nothing of what the
/// model has nothing of.
pub fn temporal(model: &Model, analysis: &Analysis) -> TokenStream {
    let looks_at = looks_at(model, &analysis.propositions);
    let parts =
        [propositions(model), looks_at, formulas(model), fairness(model), never_without(model)];
    quote!(#(#parts)*)
}

/// Constants that do not compile if the range of a parameter is not in order.
pub fn ranges(krate: &Path, proposition: &Proposition) -> TokenStream {
    let parameters = proposition.parameters.iter();
    let fields = parameters.filter_map(|Parameter { ty, range, .. }| {
        let range = range.as_ref()?;
        let (lo, hi, closed) = (range.lo.clone(), range.hi.clone(), range.closed);
        let range = Some(crate::ir::Range { lo, hi, closed, can_be_empty: false });
        Some(Field { member: Member::from(0), ty: ty.clone(), range })
    });
    let checks = checks(krate, &fields.collect::<Vec<_>>());
    match checks.is_empty() {
        true => checks,
        false => quote!(#[allow(clippy::all)] const _: () = { #checks };),
    }
}

/// The least and the largest value of a parameter, as a list of two `i128`.
fn limits(parameter: &Parameter) -> TokenStream {
    parameter.range.as_ref().map_or_else(|| quote!(0, 1), ends)
}

fn propositions(model: &Model) -> TokenStream {
    if model.propositions.is_empty() {
        return TokenStream::new();
    }
    let krate = &model.krate;
    let told = model.propositions.iter().map(|Proposition { function, doc, parameters }| {
        let name = text::shown(function);
        let parameters = parameters.iter().map(|parameter| {
            let (name, limits) = (&parameter.name, limits(parameter));
            quote!(#krate::generated::PropositionParameter::new(#name, #limits))
        });
        quote! {
            #krate::generated::Proposition {
                name: #name,
                doc: #doc,
                parameters: &[#(#parameters),*],
            }
        }
    });
    let arms = model.propositions.iter().enumerate().map(|(index, proposition)| {
        let function = &proposition.function;
        let arguments = proposition.parameters.iter().enumerate().map(|(i, parameter)| {
            let ty = &parameter.ty;
            match parameter.range {
                Some(_) => quote!(__asset_arguments[#i] as #ty),
                None => quote!(__asset_arguments[#i] != 0),
            }
        });
        quote!(#index => #function(__asset_state, #(#arguments),*),)
    });
    quote! {
        #[allow(clippy::all)]
        const TEMPORAL: #krate::generated::Temporal =
            #krate::generated::Temporal { propositions: &[#(#told),*] };

        #[allow(clippy::all)]
        fn proposition(
            __asset_state: &Self::State,
            __asset_proposition: ::core::primitive::usize,
            __asset_arguments: &[::core::primitive::i64],
        ) -> ::core::primitive::bool {
            match __asset_proposition {
                #(#arms)*
                _ => #krate::generated::no_such("proposition", __asset_proposition),
            }
        }
    }
}

/// Which state variables the propositions look at. Nothing where nothing is known of any.
fn looks_at(model: &Model, propositions: &[Touches]) -> TokenStream {
    let krate = &model.krate;
    let known = propositions.iter().zip(&model.propositions).enumerate();
    let known = known.filter_map(|(index, (looks_at, proposition))| {
        let Touches::Places(places) = looks_at else { return None };
        let bound = proposition.parameters.iter().enumerate().filter_map(|(i, known)| {
            let (name, ty) = (parameter(i), &known.ty);
            known.range.as_ref()?;
            Some(quote!(let #name: #ty = __asset_arguments[#i] as #ty;))
        });
        let told = places.iter().map(|place| told(krate, place));
        Some(quote!(#index => { #(#bound)* #(__asset_tell(#told);)* true }))
    });
    let known: Vec<TokenStream> = known.collect();
    if known.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]
        fn proposition_looks_at(
            __asset_proposition: ::core::primitive::usize,
            __asset_arguments: &[::core::primitive::i64],
            __asset_tell: &mut dyn ::core::ops::FnMut(#krate::generated::Place),
        ) -> ::core::primitive::bool {
            match __asset_proposition {
                #(#known)*
                _ => false,
            }
        }
    }
}

fn formulas(model: &Model) -> TokenStream {
    if model.formulas.is_empty() {
        return TokenStream::new();
    }
    let krate = &model.krate;
    let arms = model.formulas.iter().map(|(check, _)| {
        let constant = &model.checks[*check].function;
        quote! {
            #check => ::core::option::Option::Some(
                #krate::generated::StatedFormula::tree(&#constant, __asset_atom)
            ),
        }
    });
    quote! {
        fn formula(
            __asset_check: ::core::primitive::usize,
            __asset_atom: &mut #krate::generated::Resolve<'_>,
        ) -> #krate::generated::Formula {
            match __asset_check {
                #(#arms)*
                _ => ::core::option::Option::None,
            }
        }
    }
}

fn fairness(model: &Model) -> TokenStream {
    let Transitions::Enum { ident, .. } = &model.transitions else {
        return TokenStream::new();
    };
    if model.fairness.iter().all(Option::is_none) {
        return TokenStream::new();
    }
    let krate = &model.krate;
    let marks = model.fairness.iter().map(|mark| {
        let Some(Fair { is_strong, group, by }) = mark else {
            return quote!(::core::option::Option::None);
        };
        let (group, by) = (optional(group), optional(by));
        quote! {
            ::core::option::Option::Some(#krate::generated::FairMark {
                is_strong: #is_strong,
                group: #group,
                by: #by,
            })
        }
    });
    quote! {
        fn fairness(
            __asset_transition: ::core::primitive::usize,
        ) -> ::core::option::Option<#krate::generated::Fair> {
            #krate::generated::fairness(
                <#ident as #krate::generated::TransitionEnum>::SHAPES,
                &[#(#marks),*],
                __asset_transition,
            )
        }
    }
}

fn optional(value: &Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn never_without(model: &Model) -> TokenStream {
    let transition = transition(model);
    let arms = model.checks.iter().enumerate().filter_map(|(index, check)| {
        let function = &check.function;
        (check.kind == CheckKind::NeverWithout).then(|| quote!(#index => #function(#transition),))
    });
    let arms: Vec<TokenStream> = arms.collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    let krate = &model.krate;
    quote! {
        fn never_without(
            __asset_check: ::core::primitive::usize,
            __asset_transition: ::core::primitive::usize,
        ) -> #krate::generated::NeverWithout {
            match __asset_check {
                #(#arms)*
                _ => #krate::generated::NeverWithout::OTHER,
            }
        }
    }
}

/// The constant with the steps of its formula in the place of `ltl!(…)`. They are worked out
/// by the compiler, so that what is wrong with a value is an error on the author's tokens.
pub fn stated(model: &Model, constant: &syn::ItemConst, formula: &Formula<Asked>) -> syn::Item {
    let krate = &model.krate;
    let mut constant = constant.clone();
    let mut steps = Steps { model, name: constant.ident.clone(), n_variables: 0 };
    let steps = steps.of(formula);
    // The compiler also notes where a constant is used that it could not work out.
    let used = Ident::new("__asset_STEPS", constant.ident.span());
    *constant.ty = parse_quote!(#krate::generated::StatedFormula);
    *constant.expr = parse_quote!({
        const __asset_STEPS: #krate::generated::Steps = {
            let mut __asset_steps = #krate::generated::Steps::NONE;
            #steps
            __asset_steps
        };
        const __asset_LIST: [#krate::generated::Step;
            #krate::generated::Steps::n(&#used)] =
            #krate::generated::Steps::list(&#used);
        #krate::generated::StatedFormula::new(&__asset_LIST)
    });
    constant
        .attrs
        .push(parse_quote!(#[allow(non_upper_case_globals, unused_assignments, clippy::all)]));
    syn::Item::Const(constant)
}

/// Writes out the steps that lead to a formula.
struct Steps<'m> {
    model: &'m Model,
    /// The constant's name, on which too large a formula is reported.
    name: Ident,
    n_variables: usize,
}

impl Steps<'_> {
    fn of(&mut self, formula: &Formula<Asked>) -> TokenStream {
        match formula {
            Formula::Constant(true) => self.add("True"),
            Formula::Constant(false) => self.add("False"),
            Formula::Ask(asked) => self.ask(asked),
            Formula::One(operator, inner) => {
                let (inner, step) = (self.of(inner), self.add(unary(*operator)));
                quote!(#inner #step)
            }
            Formula::Two(operator, parts) => {
                let (left, right) = (self.of(&parts[0]), self.of(&parts[1]));
                let step = self.add(binary(*operator));
                quote!(#left #right #step)
            }
            Formula::Each { quantifier, variable, range, body } => {
                let i = self.n_variables;
                self.n_variables += 1;
                let names = ["next", "end", "is_first"];
                let [next, end, is_first] = names.map(|name| format_ident!("__asset_{name}_{i}"));
                let body = self.of(body);
                let (step, none) = match quantifier {
                    Quantifier::All => (self.add("And"), self.add("True")),
                    Quantifier::Any => (self.add("Or"), self.add("False")),
                };
                let (lo, hi) = (&range.lo, &range.hi);
                let is_before = match range.closed {
                    true => quote!(#next <= #end),
                    false => quote!(#next < #end),
                };
                quote! {
                    let (mut #next, #end) = (#lo, #hi);
                    let mut #is_first = true;
                    while #is_before {
                        {
                            let #variable = #next;
                            #body
                        }
                        if !#is_first {
                            #step
                        }
                        #is_first = false;
                        // The largest value of a type has none behind it.
                        if #next == #end {
                            break;
                        }
                        #next += 1;
                    }
                    if #is_first {
                        #none
                    }
                }
            }
        }
    }

    /// A step of this name.
    fn add(&self, step: &str) -> TokenStream {
        let (krate, step) = (&self.model.krate, Ident::new(step, Span::call_site()));
        let span = self.name.span();
        let add = respan(quote!(#krate::generated::Steps::add), span);
        let mut arguments = Group::new(
            Delimiter::Parenthesis,
            quote!(&mut __asset_steps, #krate::generated::Step::#step),
        );
        arguments.set_span(span);
        quote!(#add #arguments;)
    }

    fn ask(&self, asked: &Asked) -> TokenStream {
        let krate = &self.model.krate;
        let parameters = &self.model.propositions[asked.proposition].parameters;
        let arguments = parameters.iter().zip(&asked.arguments);
        let arguments = arguments.map(|(parameter, argument)| self.argument(parameter, argument));
        let index = asked.proposition;
        let span = self.name.span();
        let ask = respan(quote!(#krate::generated::Steps::ask), span);
        let mut arguments = Group::new(
            Delimiter::Parenthesis,
            quote!(&mut __asset_steps, #index, [#(#arguments),*]),
        );
        arguments.set_span(span);
        quote!(#ask #arguments;)
    }

    fn argument(&self, parameter: &Parameter, argument: &Expr) -> TokenStream {
        let (krate, ty, limits) = (&self.model.krate, &parameter.ty, limits(parameter));
        let tokens: Vec<_> = argument.to_token_stream().into_iter().collect();
        let first = tokens.first().map_or_else(Span::call_site, |token| token.span());
        let last = tokens.last().map_or(first, |token| token.span());
        let function = respan(quote!(#krate::generated::argument), first);
        let value = quote!(__asset_argument as ::core::primitive::i128, #limits);
        let mut value = Group::new(Delimiter::Parenthesis, value);
        value.set_span(last);
        quote!({
            let __asset_argument: #ty = #argument;
            #function #value
        })
    }
}

fn unary(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "Not",
        Unary::Next => "Next",
        Unary::Finally => "Finally",
        Unary::Globally => "Globally",
    }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "And",
        Binary::Or => "Or",
        Binary::Implies => "Implies",
        Binary::Iff => "Iff",
        Binary::Until => "Until",
        Binary::WeakUntil => "WeakUntil",
        Binary::Release => "Release",
    }
}
