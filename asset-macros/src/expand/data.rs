//! `StateVar` for enums with data: all values are numbered, variant by variant.

use super::fields::{checks, parts, respan, zero};
use super::vars::{Parts, finite};
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
            parts: name(format!("__asset_parts_{position}")),
            start: name(format!("__asset_start_{position}")),
            end: name(format!("__asset_start_{}", position + 1)),
            bindings: (0..variant.fields.len())
                .map(|i| name(format!("__asset_field_{i}")))
                .collect(),
        }
    }
}

/// The implementation for one enum.
pub fn enumeration(
    krate: &Path,
    ident: &Ident,
    variants: &[Variant],
    hint: &TokenStream,
) -> TokenStream {
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
            #krate::generated::write_number(
                __asset_number(self),
                &mut __asset_image[..__asset_size],
            );
        },
        read_image: quote! {
            __asset_value(#krate::generated::read_number(&__asset_image[..__asset_size]))
        },
        updates: TokenStream::new(),
        shape: quote!(#krate::generated::Shape::Variants(&[#(#shapes),*])),
        zero: construct(&variants[0], &names[0], zeros),
    };
    let implementation = implementation.implement(krate, ident, hint);
    let finite = finite(krate, ident, quote!(#total));
    quote! {
        #finite
        #numbering
        const _: () = #check;
        const __asset_size: ::core::primitive::usize =
            <#ident as #krate::generated::StateVar>::LAYOUT.size;
        #implementation

        #[automatically_derived]
        impl #krate::generated::Parameter for #ident {
            const N_VALUES: ::core::primitive::u128 = #total;

            #[inline]
            fn nth(__asset_index: ::core::primitive::usize) -> Self {
                __asset_value(__asset_index as ::core::primitive::u64)
            }

            #[inline]
            fn index(&self) -> ::core::primitive::usize {
                #krate::generated::index_of_value(__asset_number(self))
            }
        }
    }
}

/// The functions `__asset_number` and `__asset_value`, and the constants that they use.
fn numbering(krate: &Path, ident: &Ident, variants: &[Variant], names: &[Names]) -> TokenStream {
    let constants = variants.iter().zip(names).map(|(v, n)| constants(krate, v, n));
    let numbers = variants.iter().zip(names).map(|(v, n)| number_arm(krate, v, n));
    let values = variants.iter().zip(names).map(|(v, n)| value_branch(krate, v, n));
    quote! {
        const __asset_start_0: ::core::primitive::u128 = 0;
        #(#constants)*

        /// The value's number, or `None` if its data are out of range.
        #[inline(always)]
        fn __asset_number(
            __asset_value: &#ident,
        ) -> ::core::option::Option<::core::primitive::u64> {
            match __asset_value {
                #(#numbers)*
            }
        }

        #[inline]
        fn __asset_value(__asset_number: ::core::primitive::u64) -> #ident {
            #(#values)*
            #krate::generated::no_such("value", __asset_number as ::core::primitive::usize)
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
        const #end: ::core::primitive::u128 =
            #krate::generated::sum(#start, #krate::generated::Layout::n_values(&#name.layout));
    }
}

fn number_arm(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let Names { parts, start, bindings, .. } = names;
    let pattern = construct(variant, names, bindings.iter().map(|binding| quote!(#binding)));
    let types = variant.fields.iter().map(|Field { ty, .. }| ty);
    let positions = 0..variant.fields.len();
    quote! {
        #pattern => {
            let mut __asset_image = [0u8; #parts.layout.size];
            #(<#types as #krate::generated::StateVar>::write_image(
                #bindings,
                &mut __asset_image[#parts.offsets[#positions]..],
            );)*
            let __asset_number =
                #krate::generated::Layout::number(&#parts.layout, &__asset_image)?;
            ::core::option::Option::Some(#start as ::core::primitive::u64 + __asset_number)
        }
    }
}

fn value_branch(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let Names { parts, start, end, .. } = names;
    let fields = variant.fields.iter().enumerate().map(|(i, Field { ty, .. })| {
        quote! {
            <#ty as #krate::generated::StateVar>::read_image(
                &__asset_image[#parts.offsets[#i]..],
            )
        }
    });
    let value = construct(variant, names, fields);
    quote! {
        if __asset_number < #end as ::core::primitive::u64 {
            let mut __asset_image = [0u8; #parts.layout.size];
            #krate::generated::Layout::write_numbered(
                &#parts.layout,
                __asset_number - #start as ::core::primitive::u64,
                &mut __asset_image,
            );
            return #value;
        }
    }
}

fn shape(krate: &Path, variant: &Variant, names: &Names) -> TokenStream {
    let parts = &names.parts;
    let name = text::shown(&variant.ident);
    let fields = variant.fields.iter().map(|Field { ty, member, .. }| {
        let name = text::shown_name(member);
        quote!((#name, &<#ty as #krate::generated::StateVar>::SHAPE))
    });
    quote! {
        #krate::generated::VariantShape {
            name: #name,
            fields: &[#(#fields),*],
            layout: &#parts.layout,
        }
    }
}
