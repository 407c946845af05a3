//! Fields of structs, variants and transitions: ranges, layouts, zero values.

use crate::ir::{Field, Range};
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

/// The ends of a range as an expression list of two `i128`.
pub fn ends(range: &Range) -> TokenStream {
    let Range { lo, hi, closed } = range;
    let lo = quote_spanned!(lo.span()=> (#lo) as ::core::primitive::i128);
    let hi = quote_spanned!(hi.span()=> (#hi) as ::core::primitive::i128);
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
