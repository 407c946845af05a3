//! Test support: models as tables, and slow, simple programs that know the
//! right answers.

pub mod answers;
pub mod cli;
pub mod differential;
pub mod disguised;
pub mod livelock;
pub mod oracle;
pub mod own_crate;
pub mod random;
pub mod rules;
pub mod shrink;
pub mod source;
pub mod sources;
pub mod square;
pub mod table;
pub mod temporal;

use std::ffi::OsString;
use std::process::ExitCode;

/// The command line of any bundled model; the first argument behind the program's name says
/// which.
pub fn bundled(mut arguments: Vec<OsString>) -> ExitCode {
    let name = if arguments.len() > 1 { arguments.remove(1) } else { Default::default() };
    match models::all().into_iter().find(|family| name == family.name) {
        Some(family) => asset_core::cli::run(family, arguments),
        None => panic!("no bundled model is called {}", name.display()),
    }
}

/// The code in the documents is compiled and run.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../README.md")]
    struct Readme;

    #[doc = include_str!("../../docs/writing-a-model.md")]
    struct WritingAModel;

    #[doc = include_str!("../../docs/raft.md")]
    struct Raft;

    #[doc = include_str!("../../docs/porting-an-asset-model.md")]
    struct PortingAnAssetModel;

    #[doc = include_str!("../../docs/liveness.md")]
    struct Liveness;
}
