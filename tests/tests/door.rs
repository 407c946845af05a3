//! Panics are caught at the door to the author's code, and nowhere else.

use asset_tests::source::{engine, tokens, words};

/// What catches a panic, lets it go on or changes what it prints; `guarded` is the engine's own.
const WORDS: [&str; 6] =
    ["catch_unwind", "resume_unwind", "set_hook", "take_hook", "panic_any", "guarded"];

/// The door, and what is said of panics beside their messages.
const DOOR: [&str; 2] = ["machine/door.rs", "machine/panics.rs"];

#[test]
fn panics_are_caught_at_the_door() {
    let does = |text: &str| {
        let words = words(&tokens(text));
        WORDS.iter().any(|word| words.contains(*word))
    };
    let found: Vec<String> = engine()
        .into_iter()
        .filter(|(file, text)| !DOOR.contains(&&**file) && does(text))
        .map(|(file, _)| file)
        .collect();
    assert!(found.is_empty(), "a panic of the model is caught in one place: {found:#?}");
}
