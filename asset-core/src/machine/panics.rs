//! Where panics happened: what a message alone does not say.

use super::Wrong;
use super::door::guarded;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::{Mutex, PoisonError};

/// The last panics, each message once: what it said, and where it happened. The door turns
/// panics of a model into sentences, which this completes.
static PANICS: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// So many of them are remembered. The one that ends a run is followed at most by those of
/// `#[display]`, in its trace.
const MAX_PANICS: usize = 1 << 10;

/// Does a program's work, and notes where panics happen instead of printing it. The error is
/// the message of one that nobody caught: the engine's own.
pub fn noting_places<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    set_hook(Box::new(note));
    let result = guarded(work);
    let _ = take_hook();
    result.map_err(|wrong| match wrong {
        Wrong::Panic(message) => message,
        other => other.to_string(),
    })
}

fn note(info: &PanicHookInfo<'_>) {
    let Some(location) = info.location() else { return };
    let message = info.payload_as_str().unwrap_or("a panic without a message").to_owned();
    let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
    panics.retain(|(known, _)| *known != message);
    if panics.len() == MAX_PANICS {
        panics.remove(0);
    }
    panics.push((message, format!("{}:{}", location.file(), location.line())));
}

/// Adds to the first panic of which a text speaks where it happened, if that was noted.
pub fn add_place(text: &mut String) {
    let panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = panics.iter().rev().filter_map(|(message, place)| {
        let at = text.find(&format!("panicked: {message}"))?;
        Some((at, message.len(), place))
    });
    // The first in the text; where one message begins like another, the longer one.
    if let Some((at, _, place)) = found.min_by_key(|&(at, len, _)| (at, std::cmp::Reverse(len))) {
        text.insert_str(at + "panicked".len(), &format!(" at {place}"));
    }
}
