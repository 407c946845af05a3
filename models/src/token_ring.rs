//! A demand-driven token ring: the token moves only when somebody wants it.
//!
//! A. Valmari reports this system in *A State Space Tool for Models Expressed
//! in C++* (arXiv 1504.02597) and in *Stop It, and Be Stubborn!*: with ten
//! processes 81,933,120 states in full and 1,514,900 with stubborn sets. The
//! source was not published; this ring has exactly the same full counts. Its
//! rules are its own. Granting the token is marked as progress: there is no
//! livelock.
//!
//! States / edges:
//!
//! | n | full | stubborn sets |
//! |---|---|---|
//! | 2 | 68 / 140 | 46 / 60 |
//! | 3 | 468 / 1,350 | 247 / 351 |
//! | 4 | 2,928 / 10,880 | 1,158 / 1,694 |
//! | 5 | 17,280 / 78,600 | 4,863 / 7,179 |
//! | 8 | 2,927,232 / 20,632,320 | 247,606 / 365,886 |
//! | 10 | 81,933,120 / 714,052,800 | 2,898,510 / 4,273,202 |
//!
//! There is little left to gain: at n = 4, choosing in every state a set with as
//! few enabled members as D0, D1 and D2 permit leads to 1,173 states.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    token_ring::model()
}

/// Clients in a ring, each with a server that fetches the token on demand.
#[model]
pub mod token_ring {
    /// Number of clients.
    #[param(2..=10)]
    pub const N: usize = 4;

    /// What a client does.
    #[derive(StateVar)]
    pub enum Client {
        /// Needs nothing.
        Idle,
        /// Has asked its server for the token.
        Requesting,
        /// In the critical section.
        Critical,
        /// Needs nothing any more.
        Stopped,
    }

    /// What a server does.
    #[derive(StateVar)]
    pub enum Server {
        /// Has no token and wants none.
        NoToken,
        /// Wants the token: the previous server can see that.
        Waiting,
        /// Has the token, and somebody wants it.
        Active,
        /// Has lent the token to its client.
        Granted,
        /// Has the token, and nobody wanted it so far.
        Resting,
    }

