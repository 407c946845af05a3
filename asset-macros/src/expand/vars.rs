//! `StateVar` for structs and for enums without data.

use super::data;
use super::fields::{checks, parts, zero};
use crate::ir::{Field, Shape, Var};
use crate::text;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::{Ident, Member, Path};

/// Keeps the author's types out of what the compiler suggests for others.
pub fn not_recommended() -> TokenStream {
    quote!(#[diagnostic::do_not_recommend])
}

/// The implementation of `Finite`: something can be kept for each of so many values.
pub fn finite(krate: &Path, ident: &Ident, n_values: TokenStream) -> TokenStream {
    let finite = quote!(#krate::generated::Finite);
    let n = quote!({ #krate::generated::countable(#n_values) });
    quote! {
        #[automatically_derived]
        impl #finite for #ident {
            const N_VALUES: ::core::primitive::usize = #n;
            type Each<__asset_V: #krate::generated::StateVar> = [__asset_V; #n];

            #[inline(always)]
            fn each<__asset_V: #krate::generated::StateVar>(
                __asset_all: __asset_V,
            ) -> [__asset_V; #n] {
                [__asset_all; #n]
            }

            #[inline(always)]
            fn of<__asset_V: #krate::generated::StateVar>(
                __asset_each: &[__asset_V; #n],
                __asset_number: ::core::primitive::usize,
            ) -> &__asset_V {
                &__asset_each[__asset_number]
            }

            #[inline(always)]
            fn of_mut<__asset_V: #krate::generated::StateVar>(
                __asset_each: &mut [__asset_V; #n],
                __asset_number: ::core::primitive::usize,
            ) -> &mut __asset_V {
                &mut __asset_each[__asset_number]
            }
        }
    }
}

/// The implementation of `Parameter` and `Finite` for a struct whose layout is
/// `__asset_parts.layout`.
fn numbered(krate: &Path, ident: &Ident) -> TokenStream {
    let n_values = quote!(#krate::generated::Layout::n_values(&__asset_parts.layout));
    let finite = finite(krate, ident, n_values.clone());
    quote! {
        #finite

        #[automatically_derived]
        impl #krate::generated::Parameter for #ident {
            const N_VALUES: ::core::primitive::u128 = #n_values;

            #[inline]
            fn nth(__asset_index: ::core::primitive::usize) -> Self {
                #krate::generated::nth_numbered(__asset_index)
            }

            #[inline]
            fn index(&self) -> ::core::primitive::usize {
                #krate::generated::index_of_numbered(self)
            }
        }
    }
}

/// The implementation for one type. `hint` is [`not_recommended`] unless `diagnostic` is
/// a name of the author's there.
pub fn state_var(krate: &Path, var: &Var, hint: &TokenStream) -> TokenStream {
    let implementation = match &var.shape {
        Shape::Struct(fields) => {
            let structure = structure(krate, &var.ident, fields, var.is_state, hint);
            let numbered = (!var.is_state).then(|| numbered(krate, &var.ident));
            quote!(#structure #numbered)
        }
        Shape::Names(variants) => names(krate, &var.ident, variants, hint),
        Shape::Data(variants) => data::enumeration(krate, &var.ident, variants, hint),
    };
    quote! {
        #[allow(
            dead_code,
            non_upper_case_globals,
            unused_parens,
            unused_variables,
            clippy::all
        )]
        const _: () = { #implementation };
    }
}

/// The parts of an implementation of `StateVar`: expressions, with the names
/// that the trait gives to parameters. Who fills them in grants what the trait
/// asks for.
pub struct Parts {
    pub layout: TokenStream,
    pub write_image: TokenStream,
    pub read_image: TokenStream,
    /// More methods, for what can do better than the trait.
    pub updates: TokenStream,
    pub shape: TokenStream,
    pub zero: TokenStream,
}

impl Parts {
    /// The implementation for the type of this name.
    pub fn implement(self, krate: &Path, ident: &Ident, hint: &TokenStream) -> TokenStream {
        let Parts { layout, write_image, read_image, updates, shape, zero } = self;
        quote! {
            #[automatically_derived]
            #hint
            unsafe impl #krate::generated::StateVar for #ident {
                const LAYOUT: #krate::generated::Layout = #layout;
                const SHAPE: #krate::generated::Shape = #shape;

                #[inline]
                fn write_image(&self, __asset_image: &mut [::core::primitive::u8]) {
                    #write_image
                }

                #[inline]
                fn read_image(__asset_image: &[::core::primitive::u8]) -> Self {
                    #read_image
                }

                #updates

                #[inline]
                fn zero() -> Self {
                    #zero
                }
            }
        }
    }
}

/// How a struct looks: by the names of its fields. Without names it is a tuple, or what is
/// in it if that is one field. (The state has names in any case, its variables'.)
fn structure_shape(krate: &Path, fields: &[Field], is_state: bool) -> TokenStream {
    let shapes =
        fields.iter().map(|Field { ty, .. }| quote!(<#ty as #krate::generated::StateVar>::SHAPE));
    let is_tuple = fields.iter().all(|field| matches!(field.member, Member::Unnamed(_)));
    match fields.len() {
        1 if is_tuple && !is_state => quote!(#(#shapes)*),
        2.. if is_tuple && !is_state => quote!(#krate::generated::Shape::Tuple(&[#(&#shapes),*])),
        _ => {
            let names = fields.iter().map(|field| text::shown_member(&field.member));
            quote!(#krate::generated::Shape::Record(&[#((#names, &#shapes)),*]))
        }
    }
}

fn structure(
    krate: &Path,
    ident: &Ident,
    fields: &[Field],
    is_state: bool,
    hint: &TokenStream,
) -> TokenStream {
    let parts = parts(krate, fields, quote!(::core::mem::size_of::<#ident>()));
    let checks = checks(krate, fields);
    let n_fields = fields.len();
    let positions: Vec<usize> = (0..n_fields).collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let members: Vec<_> = fields.iter().map(|field| &field.member).collect();
    let zeros = fields.iter().map(|field| zero(krate, field));
    let var = quote!(#krate::generated::StateVar);
    // SAFETY: the struct is `repr(C)`, `__asset_parts` lays its fields out in the same
    // order, and the image is written and read at the same offsets; `finish`
    // calls it dense only if it is the memory.
    let implementation = Parts {
        layout: quote!(__asset_parts.layout),
        write_image: quote! {
            #(<#types as #var>::write_image(&self.#members, &mut __asset_image[__asset_offsets[#positions]..]);)*
        },
        read_image: quote! {
            #ident { #(#members: <#types as #var>::read_image(&__asset_image[__asset_offsets[#positions]..])),* }
        },
        updates: quote! {
            #[inline]
            fn update_image(
                &self,
                __asset_old: &Self,
                __asset_image: &mut [::core::primitive::u8],
            ) {
                #(if !#krate::generated::same_bytes(&self.#members, &__asset_old.#members) {
                    <#types as #var>::update_image(
                        &self.#members,
                        &__asset_old.#members,
                        &mut __asset_image[__asset_offsets[#positions]..],
                    );
                })*
            }

            #[inline]
            fn update(
                &mut self,
                __asset_old_image: &[::core::primitive::u8],
                __asset_image: &[::core::primitive::u8],
            ) {
                #(<#types as #var>::update(
                    &mut self.#members,
                    &__asset_old_image[__asset_offsets[#positions]..],
                    &__asset_image[__asset_offsets[#positions]..],
                );)*
            }
        },
        shape: structure_shape(krate, fields, is_state),
        zero: quote!(#ident { #(#members: #zeros),* }),
    };
    let implementation = implementation.implement(krate, ident, hint);
    quote! {
        #checks
        const __asset_parts: #krate::generated::Parts<#n_fields> = #parts;
        const __asset_offsets: [::core::primitive::usize; #n_fields] = __asset_parts.offsets;
        #implementation
    }
}

fn names(krate: &Path, ident: &Ident, variants: &[Ident], hint: &TokenStream) -> TokenStream {
    let n_variants = variants.len();
    let (number, n_bytes) = if n_variants <= 1 << 8 { ("u8", 1usize) } else { ("u16", 2) };
    let number = Ident::new(number, Span::call_site());
    let number = quote!(::core::primitive::#number);
    let texts = variants.iter().map(text::shown);
    let numbers: Vec<Literal> = (0..n_variants).map(Literal::usize_unsuffixed).collect();
    let first = &variants[0];
    let largest = n_variants as i128 - 1;
    let var = quote!(#krate::generated::StateVar);
    // SAFETY: the enum is represented by an integer of the lane's size and its
    // variants are numbered from 0 without a gap.
    let implementation = Parts {
        layout: quote!(#krate::generated::Layout::scalar(#n_bytes, false, 0, #largest, true)),
        write_image: quote! {
            let __asset_number = <#ident as #krate::generated::Parameter>::index(self) as #number;
            <#number as #var>::write_image(&__asset_number, __asset_image);
        },
        read_image: quote! {
            let __asset_number = <#number as #var>::read_image(__asset_image);
            <#ident as #krate::generated::Parameter>::nth(
                __asset_number as ::core::primitive::usize,
            )
        },
        updates: TokenStream::new(),
        shape: quote!(#krate::generated::Shape::Names(&[#(#texts),*])),
        zero: quote!(#ident::#first),
    };
    let implementation = implementation.implement(krate, ident, hint);
    let finite = finite(krate, ident, quote!(#n_variants as ::core::primitive::u128));
    quote! {
        #implementation
        #finite

        #[automatically_derived]
        impl #krate::generated::Parameter for #ident {
            const N_VALUES: ::core::primitive::u128 = #n_variants as ::core::primitive::u128;

            #[inline(always)]
            fn nth(__asset_index: ::core::primitive::usize) -> Self {
                match __asset_index {
                    #(#numbers => #ident::#variants,)*
                    _ => #krate::generated::no_such("variant", __asset_index),
                }
            }

            #[inline(always)]
            fn index(&self) -> ::core::primitive::usize {
                match self {
                    #(#ident::#variants => #numbers,)*
                }
            }
        }
    }
}
