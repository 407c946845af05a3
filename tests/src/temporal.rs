//! What infinite runs of a small model do, by definition and without automata: a formula by
//! the truth of its parts along a run, fairness by what every cycle of a component does.

use crate::oracle::Graph;
use asset_automata::{Ltl, Word};
use asset_core::model::Fair;
use asset_core::trace::Path;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// A fairness condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Strong or weak.
    pub is_strong: bool,
    /// The transitions that it is about.
    pub transitions: Vec<usize>,
}

/// The conditions that a model's marks make; strong ones count as weak if `at_most_weak`.
pub fn conditions(marks: &[Option<Fair>], at_most_weak: bool) -> Vec<Condition> {
    let mut named: Vec<(bool, String, Vec<usize>)> = Vec::new();
    for (t, fair) in marks.iter().enumerate() {
        let Some(fair) = fair else { continue };
        let is_strong = fair.is_strong && !at_most_weak;
        let name = fair.group.clone().unwrap_or_else(|| format!("t{t}"));
        match named.iter_mut().find(|(strong, n, _)| *strong == is_strong && *n == name) {
            Some((_, _, transitions)) => transitions.push(t),
            None => named.push((is_strong, name, vec![t])),
        }
    }
    let condition = |(is_strong, _, transitions)| Condition { is_strong, transitions };
    named.into_iter().map(condition).collect()
}

/// An edge of a graph of nodes.
struct Arrow {
    to: usize,
    /// What is fired; `None` where a terminal state repeats.
    fired: Option<usize>,
    /// Of what it is an occasion, as bits.
    marks: u64,
}

/// Nodes, each of a state of a model.
struct Nodes<'g> {
    graph: &'g Graph,
    /// The state of each node.
    states: Vec<usize>,
    arrows: Vec<Vec<Arrow>>,
    /// The marks that must come again and again.
    wanted: u64,
    conditions: &'g [Condition],
}

impl Nodes<'_> {
    fn reachable(&self, from: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut is_reached = vec![false; self.states.len()];
        let mut todo: Vec<usize> = from.collect();
        todo.iter().for_each(|&node| is_reached[node] = true);
        while let Some(node) = todo.pop() {
            for arrow in &self.arrows[node] {
                if !std::mem::replace(&mut is_reached[arrow.to], true) {
                    todo.push(arrow.to);
                }
            }
        }
        is_reached
    }

    fn is_enabled(&self, node: usize, condition: &Condition) -> bool {
        let next = &self.graph.next[self.states[node]];
        condition.transitions.iter().any(|&t| next[t].is_some())
    }

    /// Whether some run stays among these nodes, is fair, and has all wanted marks again and
    /// again.
    fn has_fair_run(&self, among: &[bool]) -> bool {
        let mut graph = DiGraph::<usize, ()>::new();
        let places: Vec<_> = (0..among.len()).map(|node| graph.add_node(node)).collect();
        for from in (0..among.len()).filter(|&node| among[node]) {
            for arrow in self.arrows[from].iter().filter(|arrow| among[arrow.to]) {
                graph.add_edge(places[from], places[arrow.to], ());
            }
        }
        let is_in = |component: &Vec<_>| {
            let mut inside = vec![false; among.len()];
            component.iter().for_each(|&place| inside[graph[place]] = true);
            inside
        };
        tarjan_scc(&graph).iter().any(|component| {
            among[graph[component[0]]] && self.is_fair_component(&is_in(component))
        })
    }

    fn is_fair_component(&self, inside: &[bool]) -> bool {
        let nodes = || (0..inside.len()).filter(|&node| inside[node]);
        let arrows =
            || nodes().flat_map(|n| self.arrows[n].iter()).filter(|arrow| inside[arrow.to]);
        let marks = arrows().fold(0, |marks, arrow| marks | arrow.marks);
        if arrows().next().is_none() || marks & self.wanted != self.wanted {
            return false;
        }
        let mut without = inside.to_vec();
        for condition in self.conditions {
            let is_own = |t: usize| condition.transitions.contains(&t);
            let is_fired = arrows().any(|arrow| arrow.fired.is_some_and(is_own));
            let is_enabled = |&node: &usize| self.is_enabled(node, condition);
            if !condition.is_strong && !is_fired && nodes().all(|node| is_enabled(&node)) {
                return false;
            }
            if condition.is_strong && !is_fired {
                nodes().filter(is_enabled).for_each(|node| without[node] = false);
            }
        }
        // Where something that is never fired here is enabled, no fair run comes again and again.
        without == inside || self.has_fair_run(&without)
    }
}

