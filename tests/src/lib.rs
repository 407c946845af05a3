//! Test support: models as tables, and slow, simple programs that know the
//! right answers.

pub mod cli;
pub mod differential;
pub mod disguised;
pub mod livelock;
pub mod oracle;
pub mod own_crate;
pub mod random;
pub mod rules;
pub mod shrink;
pub mod square;
pub mod table;

/// The code in the documents is compiled and run.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../README.md")]
    struct Readme;

    #[doc = include_str!("../../docs/writing-a-model.md")]
    struct WritingAModel;

    #[doc = include_str!("../../docs/porting-an-asset-model.md")]
    struct PortingAnAssetModel;
}
