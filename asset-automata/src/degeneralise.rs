//! One acceptance set instead of several, by counting: what a nested search needs.

use crate::automaton::{Automaton, Edge};
use std::collections::HashMap;

impl Automaton {
    /// An automaton that accepts the same words with one acceptance set. Each state has a
    /// copy for each set that a run waits for next; where the last one comes, the edge is
    /// marked.
    pub fn degeneralised(&self) -> Automaton {
        let n_sets = self.n_sets;
        if n_sets == 1 {
            return self.clone();
        }
        let after = |level: u32, marks: u64| {
            let mut level = level;
            while level < n_sets && marks >> level & 1 != 0 {
                level += 1;
            }
            level
        };
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        let mut copies: Vec<(u32, u32)> = Vec::new();
        let mut number = |copy: (u32, u32), copies: &mut Vec<(u32, u32)>| {
            *numbers.entry(copy).or_insert_with(|| {
                copies.push(copy);
                copies.len() as u32 - 1
            })
        };
        let initial = self.initial.iter().map(|&q| number((q, 0), &mut copies)).collect();
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        while let Some(&(state, level)) = copies.get(edges.len()) {
            let mut own = Vec::new();
            for edge in &self.edges[state as usize] {
                let mut next = after(level, edge.marks);
                let is_full = next == n_sets;
                if is_full {
                    // The round is complete, and the edge counts for the next one already.
                    next = after(0, edge.marks) % n_sets.max(1);
                }
                let to = number((edge.to, next), &mut copies);
                own.push(Edge { label: edge.label, marks: u64::from(is_full), to });
            }
            edges.push(own);
        }
        Automaton { bdds: self.bdds.clone(), n_atoms: self.n_atoms, n_sets: 1, initial, edges }
    }
}
