//! Raft's election over a lossy, reordering network, as a Stateright model: written from the
//! paper and the description of the network, with collections of the standard library.
//! usage: stateright-raft SERVERS TERMS once|again
//! `again`: a message may arrive more than once. The network is a set.
use stateright::{Checker, Model, Property};
use std::collections::BTreeSet;
use std::time::Instant;

type Server = u8;

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Message {
    RequestVote { term: u8, candidate: Server, to: Server },
    VoteGranted { term: u8, voter: Server, to: Server },
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
enum Role {
    Follower,
    Candidate,
    Leader,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
struct Node {
    term: u8,
    role: Role,
    voted_for: Option<Server>,
    granted_by: BTreeSet<Server>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
struct Cluster {
    nodes: Vec<Node>,
    network: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Timeout(Server),
    Deliver(Message),
    Drop(Message),
}

struct Raft {
    n: u8,
    last_term: u8,
    arrives_again: bool,
}

impl Node {
    fn new() -> Node {
        Node { term: 0, role: Role::Follower, voted_for: None, granted_by: BTreeSet::new() }
    }

    /// A higher term makes a follower of everybody.
    fn observe(&mut self, term: u8) {
        if term > self.term {
            *self = Node { term, ..Node::new() };
        }
    }
}

impl Model for Raft {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        let nodes = (0..self.n).map(|_| Node::new()).collect();
        vec![Cluster { nodes, network: BTreeSet::new() }]
    }

    fn actions(&self, state: &Cluster, actions: &mut Vec<Action>) {
        for (i, node) in state.nodes.iter().enumerate() {
            if node.role != Role::Leader && node.term < self.last_term {
                actions.push(Action::Timeout(i as Server));
            }
        }
        for &message in &state.network {
            actions.push(Action::Deliver(message));
            actions.push(Action::Drop(message));
        }
    }

    fn next_state(&self, last: &Cluster, action: Action) -> Option<Cluster> {
        let mut next = last.clone();
        match action {
            Action::Timeout(i) => {
                let node = &mut next.nodes[i as usize];
                let term = node.term + 1;
                *node = Node {
                    term,
                    role: Role::Candidate,
                    voted_for: Some(i),
                    granted_by: [i].into(),
                };
                let others = (0..self.n).filter(|&to| to != i);
                next.network.extend(others.map(|to| Message::RequestVote { term, candidate: i, to }));
            }
            Action::Drop(message) => {
                next.network.remove(&message);
            }
            Action::Deliver(message) => {
                if !self.arrives_again {
                    next.network.remove(&message);
                }
                match message {
                    Message::RequestVote { term, candidate, to } => {
                        let node = &mut next.nodes[to as usize];
                        node.observe(term);
                        if node.term == term && node.voted_for.is_none_or(|v| v == candidate) {
                            node.voted_for = Some(candidate);
                            let vote = Message::VoteGranted { term, voter: to, to: candidate };
                            next.network.insert(vote);
                        }
                    }
                    Message::VoteGranted { term, voter, to } => {
                        let node = &mut next.nodes[to as usize];
                        if node.role == Role::Candidate && node.term == term {
                            node.granted_by.insert(voter);
                            if 2 * node.granted_by.len() > self.n as usize {
                                node.role = Role::Leader;
                                node.granted_by.clear();
                            }
                        }
                    }
                }
            }
        }
        (next != *last).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("one leader per term", |_, state: &Cluster| {
            let leaders = state.nodes.iter().filter(|node| node.role == Role::Leader);
            let terms: Vec<u8> = leaders.map(|node| node.term).collect();
            terms.iter().collect::<BTreeSet<_>>().len() == terms.len()
        })]
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize| arguments[i].parse().expect("a number");
    let arrives_again = match arguments[3].as_str() {
        "once" => false,
        "again" => true,
        _ => panic!("once|again"),
    };
    let raft = Raft { n: number(1), last_term: number(2), arrives_again };
    let start = Instant::now();
    let checker = raft.checker().threads(1).spawn_bfs().join();
    let seconds = start.elapsed().as_secs_f64();
    let (unique, generated) = (checker.unique_state_count(), checker.state_count());
    println!(
        "servers={} terms={} {} unique={unique} generated={generated} edges={} depth={} violations={} secs={seconds:.3}",
        arguments[1],
        arguments[2],
        arguments[3],
        generated - 1,
        checker.max_depth(),
        checker.discoveries().len(),
    );
}
