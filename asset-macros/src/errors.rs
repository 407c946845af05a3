//! All mistakes of a module, collected so that they are reported at once.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Display;

/// The mistakes found so far, in the order in which they were found.
#[derive(Debug, Default)]
pub struct Errors(Vec<syn::Error>);

impl Errors {
    /// Reports a mistake on the author's tokens.
    pub fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.0.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error that a parser returned.
    pub fn add(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// The value, or `None` after its error has been added.
    pub fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Adds what was found elsewhere.
    pub fn append(&mut self, other: Errors) {
        self.0.extend(other.0);
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The messages, for unit tests.
    #[cfg(test)]
    pub fn messages(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// One `compile_error!` for each mistake.
    pub fn into_tokens(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}
