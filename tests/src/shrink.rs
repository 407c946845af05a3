//! Makes a model that shows a failure smaller while it still shows it.

use crate::table::{MAX_TRANSITIONS, Table};

/// The smallest model that can be had from `table` by leaving parts out, one
/// after the other, as long as `fails` says yes.
pub fn shrink(table: Table, fails: impl Fn(&Table) -> bool) -> Table {
    let mut smallest = table;
    while let Some(smaller) = candidates(&smallest).into_iter().find(&fails) {
        smallest = smaller;
    }
    smallest
}

/// Everything that is one part smaller, the largest parts first.
fn candidates(table: &Table) -> Vec<Table> {
    let mut all: Vec<Table> =
        (0..table.transitions.len()).map(|t| without_transition(table, t)).collect();
    let mut edit = |change: &dyn Fn(&mut Table)| {
        let mut smaller = table.clone();
        change(&mut smaller);
        if smaller != *table {
            all.push(smaller);
        }
    };
    if table.initial.len() > 1 {
        (0..table.initial.len()).for_each(|i| edit(&|t| _ = t.initial.remove(i)));
    }
    for (i, transition) in table.transitions.iter().enumerate() {
        for (j, branch) in transition.iter().enumerate() {
            edit(&|t| _ = t.transitions[i].remove(j));
            for k in 0..branch.guard.0.len() {
                edit(&|t| _ = t.transitions[i][j].guard.0.remove(k));
            }
            for k in 0..branch.effects.len() {
                edit(&|t| _ = t.transitions[i][j].effects.remove(k));
            }
        }
    }
    edit(&|t| t.n_words = 1);
    edit(&|t| t.progress_transitions = 0);
    edit(&|t| t.progress_states.0.clear());
    let mut states: Vec<_> = table.rules.keys().collect();
    states.sort_unstable();
    for state in states {
        edit(&|t| _ = t.rules.remove(state));
    }
    all
}

/// Without one transition; those above it move down.
fn without_transition(table: &Table, gone: usize) -> Table {
    let below = |set: u8| set & ((1 << gone) - 1);
    let above = |set: u8| (u16::from(set) >> (gone + 1) << gone) as u8;
    let without = |set: u8| below(set) | above(set);
    let mut smaller = table.clone();
    smaller.transitions.remove(gone);
    smaller.progress_transitions = without(table.progress_transitions);
    for obliged in smaller.rules.values_mut() {
        let mut moved = [0; MAX_TRANSITIONS];
        for (t, &set) in obliged.iter().enumerate().filter(|&(t, _)| t != gone) {
            moved[if t < gone { t } else { t - 1 }] = without(set);
        }
        *obliged = moved;
    }
    smaller
}
