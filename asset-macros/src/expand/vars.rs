//! `StateVar` for structs and for enums without data.

use super::data;
use crate::ir::{Field, Range, Shape, Var};
use crate::text;
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path};

/// The implementation for one type.
pub fn state_var(krate: &Path, var: &Var) -> TokenStream {
    match &var.shape {
        Shape::Struct(fields) => structure(krate, &var.ident, fields),
        Shape::Names(variants) => names(krate, &var.ident, variants),
        Shape::Data(variants) => data::enumeration(krate, &var.ident, variants),
    }
}

/// The ends of a range as an expression list of two `i128`.
pub fn ends(range: &Range) -> TokenStream {
    let Range { lo, hi, closed } = range;
    let lo = quote_spanned!(lo.span()=> (#lo) as i128);
    let hi = quote_spanned!(hi.span()=> (#hi) as i128);
    if *closed { quote!(#lo, #hi) } else { quote!(#lo, #hi - 1) }
}

/// Constants that do not compile if the range of a field is not in order. The
/// call spans the range from its first token to its last, for the message.
pub fn checks(krate: &Path, fields: &[Field]) -> TokenStream {
    let checks = fields.iter().filter_map(|Field { ty, range, .. }| {
        let range = range.as_ref()?;
        let ends = ends(range);
        let function = respan(quote!(#krate::generated::check_range), range.lo.span());
        let arguments = quote! {
            <#ty as #krate::generated::Ranged>::LEAST,
            <#ty as #krate::generated::Ranged>::LARGEST,
            #ends
        };
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(last_span(&range.hi));
        Some(quote!(const _: () = #function #arguments;))
    });
    checks.collect()
}

/// The same tokens as if they stood somewhere else.
pub fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let respanned = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    respanned.collect()
}

/// The span of the last token.
fn last_span(tokens: impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().last().map_or_else(Span::call_site, |token| token.span())
}

/// The layout of a field's type, cut to its range.
fn layout(krate: &Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &field.range {
        None => quote!(<#ty as #krate::generated::StateVar>::LAYOUT),
        Some(range) => {
            let ends = ends(range);
            quote! {
                #krate::generated::cut(
                    <#ty as #krate::generated::StateVar>::LAYOUT,
                    <#ty as #krate::generated::Ranged>::LEAST,
                    <#ty as #krate::generated::Ranged>::LARGEST,
                    #ends
                )
            }
        }
    }
}

/// The layout of several fields with their offsets, as a constant expression.
pub fn parts(krate: &Path, fields: &[Field], memory_size: TokenStream) -> TokenStream {
    let n_fields = fields.len();
    let layouts = fields.iter().map(|field| layout(krate, field));
    quote! {
        #krate::generated::Parts::<#n_fields>::EMPTY
            #(.field(#layouts))*
            .finish(#memory_size)
    }
}

/// The value of a field in the zero state.
pub fn zero(krate: &Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &field.range {
        None => quote!(<#ty as #krate::generated::StateVar>::zero()),
        Some(range) => {
            let ends = ends(range);
            quote! {
                <#ty as #krate::generated::Ranged>::filled(
                    #krate::generated::nearest_to_zero(#ends),
                )
            }
        }
    }
}

fn structure(krate: &Path, ident: &Ident, fields: &[Field]) -> TokenStream {
    let parts = parts(krate, fields, quote!(::core::mem::size_of::<#ident>()));
    let checks = checks(krate, fields);
    let n_fields = fields.len();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let members: Vec<_> = fields.iter().map(|field| &field.member).collect();
    let names: Vec<String> = members.iter().map(|member| text::shown_member(member)).collect();
    let zeros = fields.iter().map(|field| zero(krate, field));
    let positions = 0..n_fields;
    let writes = positions.clone().zip(&types).zip(&members).map(|((i, ty), member)| {
        quote! {
            <#ty as #krate::generated::StateVar>::write_image(
                &self.#member,
                &mut image[OFFSETS[#i]..],
            );
        }
    });
    let reads = positions.zip(&types).zip(&members).map(|((i, ty), member)| {
        quote!(#member: <#ty as #krate::generated::StateVar>::read_image(&image[OFFSETS[#i]..]))
    });
    quote! {
        #[allow(dead_code, unused_parens, unused_variables, clippy::unnecessary_cast)]
        const _: () = {
            #checks
            const PARTS: #krate::generated::Parts<#n_fields> = #parts;
            const OFFSETS: [usize; #n_fields] = PARTS.offsets;

            // SAFETY: the struct is `repr(C)`, `PARTS` lays its fields out in
            // the same order, and the image is written and read at the same
            // offsets; `finish` calls it dense only if it is the memory.
            #[automatically_derived]
            unsafe impl #krate::generated::StateVar for #ident {
                const LAYOUT: #krate::generated::Layout = PARTS.layout;

                fn write_image(&self, image: &mut [u8]) {
                    #(#writes)*
                }

                fn read_image(image: &[u8]) -> Self {
                    #ident { #(#reads),* }
                }

                fn show(&self) -> #krate::generated::Shown {
                    #krate::generated::Shown::Record(::std::vec![#((
                        #names,
                        <#types as #krate::generated::StateVar>::show(&self.#members),
                    )),*])
                }

                fn lane_paths(
                    prefix: &str,
                    paths: &mut ::std::vec::Vec<::std::string::String>,
                ) {
                    #(<#types as #krate::generated::StateVar>::lane_paths(
                        &#krate::generated::path(prefix, #names),
                        paths,
                    );)*
                }

                fn zero() -> Self {
                    #ident { #(#members: #zeros),* }
                }
            }
        };
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
    quote! {
        const _: () = {
            // SAFETY: the enum is represented by an integer of the lane's size
            // and its variants are numbered from 0 without a gap.
            #[automatically_derived]
            unsafe impl #krate::generated::StateVar for #ident {
                const LAYOUT: #krate::generated::Layout =
                    #krate::generated::Layout::scalar(#n_bytes, false, 0, #largest, true);

                fn write_image(&self, image: &mut [u8]) {
                    let number = #krate::generated::Parameter::index(self) as #number;
                    <#number as #krate::generated::StateVar>::write_image(&number, image);
                }

                fn read_image(image: &[u8]) -> Self {
                    let number = <#number as #krate::generated::StateVar>::read_image(image);
                    <#ident as #krate::generated::Parameter>::nth(usize::from(number))
                }

                fn show(&self) -> #krate::generated::Shown {
                    #krate::generated::Shown::Name(match self {
                        #(#ident::#variants => #texts,)*
                    })
                }

                fn lane_paths(
                    prefix: &str,
                    paths: &mut ::std::vec::Vec<::std::string::String>,
                ) {
                    paths.push(::std::borrow::ToOwned::to_owned(prefix));
                }

                fn zero() -> Self {
                    #ident::#first
                }
            }

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
        };
    }
}
