//! The bundled models against definitions that share no code with the engine.

mod expectations;
mod oracle;
mod rules;
