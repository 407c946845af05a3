//! The model language: parse → validate → IR → expand.
use proc_macro::TokenStream;

/// Placeholder
#[proc_macro_attribute]
pub fn model(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Placeholder
#[proc_macro_derive(StateVar, attributes(range))]
pub fn state_var(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
