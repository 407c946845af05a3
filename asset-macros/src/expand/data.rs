//! `StateVar` for enums with data: all values are numbered, variant by variant.

use super::fields::{checks, parts, respan, zero};
use super::vars::Parts;
use crate::ir::{Field, Variant};
use crate::text;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Path};

/// The names of one variant's constants and bindings.
struct Names {
    /// The variant itself, with its enum.
    path: TokenStream,
    /// The variant's data as a struct layout.
    parts: Ident,
    /// The number of the variant's first value.
    start: Ident,
    /// The number after that of its last.
    end: Ident,
    /// One binding for each field.
    bindings: Vec<Ident>,
}

impl Names {
    fn new(position: usize, owner: &Ident, variant: &Variant) -> Names {
        let name = |text: String| Ident::new(&text, Span::call_site());
        let ident = &variant.ident;
        Names {
            path: quote!(#owner::#ident),
            parts: name(format!("PARTS_{position}")),
            start: name(format!("START_{position}")),
            end: name(format!("START_{}", position + 1)),
            bindings: (0..variant.fields.len()).map(|i| name(format!("field_{i}"))).collect(),
        }
    }
}

/// The implementation for one enum.
pub fn enumeration(krate: &Path, ident: &Ident, variants: &[Variant]) -> TokenStream {
    let names = variants.iter().enumerate().map(|(i, v)| Names::new(i, ident, v));
    let names: Vec<Names> = names.collect();
    let total = &names[names.len() - 1].end;
    let numbering = numbering(krate, ident, variants, &names);
    let check = respan(quote!(#krate::generated::check_numbered(#total)), ident.span());
    let shapes = variants.iter().zip(&names).map(|(v, n)| shape(krate, v, n));
    let zeros = variants[0].fields.iter().map(|field| zero(krate, field));
    // SAFETY: the image is one lane that holds a value's number, and every
    // number up to the lane's largest value gives a value.
    let implementation = Parts {
        layout: quote!(#krate::generated::numbered(#total)),
        write_image: quote! {
            #krate::generated::write_number(number(self), &mut image[..SIZE]);
        },
        read_image: quote!(value(#krate::generated::read_number(&image[..SIZE]))),
        updates: TokenStream::new(),
        shape: quote!(#krate::generated::Shape::Variants(&[#(#shapes),*])),
        zero: construct(&variants[0], &names[0], zeros),
    };
    let implementation = implementation.implement(krate, ident);
    quote! {
        #numbering
        const _: () = #check;
        const SIZE: usize = <#ident as #krate::generated::StateVar>::LAYOUT.size;
        #implementation

        #[automatically_derived]
        impl #krate::generated::Parameter for #ident {
            const N_VALUES: usize = #total as usize;

            #[inline]
            fn nth(index: usize) -> Self {
                value(index as u64)
            }

            #[inline]
            fn index(&self) -> usize {
                number(self).expect("data within their range") as usize
            }
        }
    }
}

/// The functions `number` and `value`, and the constants that they use.
fn numbering(krate: &Path, ident: &Ident, variants: &[Variant], names: &[Names]) -> TokenStream {
    let constants = variants.iter().zip(names).map(|(v, n)| constants(krate, v, n));
    let numbers = variants.iter().zip(names).map(|(v, n)| number_arm(krate, v, n));
    let values = variants.iter().zip(names).map(|(v, n)| value_branch(krate, v, n));
    quote! {
        const START_0: u128 = 0;
        #(#constants)*

        /// The value's number, or `None` if its data are out of range.
        #[inline(always)]
        fn number(value: &#ident) -> ::std::option::Option<u64> {
            match value {
                #(#numbers)*
            }
        }

        #[inline]
        fn value(number: u64) -> #ident {
            #(#values)*
            ::std::panic!("this enum has no value with the number {number}")
        }
    }
}

/// The variant as an expression or a pattern.
fn construct(
    variant: &Variant,
    names: &Names,
    fields: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let members = variant.fields.iter().map(|field| &field.member);
    let path = &names.path;
    quote!(#path { #(#members: #fields),* })
}

fn constants(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let Names { parts: name, start, end, .. } = names;
    let n_fields = variant.fields.len();
    let parts = parts(krate, &variant.fields, quote!(0));
    let checks = checks(krate, &variant.fields);
    quote! {
        #checks
        const #name: &#krate::generated::Parts<#n_fields> = &#parts;
        const #end: u128 = #start.saturating_add(#name.layout.n_values());
    }
}

fn number_arm(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let Names { parts, start, bindings, .. } = names;
    let pattern = construct(variant, names, bindings.iter().map(|binding| quote!(#binding)));
    let types = variant.fields.iter().map(|Field { ty, .. }| ty);
    let positions = 0..variant.fields.len();
    quote! {
        #pattern => {
            let mut image = [0u8; #parts.layout.size];
            #(<#types as #krate::generated::StateVar>::write_image(
                #bindings,
                &mut image[#parts.offsets[#positions]..],
            );)*
            let number = #parts.layout.number(&image)?;
            ::std::option::Option::Some(#start as u64 + number)
        }
    }
}

fn value_branch(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let Names { parts, start, end, .. } = names;
    let fields = variant.fields.iter().enumerate().map(|(i, Field { ty, .. })| {
        quote! {
            <#ty as #krate::generated::StateVar>::read_image(&image[#parts.offsets[#i]..])
        }
    });
    let value = construct(variant, names, fields);
    quote! {
        if number < #end as u64 {
            let mut image = [0u8; #parts.layout.size];
            #parts.layout.write_numbered(number - #start as u64, &mut image);
            return #value;
        }
    }
}

fn shape(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let parts = &names.parts;
    let name = text::shown(&variant.ident);
    let types = variant.fields.iter().map(|Field { ty, .. }| ty);
    quote! {
        #krate::generated::VariantShape {
            name: #name,
            fields: &[#(&<#types as #krate::generated::StateVar>::SHAPE),*],
            layout: &#parts.layout,
        }
    }
}
