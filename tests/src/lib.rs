//! Test support: models as tables, and slow, simple programs that know the
//! right answers.

pub mod cli;
pub mod differential;
pub mod oracle;
pub mod random;
pub mod rules;
pub mod shrink;
pub mod square;
pub mod table;
