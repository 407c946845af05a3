//! Numbers and names of transitions: declaration order, last parameter fastest.

use super::fields::{checks, ends};
use crate::ir::{Field, Variant};
use crate::text;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Path};

fn name(text: String) -> Ident {
    Ident::new(&text, Span::call_site())
}

/// `COUNT`, `from_number`, `number` and `name` for an enum of transitions.
pub fn numbered(krate: &Path, ident: &Ident, variants: &[Variant]) -> TokenStream {
    let constants = variants.iter().enumerate().map(|(i, v)| constants(krate, i, v));
    let from_number = variants.iter().enumerate().map(|(i, v)| from_number(krate, i, v));
    let numbers = variants.iter().enumerate().map(|(i, v)| number_arm(krate, i, v));
    let shapes = variants.iter().enumerate().map(|(i, v)| shape(krate, i, v));
    let total = name(format!("START_{}", variants.len()));
    let transition_number = transition_number(krate, ident);
    quote! {
        #[allow(dead_code, unused_parens, unused_variables, clippy::all)]
        const _: () = {
            const START_0: usize = 0;
            #(#constants)*

            impl #ident {
                /// Number of transitions.
                pub const COUNT: usize = #total;

                /// The transition with this number.
                ///
                /// # Panics
                ///
                /// If the number is not below [`Self::COUNT`].
                #[inline(always)]
                pub fn from_number(number: usize) -> Self {
                    #(#from_number)*
                    ::std::panic!("no transition has the number {number}")
                }

                /// The number of this transition, in the order of declaration;
                /// the last parameter runs fastest.
                ///
                /// # Panics
                ///
                /// If a parameter is out of its range.
                #[inline]
                pub fn number(self) -> usize {
                    match self {
                        #(#numbers)*
                    }
                }

                /// The transition with its parameters, as it stands in traces.
                #[inline]
                pub fn name(self) -> ::std::string::String {
                    #krate::generated::transition_name(Self::__SHAPES, self.number())
                }

                #[doc(hidden)]
                pub const __SHAPES: &[#krate::generated::TransitionShape] = &[#(#shapes),*];
            }

            #transition_number
        };
    }
}

/// What makes the enum something that rules can name. Spanned, because the
/// compiler lists this implementation where something else is named.
fn transition_number(krate: &Path, ident: &Ident) -> TokenStream {
    quote_spanned! {ident.span()=>
        #[automatically_derived]
        impl #krate::generated::TransitionNumber for #ident {
            #[inline]
            fn number(self) -> usize {
                #ident::number(self)
            }
        }
    }
}

/// The number of values of a parameter, as the name of a constant.
fn n_values(variant: usize, parameter: usize) -> Ident {
    name(format!("N_VALUES_{variant}_{parameter}"))
}

fn constants(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let start = name(format!("START_{position}"));
    let end = name(format!("START_{}", position + 1));
    let counts: Vec<Ident> = (0..variant.fields.len()).map(|i| n_values(position, i)).collect();
    let values = variant.fields.iter().map(|Field { ty, range, .. }| match range {
        None => quote!(<#ty as #krate::generated::Parameter>::N_VALUES),
        Some(range) => {
            let ends = ends(range);
            quote!(#krate::generated::n_values(#ends))
        }
    });
    let checks = checks(krate, &variant.fields);
    quote! {
        #checks
        #(const #counts: usize = #values;)*
        const #end: usize = #start + 1 #(* #counts)*;
    }
}

fn from_number(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let start = name(format!("START_{position}"));
    let end = name(format!("START_{}", position + 1));
    let n_fields = variant.fields.len();
    let ident = &variant.ident;
    let fields = variant.fields.iter().enumerate().map(|(i, Field { member, ty, range })| {
        let later: Vec<Ident> = (i + 1..n_fields).map(|later| n_values(position, later)).collect();
        let mut index = quote!((number - #start));
        if !later.is_empty() {
            index = quote!((#index / (1 #(* #later)*)));
        }
        if i > 0 {
            let count = n_values(position, i);
            index = quote!((#index % #count));
        }
        match range {
            None => quote!(#member: <#ty as #krate::generated::Parameter>::nth(#index)),
            Some(range) => {
                let lo = &range.lo;
                quote!(#member: ((#lo) as #ty).wrapping_add(#index as #ty))
            }
        }
    });
    quote! {
        if number < #end {
            return Self::#ident { #(#fields),* };
        }
    }
}

fn bindings(variant: &Variant) -> Vec<Ident> {
    (0..variant.fields.len()).map(|i| name(format!("field_{i}"))).collect()
}

fn number_arm(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let start = name(format!("START_{position}"));
    let bindings = bindings(variant);
    let ident = &variant.ident;
    let members = variant.fields.iter().map(|field| &field.member);
    let mut index = quote!(0);
    for (i, (field, binding)) in variant.fields.iter().zip(&bindings).enumerate() {
        let count = n_values(position, i);
        let ty = &field.ty;
        let own = match &field.range {
            None => quote!(<#ty as #krate::generated::Parameter>::index(&#binding)),
            Some(range) => {
                let lo = &range.lo;
                let what = format!("{ident}: a parameter is out of its range");
                quote!({
                    let index = #binding.wrapping_sub((#lo) as #ty) as usize;
                    ::std::assert!(index < #count, #what);
                    index
                })
            }
        };
        index = if i == 0 { own } else { quote!(#index * #count + #own) };
    }
    quote!(Self::#ident { #(#members: #bindings),* } => #start + #index,)
}

fn shape(krate: &Path, position: usize, variant: &Variant) -> TokenStream {
    let name = text::shown(&variant.ident);
    let parameters = variant.fields.iter().enumerate().map(|(i, Field { ty, range, .. })| {
        let n_values = n_values(position, i);
        let (first, shape) = match range {
            None => (quote!(0), quote!(<#ty as #krate::generated::StateVar>::SHAPE)),
            Some(range) => {
                let lo = &range.lo;
                (quote!((#lo) as i128), quote!(#krate::generated::Shape::Int))
            }
        };
        quote! {
            #krate::generated::ParameterShape {
                n_values: #n_values,
                first: #first,
                shape: &#shape,
            }
        }
    });
    quote! {
        #krate::generated::TransitionShape { name: #name, parameters: &[#(#parameters),*] }
    }
}
