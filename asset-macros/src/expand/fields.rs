//! Fields of structs, variants and transitions: ranges, layouts, zero values.

use crate::ir::{Field, Range};
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, Type};

/// The ends of a range as an expression list of two `i128`.
pub fn ends(range: &Range) -> TokenStream {
    let Range { lo, hi, closed, .. } = range;
    let lo = quote_spanned!(lo.span()=> (#lo) as ::core::primitive::i128);
    let hi = quote_spanned!(hi.span()=> (#hi) as ::core::primitive::i128);
    if *closed { quote!(#lo, #hi) } else { quote!(#lo, #hi - 1) }
}

/// Constants that do not compile if the range of a field is not in order, or its type
/// cannot be packed. The call spans the range, or the type, from its first token to its
/// last, for the message.
pub fn checks(krate: &Path, fields: &[Field]) -> TokenStream {
    fields.iter().map(|field| check(krate, field)).collect()
}

fn check(krate: &Path, Field { ty, range, .. }: &Field) -> TokenStream {
    let (first, last, function, arguments) = match range {
        Some(range) => {
            let ends = ends(range);
            let arguments = quote! {
                <#ty as #krate::generated::Ranged>::LEAST,
                <#ty as #krate::generated::Ranged>::LARGEST,
                #ends
            };
            let check = if range.can_be_empty { quote!(check_values) } else { quote!(check_range) };
            (range.lo.span(), last_span(&range.hi), check, arguments)
        }
        None if is_made_of_others(ty) => {
            let arguments = quote!(&<#ty as #krate::generated::StateVar>::LAYOUT);
            (first_span(ty), last_span(ty), quote!(check_type), arguments)
        }
        None => return TokenStream::new(),
    };
    let function = respan(quote!(#krate::generated::#function), first);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(last);
    quote!(const _: () = #function #arguments;)
}

/// Whether a type has parameters or is a tuple, so that it may not be one that can be
/// packed though each part can.
fn is_made_of_others(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_made_of_others(&array.elem),
        Type::Paren(inner) => is_made_of_others(&inner.elem),
        Type::Group(inner) => is_made_of_others(&inner.elem),
        Type::Tuple(_) => true,
        Type::Path(path) => path.path.segments.iter().any(|part| !part.arguments.is_none()),
        _ => false,
    }
}

/// The span of the first token.
fn first_span(tokens: impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
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
pub fn layout(krate: &Path, field: &Field) -> TokenStream {
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
        #krate::generated::Parts::<#n_fields>::of([#(#layouts),*], #memory_size)
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