/// Whether some fair run satisfies a formula. `letters` says which atoms are true in each
/// state.
///
/// A node is a state and a guess which temporal parts of the formula are true there; guesses
/// must agree along edges, and what is promised must come.
pub fn some_fair_run(
    graph: &Graph,
    letters: &[u64],
    conditions: &[Condition],
    formula: &Ltl,
) -> bool {
    let mut parts = Vec::new();
    collect(formula, &mut parts);
    let n_guesses = 1usize << parts.len();
    let truth = |f: &Ltl, s: usize, guess: usize| truth(f, letters[s], guess, &parts);
    let mut arrows: Vec<Vec<Arrow>> = Vec::new();
    for node in 0..graph.len() * n_guesses {
        let (s, guess) = (node / n_guesses, node % n_guesses);
        // Which promises do not hang over the rest of the run.
        let marks = (0..parts.len()).fold(0, |marks, i| {
            let is_true = guess >> i & 1 != 0;
            let is_kept = match parts[i] {
                Ltl::Finally(b) | Ltl::Until(_, b) => !is_true || truth(b, s, guess),
                Ltl::Globally(b) | Ltl::Release(_, b) => is_true || !truth(b, s, guess),
                Ltl::WeakUntil(a, b) => is_true || !truth(a, s, guess) && !truth(b, s, guess),
                _ => true,
            };
            marks | u64::from(is_kept) << i
        });
        let mut next: Vec<(usize, Option<usize>)> = (0..graph.next[s].len())
            .filter_map(|t| graph.next[s][t].map(|to| (to, Some(t))))
            .collect();
        if next.is_empty() {
            next.push((s, None));
        }
        let mut own = Vec::new();
        for (to, fired) in next {
            for after in 0..n_guesses {
                let agrees = (0..parts.len()).all(|i| {
                    let later = after >> i & 1 != 0;
                    let expected = match parts[i] {
                        Ltl::Next(a) => truth(a, to, after),
                        Ltl::Finally(b) => truth(b, s, guess) || later,
                        Ltl::Globally(b) => truth(b, s, guess) && later,
                        Ltl::Until(a, b) | Ltl::WeakUntil(a, b) => {
                            truth(b, s, guess) || truth(a, s, guess) && later
                        }
                        Ltl::Release(a, b) => truth(b, s, guess) && (truth(a, s, guess) || later),
                        other => unreachable!("{other} is not temporal"),
                    };
                    (guess >> i & 1 != 0) == expected
                });
                if agrees {
                    own.push(Arrow { to: to * n_guesses + after, fired, marks });
                }
            }
        }
        arrows.push(own);
    }
    let states = (0..arrows.len()).map(|node| node / n_guesses).collect();
    let nodes = Nodes { graph, states, arrows, wanted: n_guesses as u64 - 1, conditions };
    let is_root = |&node: &usize| truth(formula, node / n_guesses, node % n_guesses);
    let reached = nodes.reachable((0..graph.n_initial * n_guesses).filter(is_root));
    nodes.has_fair_run(&reached)
}

/// The temporal parts of a formula.
fn collect<'f>(formula: &'f Ltl, parts: &mut Vec<&'f Ltl>) {
    formula.parts().for_each(|part| collect(part, parts));
    let is_temporal = matches!(
        formula,
        Ltl::Next(_)
            | Ltl::Finally(_)
            | Ltl::Globally(_)
            | Ltl::Until(..)
            | Ltl::WeakUntil(..)
            | Ltl::Release(..)
    );
    if is_temporal && !parts.contains(&formula) {
        parts.push(formula);
    }
}

/// Whether a formula is true by a letter and a guess of its temporal parts.
fn truth(formula: &Ltl, letter: u64, guess: usize, parts: &[&Ltl]) -> bool {
    let of = |f: &Ltl| truth(f, letter, guess, parts);
    match formula {
        Ltl::True => true,
        Ltl::False => false,
        Ltl::Atom(atom) => letter >> atom & 1 != 0,
        Ltl::Not(a) => !of(a),
        Ltl::And(a, b) => of(a) && of(b),
        Ltl::Or(a, b) => of(a) || of(b),
        Ltl::Implies(a, b) => !of(a) || of(b),
        Ltl::Iff(a, b) => of(a) == of(b),
        temporal => {
            let i = parts.iter().position(|part| *part == temporal).expect("a part");
            guess >> i & 1 != 0
        }
    }
}

/// Whether some fair run fires a watched transition again and again and, from some time on,
/// none of the remedies.
pub fn some_fair_run_without(
    graph: &Graph,
    conditions: &[Condition],
    is_watched: impl Fn(usize) -> bool,
    is_remedy: impl Fn(usize) -> bool,
) -> bool {
    let arrows = (0..graph.len()).map(|s| {
        let kept = (0..graph.next[s].len()).filter(|&t| !is_remedy(t));
        let arrow = |t: usize| {
            let marks = u64::from(is_watched(t));
            graph.next[s][t].map(|to| Arrow { to, fired: Some(t), marks })
        };
        kept.filter_map(arrow).collect()
    });
    let arrows = arrows.collect();
    let nodes = Nodes { graph, states: (0..graph.len()).collect(), arrows, wanted: 1, conditions };
    nodes.has_fair_run(&vec![true; graph.len()])
}

/// Whether a replayed lasso, or a run that stays in its last state, is fair.
pub fn is_fair(graph: &Graph, path: &Path, conditions: &[Condition]) -> bool {
    let last = path.states.len() - 1;
    let start = path.closing.map_or(last, |(_, start)| start);
    let mut fired: Vec<usize> = path.transitions[start..].to_vec();
    fired.extend(path.closing.map(|(t, _)| t));
    conditions.iter().all(|condition| {
        let enabled = |state: &_| {
            let next = &graph.next[graph.index[state]];
            condition.transitions.iter().any(|&t| next[t].is_some())
        };
        let mut cycle = path.states[start..].iter();
        fired.iter().any(|t| condition.transitions.contains(t))
            || match condition.is_strong {
                true => !cycle.any(enabled),
                false => !cycle.all(enabled),
            }
    })
}

/// The letters along a path, for ever.
pub fn word(graph: &Graph, letters: &[u64], path: &Path) -> Word {
    let along = path.states.iter().map(|state| letters[graph.index[state]]);
    let mut stem: Vec<u64> = along.collect();
    let start = path.closing.map_or(stem.len() - 1, |(_, start)| start);
    let cycle = stem.split_off(start);
    Word::new(stem, cycle)
}
