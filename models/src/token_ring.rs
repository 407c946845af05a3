//! A demand-driven token ring: the token moves only when somebody wants it.
//!
//! A. Valmari reports this system in *A State Space Tool for Models Expressed
//! in C++* (arXiv 1504.02597) and in *Stop It, and Be Stubborn!*: with ten
//! processes 81,933,120 states in full and 1,514,900 with stubborn sets. The
//! source was not published; this ring has exactly the same full counts. Its
//! rules are its own.

use asset_core::model::Family;
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
        /// The server's next step, whichever it is.
        Serve(#[range(0..N)] usize),
        /// The client leaves the critical section.
        Leave(#[range(0..N)] usize),
        /// The client asks for the token.
        Request(#[range(0..N)] usize),
        /// The client stops instead of asking once more.
        Stop(#[range(0..N)] usize),
    }

    #[init]
    pub fn token_rests_at_server_0() -> State {
        let mut servers = [Server::NoToken; N];
        servers[0] = Server::Resting;
        State { clients: [Client::Idle; N], servers }
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Serve(i) => serve(s, i),
            Transition::Leave(i) => {
                let critical = s.clients[i] == Client::Critical;
                s.clients[i] = Client::Idle;
                critical
            }
            Transition::Request(i) => from_idle_to(s, i, Client::Requesting),
            Transition::Stop(i) => from_idle_to(s, i, Client::Stopped),
        }
    }

    fn from_idle_to(s: &mut State, i: usize, to: Client) -> bool {
        let idle = s.clients[i] == Client::Idle;
        s.clients[i] = to;
        idle
    }

    fn serve(s: &mut State, i: usize) -> bool {
        match s.servers[i] {
            Server::NoToken if demand(s, i) => s.servers[i] = Server::Waiting,
            Server::Resting if demand(s, i) => s.servers[i] = Server::Active,
            // The own client goes first; then the token moves on.
            Server::Active if requests(s, i) => {
                s.clients[i] = Client::Critical;
                s.servers[i] = Server::Granted;
            }
            Server::Active if waits(s, next(i)) => pass_token(s, i),
            Server::Granted if s.clients[i] == Client::Critical => return false,
            Server::Granted if waits(s, next(i)) => pass_token(s, i),
            Server::Granted => s.servers[i] = Server::Resting,
            _ => return false,
        }
        true
    }

    fn pass_token(s: &mut State, i: usize) {
        s.servers[i] = Server::NoToken;
        s.servers[next(i)] = Server::Active;
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
            Transition::Serve(i) => serve_rule(s, i, need),
            Transition::Leave(i) => match s.clients[i] {
                // The server waits for this. No other client can become
                // critical meanwhile, for the token is here: so nobody can
                // miss a violation of mutual exclusion.
                Client::Critical => {}
                Client::Requesting => need.add(Transition::Serve(i)),
                Client::Idle => need.add(Transition::Request(i)),
                Client::Stopped => {}
            },
            Transition::Request(i) => request_rule(s, i, Transition::Stop(i), need),
            Transition::Stop(i) => request_rule(s, i, Transition::Request(i), need),
        }
    }

    fn serve_rule(s: &State, i: usize, need: &mut Obligations) {
        match s.servers[i] {
            Server::NoToken if demand(s, i) => {
                // Starting to wait changes what the previous server does when
                // it has been granted the token and gives it up.
                need.add(Transition::Serve(previous(i)));
            }
            // Becoming active touches nothing that others see.
            Server::Resting if demand(s, i) => {}
            Server::NoToken | Server::Resting => {
                // Only these two can create demand.
                need.add(Transition::Serve(next(i)));
                if s.clients[i] != Client::Stopped {
                    need.add(Transition::Request(i));
                }
            }
            // Only the previous server can give it the token.
            Server::Waiting => need.add(Transition::Serve(previous(i))),
            // The client waits for this, and its turn cannot be taken away.
            Server::Active if requests(s, i) => {}
            // The token moves on unless the own client asks at the last moment.
            Server::Active => {
                if s.clients[i] == Client::Idle {
                    need.add(Transition::Request(i));
                }
            }
            Server::Granted if s.clients[i] == Client::Critical => {
                need.add(Transition::Leave(i));
            }
            // It rests, unless the next one starts to wait at the last moment.
            Server::Granted => {
                if !waits(s, next(i)) {
                    need.add(Transition::Serve(next(i)));
                }
            }
        }
    }

    /// The rule of the two things that an idle client can do.
    fn request_rule(s: &State, i: usize, alternative: Transition, need: &mut Obligations) {
        match s.clients[i] {
            Client::Idle => {
                need.add(alternative);
                // An active server looks at its client to choose what to do.
                need.add(Transition::Serve(i));
            }
            Client::Requesting => need.add(Transition::Serve(i)),
            Client::Critical => need.add(Transition::Leave(i)),
            Client::Stopped => {}
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
}
