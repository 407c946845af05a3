//! Random `#[model]` source text: what the engine says of each is what a naive search of the
//! same text without the macro says, in every mode.
//!
//! The usual run takes 300 models. `ASSET_SOURCES=2000 cargo test --test random_sources` takes
//! more, from other seeds.

use asset_tests::sources::run;
use std::env;

#[test]
fn random_modules_say_what_a_naive_search_says() {
    let (first, n) = match env::var("ASSET_SOURCES") {
        Ok(n) => (1_000_000, n.parse().expect("a number of models")),
        Err(_) => (0, 300),
    };
    let [holds, violated, inconclusive, model_errors, reduced] =
        run(env!("CARGO_TARGET_TMPDIR"), first..first + n);
    let n = n as usize;
    // Every way to end occurs, often enough to tell something.
    println!("{holds} {violated} {inconclusive} {model_errors}, {reduced} reduced");
    assert!(holds > 5 * n && violated > 5 * n && inconclusive > n);
    assert!(model_errors > n / 2 && reduced > n / 20);
}
