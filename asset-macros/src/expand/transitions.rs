//! Numbers and names of transitions: declaration order, last parameter fastest.

use super::fields::{checks, ends, layout, respan};
use crate::ir::{Field, Variant};
use crate::text;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Path};

fn name(text: String) -> Ident {
    Ident::new(&text, Span::call_site())
}

/// The implementation of `TransitionEnum`, which numbers the transitions of an enum.
pub fn numbered(krate: &Path, ident: &Ident, variants: &[Variant]) -> TokenStream {
    let constants = variants.iter().enumerate().map(|(i, v)| constants(krate, i, v));
    let from_number = variants.iter().enumerate().map(|(i, v)| from_number(krate, i, v));
    let numbers = variants.iter().enumerate().map(|(i, v)| number_arm(krate, i, v));
    let shapes = variants.iter().enumerate().map(|(i, v)| shape(krate, i, v));
    let total = start(variants.len());
    let check = check_count(krate, &quote!(#total), ident);
    let number = quote! {
        match self {
            #(#numbers)*
        }
    };
    // Spanned, because the compiler lists this implementation where something else is named.
    let number = quote_spanned! {ident.span()=>
        #[automatically_derived]
        impl #krate::generated::TransitionNumber for #ident {
            #[inline]
            fn find(
                self,
            ) -> ::core::result::Result<::core::primitive::usize, #krate::generated::NoTransition> {
                ::core::result::Result::Ok(#number)
            }
        }
    };
    quote! {
        #[allow(
            dead_code,
            non_upper_case_globals,
            unused_parens,
            unused_variables,
            clippy::all
        )]
        const _: () = {
            const __asset_start_0: ::core::primitive::u128 = 0;
            #(#constants)*
            #check

            #[automatically_derived]
            impl #krate::generated::TransitionEnum for #ident {
                const COUNT: ::core::primitive::usize = #krate::generated::clamp(#total);
                const SHAPES: &'static [#krate::generated::TransitionShape] = &[#(#shapes),*];

                #[inline(always)]
                fn from_number(__asset_number: ::core::primitive::usize) -> Self {
                    #(#from_number)*
                    #krate::generated::no_such("transition", __asset_number)
                }
            }

            #number
        };
    }
}

