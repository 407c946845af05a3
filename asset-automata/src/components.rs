//! Strong components of small graphs with marked edges.

/// The number of each node's strong component. Numbers are in reverse topological order:
/// an edge never leads to a higher one. Tarjan (1972), without recursion.
pub(crate) fn components(graph: &[Vec<(usize, u64)>]) -> Vec<usize> {
    let n = graph.len();
    let (mut index, mut low, mut component) = (vec![0; n], vec![0; n], vec![usize::MAX; n]);
    let (mut next, mut n_components) = (1, 0);
    let (mut stack, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for root in 0..n {
        if index[root] != 0 {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut at)) = path.last_mut() {
            if *at == 0 && index[node] == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(&(to, _)) = graph[node].get(*at) {
                *at += 1;
                if index[to] == 0 {
                    path.push((to, 0));
                } else if component[to] == usize::MAX {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
        }
    }
    component
}

/// Whether a component has a cycle, and edges with every one of these marks.
pub(crate) fn is_accepting(
    graph: &[Vec<(usize, u64)>],
    component: &[usize],
    which: usize,
    marks: u64,
) -> bool {
    let (mut found, mut has_cycle) = (0, false);
    for (node, edges) in graph.iter().enumerate().filter(|(node, _)| component[*node] == which) {
        debug_assert_eq!(component[node], which);
        for &(_, marks) in edges.iter().filter(|(to, _)| component[*to] == which) {
            (found, has_cycle) = (found | marks, true);
        }
    }
    has_cycle && found & marks == marks
}
