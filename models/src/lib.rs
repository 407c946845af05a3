//! Bundled models.