/// A constant that does not compile if there are too many transitions, on their name.
pub fn check_count(krate: &Path, count: &TokenStream, ident: &Ident) -> TokenStream {
    let count = quote!(#count as ::core::primitive::u128);
    let check = respan(quote!(#krate::generated::check_n_transitions(#count)), ident.span());
    quote!(const _: () = #check;)
}

/// The number of a variant's first transition, as the name of a constant.
fn start(variant: usize) -> Ident {
    name(format!("__asset_start_{variant}"))
}

/// The number of values of a parameter, as the name of a constant.
fn n_values(variant: usize, parameter: usize) -> Ident {
    name(format!("__asset_n_values_{variant}_{parameter}"))
}

fn constants(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let (start, end) = (start(position), start(position + 1));
    let counts: Vec<Ident> = (0..variant.fields.len()).map(|i| n_values(position, i)).collect();
    let values = variant.fields.iter().map(|field| match &field.range {
        None => {
            let ty = &field.ty;
            quote!(<#ty as #krate::generated::Parameter>::N_VALUES)
        }
        Some(_) if matches!(field.ty, syn::Type::Array(_)) => {
            let layout = layout(krate, field);
            let ends = field.range.as_ref().map(ends);
            quote!(#krate::generated::n_lists(&#layout, #ends))
        }
        Some(range) => {
            let ends = ends(range);
            quote!(#krate::generated::n_values(#ends))
        }
    });
    let checks = checks(krate, &variant.fields);
    let exists = exists(position);
    let exist = variant
        .only_if
        .as_ref()
        .map(|condition| quote!(const #exists: ::core::primitive::bool = #condition;));
    let n_exist = match &variant.only_if {
        Some(_) => quote!(#exists as ::core::primitive::u128),
        None => quote!(1),
    };
    quote! {
        #checks
        #(const #counts: ::core::primitive::u128 = #values;)*
        #exist
        const #end: ::core::primitive::u128 =
            #krate::generated::sum(#start, #krate::generated::product(&[#n_exist, #(#counts),*]));
    }
}

/// Whether a variant's transitions exist, as the name of a constant. It is there for those
/// that have a condition.
fn exists(variant: usize) -> Ident {
    name(format!("__asset_exists_{variant}"))
}

/// A number of values by which something is divided: where there are none, nothing is.
fn divisor(krate: &Path, count: &Ident) -> TokenStream {
    quote!(const { #krate::generated::divisor(#count) })
}

/// A number of values where no more than a machine's word is asked for: it does not
/// compile otherwise.
fn small(count: &Ident) -> TokenStream {
    quote!(#count as ::core::primitive::usize)
}

fn from_number(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let (start, end) = (small(&start(position)), small(&start(position + 1)));
    let n_fields = variant.fields.len();
    let ident = &variant.ident;
    let fields = variant.fields.iter().enumerate().map(|(i, field)| {
        let Field { member, ty, range } = field;
        let later = (i + 1..n_fields).map(|later| divisor(krate, &n_values(position, later)));
        let later: Vec<TokenStream> = later.collect();
        let mut index = quote!((__asset_number - (#start)));
        if !later.is_empty() {
            index = quote!((#index / (1 #(* (#later))*)));
        }
        if i > 0 {
            let count = divisor(krate, &n_values(position, i));
            index = quote!((#index % #count));
        }
        match range {
            None => quote!(#member: <#ty as #krate::generated::Parameter>::nth(#index)),
            Some(_) if matches!(ty, syn::Type::Array(_)) => {
                let layout = layout(krate, field);
                quote!(#member: #krate::generated::nth_ranged::<#ty>(&#layout, #index))
            }
            Some(range) => {
                let lo = &range.lo;
                quote!(#member: <#ty>::wrapping_add((#lo) as #ty, #index as #ty))
            }
        }
    });
    quote! {
        if __asset_number < (#end) {
            return Self::#ident { #(#fields),* };
        }
    }
}

fn bindings(variant: &Variant) -> Vec<Ident> {
    (0..variant.fields.len()).map(|i| name(format!("__asset_field_{i}"))).collect()
}

fn number_arm(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let start = small(&start(position));
    let bindings = bindings(variant);
    let ident = &variant.ident;
    let members = variant.fields.iter().map(|field| &field.member);
    let mut index = quote!(0);
    for (i, (field, binding)) in variant.fields.iter().zip(&bindings).enumerate() {
        let count = small(&n_values(position, i));
        let (ty, what) = (&field.ty, text::shown_member(&field.member));
        let own = match &field.range {
            None => quote!(<#ty as #krate::generated::Parameter>::index(&#binding)),
            Some(range) => {
                let lo = &range.lo;
                let (index, n_values) = match ty {
                    syn::Type::Array(_) => {
                        let (layout, ends) = (layout(krate, field), ends(range));
                        (
                            quote!(#krate::generated::number_of_list::<#ty>(&#layout, &#binding)),
                            quote!(const { #krate::generated::n_values(#ends) }),
                        )
                    }
                    _ => (
                        quote! {
                            <#ty>::wrapping_sub(#binding, (#lo) as #ty) as ::core::primitive::usize
                        },
                        quote!(#count as ::core::primitive::u128),
                    ),
                };
                quote!(#krate::generated::in_range(
                    #index,
                    #count,
                    || #krate::generated::NoTransition::out_of_range(
                        &self,
                        #what,
                        &#binding,
                        (#lo) as ::core::primitive::i128,
                        #n_values,
                    ),
                )?)
            }
        };
        index = if i == 0 { own } else { quote!(#index * (#count) + #own) };
    }
    let absent = variant.only_if.as_ref().map(|_| {
        let exists = exists(position);
        quote! {
            if !#exists {
                return ::core::result::Result::Err(#krate::generated::NoTransition::Absent);
            }
        }
    });
    quote!(Self::#ident { #(#members: #bindings),* } => {
        #absent
        (#start) + #index
    })
}

fn shape(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let name = text::shown(&variant.ident);
    let parameters = variant.fields.iter().enumerate().map(|(i, field)| {
        let Field { member, ty, range } = field;
        let n_values = n_values(position, i);
        let name = text::shown_name(member);
        let of_type = quote!(<#ty as #krate::generated::StateVar>::SHAPE);
        let some = quote!(::core::option::Option::Some);
        let (first, shape, layout) = match range {
            Some(range) if !matches!(ty, syn::Type::Array(_)) => {
                let lo = &range.lo;
                let lo = quote!((#lo) as ::core::primitive::i128);
                (lo, quote!(#krate::generated::Shape::Int), quote!(::core::option::Option::None))
            }
            _ => {
                let layout = layout(krate, field);
                (quote!(0), of_type, quote!(#some(&#layout)))
            }
        };
        quote! {
            (
                #name,
                #krate::generated::ParameterShape {
                    n_values: #n_values as ::core::primitive::usize,
                    first: #first,
                    shape: &#shape,
                    layout: #layout,
                },
            )
        }
    });
    let exists = match &variant.only_if {
        Some(_) => exists(position).into_token_stream(),
        None => quote!(true),
    };
    quote! {
        #krate::generated::TransitionShape {
            name: #name,
            exists: #exists,
            parameters: &[#(#parameters),*],
        }
    }
}
