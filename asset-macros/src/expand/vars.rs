//! `StateVar` for structs and for enums without data.

use super::data;
use super::fields::{checks, parts, zero};
use crate::ir::{Field, Shape, Var};
use crate::text;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::{Ident, Path};

/// The implementation for one type.
pub fn state_var(krate: &Path, var: &Var) -> TokenStream {
    let implementation = match &var.shape {
        Shape::Struct(fields) => structure(krate, &var.ident, fields),
        Shape::Names(variants) => names(krate, &var.ident, variants),
        Shape::Data(variants) => data::enumeration(krate, &var.ident, variants),
    };
    quote! {
        #[allow(dead_code, unused_parens, unused_variables, clippy::all)]
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
    pub fn implement(self, krate: &Path, ident: &Ident) -> TokenStream {
        let Parts { layout, write_image, read_image, updates, shape, zero } = self;
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            unsafe impl #krate::generated::StateVar for #ident {
                const LAYOUT: #krate::generated::Layout = #layout;
                const SHAPE: #krate::generated::Shape = #shape;

                #[inline]
                fn write_image(&self, image: &mut [u8]) {
                    #write_image
                }

                #[inline]
                fn read_image(image: &[u8]) -> Self {
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

fn structure(krate: &Path, ident: &Ident, fields: &[Field]) -> TokenStream {
    let parts = parts(krate, fields, quote!(::core::mem::size_of::<#ident>()));
    let checks = checks(krate, fields);
    let n_fields = fields.len();
    let positions: Vec<usize> = (0..n_fields).collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let members: Vec<_> = fields.iter().map(|field| &field.member).collect();
    let names: Vec<String> = members.iter().map(|member| text::shown_member(member)).collect();
    let zeros = fields.iter().map(|field| zero(krate, field));
    let var = quote!(#krate::generated::StateVar);
    // SAFETY: the struct is `repr(C)`, `PARTS` lays its fields out in the same
    // order, and the image is written and read at the same offsets; `finish`
    // calls it dense only if it is the memory.
    let implementation = Parts {
        layout: quote!(PARTS.layout),
        write_image: quote! {
            #(<#types as #var>::write_image(&self.#members, &mut image[OFFSETS[#positions]..]);)*
        },
        read_image: quote! {
            #ident { #(#members: <#types as #var>::read_image(&image[OFFSETS[#positions]..])),* }
        },
        updates: quote! {
            #[inline]
            fn update_image(&self, old: &Self, image: &mut [u8]) {
                #(if !#krate::generated::same_bytes(&self.#members, &old.#members) {
                    <#types as #var>::update_image(
                        &self.#members,
                        &old.#members,
                        &mut image[OFFSETS[#positions]..],
                    );
                })*
            }

            #[inline]
            fn update(&mut self, old_image: &[u8], image: &[u8]) {
                #(<#types as #var>::update(
                    &mut self.#members,
                    &old_image[OFFSETS[#positions]..],
                    &image[OFFSETS[#positions]..],
                );)*
            }
        },
        shape: quote! {
            #krate::generated::Shape::Record(&[#((#names, &<#types as #var>::SHAPE)),*])
        },
        zero: quote!(#ident { #(#members: #zeros),* }),
    };
    let implementation = implementation.implement(krate, ident);
    quote! {
        #checks
        const PARTS: #krate::generated::Parts<#n_fields> = #parts;
        const OFFSETS: [usize; #n_fields] = PARTS.offsets;
        #implementation
    }
}

fn names(krate: &Path, ident: &Ident, variants: &[Ident]) -> TokenStream {
    let n_variants = variants.len();
    let (number, n_bytes) = if n_variants <= 1 << 8 { ("u8", 1usize) } else { ("u16", 2) };
    let number = Ident::new(number, Span::call_site());
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
            let number = #krate::generated::Parameter::index(self) as #number;
            <#number as #var>::write_image(&number, image);
        },
        read_image: quote! {
            let number = <#number as #var>::read_image(image);
            <#ident as #krate::generated::Parameter>::nth(usize::from(number))
        },
        updates: TokenStream::new(),
        shape: quote!(#krate::generated::Shape::Names(&[#(#texts),*])),
        zero: quote!(#ident::#first),
    };
    let implementation = implementation.implement(krate, ident);
    quote! {
        #implementation

        #[automatically_derived]
        impl #krate::generated::Parameter for #ident {
            const N_VALUES: usize = #n_variants;

            #[inline(always)]
            fn nth(index: usize) -> Self {
                match index {
                    #(#numbers => #ident::#variants,)*
                    _ => ::std::panic!("this enum has no variant with the number {index}"),
                }
            }

            #[inline(always)]
            fn index(&self) -> usize {
                match self {
                    #(#ident::#variants => #numbers,)*
                }
            }
        }
    }
}