    /// The state variables.
    #[state]
    pub struct State {
        clients: [Client; N],
        servers: [Server; N],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// A server without the token sees demand: it waits for the token.
        Wait(#[range(0..N)] usize),
        /// A resting server sees demand: it becomes active.
        Wake(#[range(0..N)] usize),
        /// An active server lends the token to its client.
        Grant(#[range(0..N)] usize),
        /// A server passes the token to the next one.
        Pass(#[range(0..N)] usize),
        /// A server has got the token back and nobody waits for it.
        Rest(#[range(0..N)] usize),
        /// The client leaves the critical section.
        Leave(#[range(0..N)] usize),
        /// The client asks for the token.
        Request(#[range(0..N)] usize),
        /// The client stops instead of asking once more.
        Stop(#[range(0..N)] usize),
    }

    /// Nobody wants anything yet.
    #[init]
    pub fn token_rests_at_server_0() -> State {
        let mut servers = [Server::NoToken; N];
        servers[0] = Server::Resting;
        State { clients: [Client::Idle; N], servers }
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Wait(i) if s.servers[i] == Server::NoToken && demand(s, i) => {
                s.servers[i] = Server::Waiting;
            }
            Transition::Wake(i) if s.servers[i] == Server::Resting && demand(s, i) => {
                s.servers[i] = Server::Active;
            }
            Transition::Grant(i) if s.servers[i] == Server::Active && requests(s, i) => {
                s.servers[i] = Server::Granted;
                s.clients[i] = Client::Critical;
            }
            Transition::Pass(i) if can_part(s, i) && waits(s, next(i)) => {
                s.servers[i] = Server::NoToken;
                s.servers[next(i)] = Server::Active;
            }
            Transition::Rest(i) if has_it_back(s, i) && !waits(s, next(i)) => {
                s.servers[i] = Server::Resting;
            }
            Transition::Leave(i) if s.clients[i] == Client::Critical => {
                s.clients[i] = Client::Idle;
            }
            Transition::Request(i) if s.clients[i] == Client::Idle => {
                s.clients[i] = Client::Requesting;
            }
            Transition::Stop(i) if s.clients[i] == Client::Idle => {
                s.clients[i] = Client::Stopped;
            }
            _ => return false,
        }
        true
    }

    /// The own client goes first.
    fn can_part(s: &State, i: usize) -> bool {
        s.servers[i] == Server::Active && !requests(s, i) || has_it_back(s, i)
    }

    fn has_it_back(s: &State, i: usize) -> bool {
        s.servers[i] == Server::Granted && s.clients[i] != Client::Critical
    }

    fn next(i: usize) -> usize {
        (i + 1) % N
    }

    fn previous(i: usize) -> usize {
        (i + N - 1) % N
    }

    fn requests(s: &State, i: usize) -> bool {
        s.clients[i] == Client::Requesting
    }

    fn waits(s: &State, i: usize) -> bool {
        s.servers[i] == Server::Waiting
    }

    /// Whether somebody wants server `i` to have the token.
    fn demand(s: &State, i: usize) -> bool {
        requests(s, i) || waits(s, next(i))
    }

    /// There is one token, and demand never goes away by itself: a request
    /// stands until it is granted, a server waits until it gets the token.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Wait(i) => wait_rule(s, i, need),
            Transition::Wake(i) => match s.servers[i] {
                // Nothing takes the demand away, and nobody sees the change.
                Server::Resting if demand(s, i) => {}
                Server::Resting => creates_demand(s, i, need),
                // Only this leads there.
                _ => need.add(Transition::Rest(i)),
            },
            Transition::Grant(i) => grant_rule(s, i, need),
            Transition::Pass(i) => pass_rule(s, i, need),
            Transition::Rest(i) => rest_rule(s, i, need),
            Transition::Leave(i) => match s.clients[i] {
                // The server waits for this. No other client can become
                // critical meanwhile, for the token is here: so nobody can
                // miss a violation of mutual exclusion.
                Client::Critical => {}
                // Only this leads there.
                Client::Idle | Client::Requesting => need.add(Transition::Grant(i)),
                Client::Stopped => {}
            },
            Transition::Request(i) | Transition::Stop(i) => match s.clients[i] {
                Client::Idle => {
                    // The two exclude each other.
                    need.add(Transition::Request(i));
                    need.add(Transition::Stop(i));
                    // An active server passes the token only if its client
                    // does not ask.
                    need.add(Transition::Pass(i));
                }
                // Only leaving the critical section makes it idle again.
                Client::Requesting | Client::Critical => need.add(Transition::Leave(i)),
                Client::Stopped => {}
            },
        }
    }

    /// Only these two can make somebody want the token here.
    fn creates_demand(s: &State, i: usize, need: &mut Obligations) {
        need.add(Transition::Wait(next(i)));
        if s.clients[i] != Client::Stopped {
            need.add(Transition::Request(i));
        }
    }

    fn wait_rule(s: &State, i: usize, need: &mut Obligations) {
        match s.servers[i] {
            // The previous server can rest only while this one does not wait.
            Server::NoToken if demand(s, i) => need.add(Transition::Rest(previous(i))),
            Server::NoToken => creates_demand(s, i, need),
            // Only passing the token on leads back there.
            _ => need.add(Transition::Pass(i)),
        }
    }

    fn grant_rule(s: &State, i: usize, need: &mut Obligations) {
        match (s.clients[i], s.servers[i]) {
            // Enabled, and nothing takes the token or the request away.
            (Client::Requesting, Server::Active) => {}
            // Nothing ever enables it.
            (Client::Stopped, _) => {}
            // Otherwise whatever has to come first.
            (Client::Critical, _) => need.add(Transition::Leave(i)),
            (Client::Idle, _) => need.add(Transition::Request(i)),
            (Client::Requesting, Server::NoToken) => need.add(Transition::Wait(i)),
            (Client::Requesting, Server::Waiting) => need.add(Transition::Pass(previous(i))),
            (Client::Requesting, Server::Resting) => need.add(Transition::Wake(i)),
            (Client::Requesting, Server::Granted) => {
                need.add(Transition::Rest(i));
                need.add(Transition::Pass(i));
            }
        }
    }

    fn pass_rule(s: &State, i: usize, need: &mut Obligations) {
        match s.servers[i] {
            // Disabled: one reason is enough, and what would end it.
            _ if !waits(s, next(i)) => need.add(Transition::Wait(next(i))),
            Server::NoToken | Server::Waiting => need.add(Transition::Pass(previous(i))),
            Server::Resting => need.add(Transition::Wake(i)),
            Server::Active if requests(s, i) => need.add(Transition::Grant(i)),
            Server::Granted if s.clients[i] == Client::Critical => need.add(Transition::Leave(i)),
            // The own client may ask at the last moment, and then goes first.
            Server::Active if s.clients[i] == Client::Idle => need.add(Transition::Request(i)),
            // Nobody can interfere: the next server waits until it gets the
            // token, and no request matters any more.
            Server::Active | Server::Granted => {}
        }
    }

    fn rest_rule(s: &State, i: usize, need: &mut Obligations) {
        match s.servers[i] {
            Server::Granted if s.clients[i] == Client::Critical => need.add(Transition::Leave(i)),
            // The next server waits until it gets the token.
            Server::Granted if waits(s, next(i)) => need.add(Transition::Pass(i)),
            // It may start to wait at the last moment.
            Server::Granted => need.add(Transition::Wait(next(i))),
            // Only this leads there.
            _ => need.add(Transition::Grant(i)),
        }
    }

    /// At most one client is in the critical section.
    #[check(state)]
    pub fn mutual_exclusion(s: &State) -> Result<(), &'static str> {
        let n_critical = s.clients.iter().filter(|c| matches!(c, Client::Critical)).count();
        if n_critical <= 1 { Ok(()) } else { Err("Mutex violated") }
    }

    /// The ring stands still only when all clients have stopped.
    #[check(deadlock)]
    pub fn all_clients_have_stopped(s: &State) -> Result<(), &'static str> {
        let all_stopped = s.clients.iter().all(|c| matches!(c, Client::Stopped));
        if all_stopped { Ok(()) } else { Err("A client is not served") }
    }

    /// Client 0 can always get into the critical section or stop.
    #[check(may_progress)]
    pub fn client_0_is_served(s: &State) -> bool {
        matches!(s.clients[0], Client::Critical | Client::Stopped)
    }

    /// Somebody gets the token.
    #[progress]
    pub fn service(t: Transition) -> bool {
        matches!(t, Transition::Grant(_))
    }
}
