//! Why something was not understood, in words.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

/// The first thing that was not understood.
#[derive(Clone, Debug)]
pub struct Reason {
    /// What it is, as a clause without a full stop.
    pub why: String,
    /// Where it stands.
    span: Span,
}

impl Reason {
    /// What is the matter, and on which tokens.
    pub fn new(why: impl Into<String>, at: &impl ToTokens) -> Reason {
        Reason { why: why.into(), span: at.span() }
    }

    /// The line in the author's file; 0 outside of a compiler, which alone knows it.
    pub fn line(&self) -> usize {
        if proc_macro::is_available() { self.span.unwrap().line() } else { 0 }
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        self.why == other.why
    }
}
