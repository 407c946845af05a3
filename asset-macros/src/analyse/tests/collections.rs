//! What operations of the prelude's collections touch.

use super::{lowered, shown_in};
use crate::analyse::{self, Touches};
use proc_macro2::TokenStream;
use quote::quote;

const FIELDS: [&str; 6] = ["net", "seen", "votes", "queue", "holder", "x"];

/// What `Get(i, m)` reads and writes where its function has this body, beside these items.
fn beside(body: TokenStream, items: TokenStream) -> String {
    let model = lowered(quote! {
        pub mod m {
            #items
            #[derive(StateVar)]
            pub struct Id(#[range(0..3)] u8);
            #[derive(StateVar)]
            pub enum Message { Stop, Vote { from: Id, #[range(0..3)] term: u8 } }
            #[state]
            pub struct State {
                net: Set<Message>,
                seen: Map<Id, bool>,
                votes: [Set<Id>; 3],
                queue: Queue<Message, 2>,
                holder: Option<Id>,
                x: u8,
            }
            #[transitions]
            pub enum Transition { Get(#[range(0..3)] usize, Message) }
            pub fn fire_transition(s: &mut State, t: Transition) -> bool {
                match t {
                    Transition::Get(i, m) => { #body; true }
                }
            }
            fn get(s: &mut State, i: usize, m: Message) -> bool { s.net.remove(&m) }
        }
    });
    let of = analyse::model(&model, false).transitions.remove(0);
    let list = |places| {
        let shown = shown_in(&FIELDS, &Touches::Places(places));
        // A position is written as the value that it belongs to.
        shown
            .replace("__asset_parameter_", "p")
            .replace("::asset_core::generated::position::", "")
            .replace("__asset_known_", "k")
    };
    match &of.touches[0] {
        Touches::Everything(reason) => reason.why.clone(),
        Touches::Places(_) => {
            let accesses = of.accesses[0].clone();
            format!("{} -> {}", list(accesses.reads), list(accesses.writes))
        }
    }
}

fn apart(body: TokenStream) -> String {
    beside(body, quote!())
}

#[test]
fn of_a_set_one_member_is_touched() {
    let m = "net[{let(k0,):(Message,)=(p1,);<Message>(k0)}]";
    assert_eq!(apart(quote!(s.net.contains(&m))), format!("{m} -> "));
    assert_eq!(apart(quote!(s.net.insert(m))), format!("{m} -> {m}"));
    assert_eq!(apart(quote!(s.net.remove(&m))), format!("{m} -> {m}"));
    let told = apart(quote!(get(s, i, m)));
    assert_eq!(told, format!("{m} -> {m}"));
    let stop = "net[{let():()=();<Message>(Message::Stop)}]";
    assert_eq!(apart(quote!(s.net.contains(&Message::Stop))), format!("{stop} -> "));
    let vote = quote!(s.net.insert(Message::Vote { from: Id(i as u8), term: 1 }));
    let told = "net[{let(k0,):(usize,)=(p0,);<Message>(Message::Vote{from:Id(k0asu8),term:1})}]";
    assert_eq!(apart(vote), format!("{told} -> {told}"));
    // The short form of a field is written out.
    let vote = quote!(s.net.insert(Message::Vote { from: Id(0), term }));
    let helper = quote! { fn send(s: &mut State, term: u8) { #vote; } };
    assert!(beside(quote!(send(s, 1)), helper).contains("term:k0"));
}

#[test]
fn of_a_map_one_value_is_touched() {
    let told = "seen[{let(k0,):(usize,)=(p0,);<Id>(Id(k0asu8))}]";
    assert_eq!(apart(quote!(let b = s.seen[Id(i as u8)])), format!("{told} -> "));
    assert_eq!(apart(quote!(s.seen[Id(i as u8)] = true)), format!("{told} -> {told}"));
    assert_eq!(apart(quote!(s.seen.values().count())), "seen -> ");
}

#[test]
fn otherwise_the_whole_variable_is() {
    assert_eq!(apart(quote!(s.net.iter().count())), "net -> ");
    assert_eq!(apart(quote!(s.net.is_empty())), "net -> ");
    assert_eq!(apart(quote!(s.net.clear())), "net -> net");
    // A member that depends on the state.
    let vote = quote!(s.net.contains(&Message::Vote { from: Id(s.x), term: 0 }));
    assert_eq!(apart(vote), "net x -> ");
    assert_eq!(apart(quote!(s.votes[i].insert(Id(0)))), "votes[p0] -> votes[p0]");
    assert_eq!(apart(quote!(s.votes[i].len())), "votes[p0] -> ");
    assert_eq!(apart(quote!(s.queue.push(m))), "queue -> queue");
    assert_eq!(apart(quote!(s.queue.front())), "queue -> ");
    assert_eq!(apart(quote!(s.holder.is_none())), "holder -> ");
    assert_eq!(apart(quote!(s.holder.take())), "holder -> holder");
    assert_eq!(apart(quote!(s.holder = Some(Id(0)))), " -> holder");
    // An operation that is not in the table.
    assert_eq!(apart(quote!(s.queue.extend([m]))), "queue -> queue");
}

#[test]
fn types_and_methods_of_the_same_name_are_not_trusted() {
    let insert = quote!(s.net.insert(m));
    let own = quote!(
        trait Loud {
            fn front(&self) -> bool;
        }
    );
    assert_eq!(beside(insert.clone(), own), "net -> net");
    assert_eq!(
        beside(
            quote!(s.net.contains(&m)),
            quote!(
                use std::fmt;
            )
        ),
        "net -> net"
    );
    let alias = quote!(
        type Set = u8;
    );
    assert_eq!(beside(insert, alias), "net -> net");
    // What looks like a constructor may be a function.
    let ask = quote!(s.net.contains(&Message::ask(i)));
    let made = quote! { impl Message { fn ask(i: usize) -> Message { Message::Stop } } };
    assert_eq!(beside(ask, made), "net -> ");
}
