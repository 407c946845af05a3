//! What is remembered, compared with the model's own code.

use crate::machine::{ModelError, Successors, Wrong};
use std::ops::Range;

/// Complains if the last states in `out`, with keys of so many words, which were expanded
/// from what is remembered of these packed states, have other successors than when they are expanded anew. What is
/// complete in `out` is right then.
#[cold]
#[inline(never)]
pub fn recheck(
    states: &[u64],
    n_words: usize,
    (out, key_words): (&mut Successors, usize),
    expand: &mut dyn FnMut(&mut Successors) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    let (mut anew, n) = (Successors::default(), states.len() / n_words);
    let done = expand(&mut anew);
    let first = out.n_expanded() - n;
    let is_same = |&i: &usize| {
        let (known, fresh) = (out.of(first + i), anew.of(i));
        let words = |range: &Range<usize>| range.start * key_words..range.end * key_words;
        out.words()[words(&known)] == anew.words()[words(&fresh)]
            && out.transitions()[known] == anew.transitions()[fresh]
    };
    let n_same = (0..anew.n_expanded()).take_while(is_same).count();
    if n_same == n {
        return Ok(());
    }
    (n_same..n).for_each(|_| out.drop_last_state(key_words));
    let what = "it does not do what it did where all that it touches had the same values";
    match done {
        Err(error) if n_same == anew.n_expanded() => Err(error),
        _ => {
            let state = &states[n_same * n_words..(n_same + 1) * n_words];
            Err(ModelError::of_state(state, Wrong::Unsteady(what.to_owned())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State `i` leads to `10 * i`, anew as well unless `differs` says otherwise.
    fn rechecked(
        differs: fn(u64, &mut Successors) -> Result<(), ModelError>,
    ) -> (usize, Option<u64>) {
        let states = [1, 2, 3, 4];
        let (mut out, n_words) = (Successors::default(), 1);
        for state in [7, 1, 2, 3, 4] {
            out.push(&[10 * state], 0);
            out.end_state();
        }
        let done = recheck(&states, n_words, (&mut out, 1), &mut |anew| {
            for state in states {
                differs(state, anew)?;
                anew.push(&[10 * state], 0);
                anew.end_state();
            }
            Ok(())
        });
        assert_eq!(out.words().len(), out.n_expanded());
        (out.n_expanded(), done.err().and_then(|error| Some(error.state?[0])))
    }

    #[test]
    fn a_recheck_blames_the_state_that_differs() {
        assert_eq!(rechecked(|_, _| Ok(())), (5, None));
        assert_eq!(
            rechecked(|state, out| (
                if state == 3 {
                    out.push(&[9], 1)
                },
                Ok(())
            )
                .1),
            (3, Some(3))
        );
        fn fails(state: u64) -> Result<(), ModelError> {
            Err(ModelError::new(&[state], 0, Wrong::Unsteady(String::new())))
        }
        assert_eq!(
            rechecked(|state, _| if state < 2 { Ok(()) } else { fails(state) }),
            (2, Some(2))
        );
        assert_eq!(
            rechecked(|state, _| if state < 4 { Ok(()) } else { fails(state) }),
            (4, Some(4))
        );
    }
}
