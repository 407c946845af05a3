//! What is found in small models, written `field` or `field[index]`.

mod accesses;
mod bundled;
mod checks;
mod collections;
mod conditions;
mod reasons;
mod work;

use super::{Analysis, OfVariant, Place, Touches};
use crate::errors::Errors;
use crate::expand::told;
use crate::ir::Model;
use crate::{analyse, parse, validate};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

/// What the transitions `Step(i)` and `Stop` touch in a model with this function
/// `fire_transition`, and more items.
fn of(fire: TokenStream, more: TokenStream) -> Vec<OfVariant> {
    analysed(fire, more).transitions
}

/// What is found in that model.
fn analysed(fire: TokenStream, more: TokenStream) -> Analysis {
    let module = quote! {
        pub mod m {
            pub const N: usize = 3;
            const M: u8 = 3;
            #[derive(StateVar)]
            pub enum At { Idle, Busy, Gone }
            #[state]
            pub struct State {
                at: [At; N],
                x: [u8; N],
                y: u8,
                nest: [[u8; 2]; N],
                mode: At,
            }
            #[transitions]
            pub enum Transition {
                Step(#[range(0..N)] usize),
                Stop,
            }
            #fire
            #more
        }
    };
    analyse::model(&lowered(module), false)
}

/// A model without mistakes.
fn lowered(module: TokenStream) -> Model {
    lowered_with(TokenStream::new(), module)
}

/// The same, with arguments of the macro.
fn lowered_with(args: TokenStream, module: TokenStream) -> Model {
    let mut errors = Errors::default();
    let module = parse::module(args, module, &mut errors).unwrap();
    let model = validate::module(&module, None, &mut errors);
    assert_eq!(errors.messages(), [""; 0]);
    model.unwrap()
}

fn shown(touches: &Touches) -> String {
    shown_in(&["at", "x", "y", "nest", "mode"], touches)
}

/// What is touched in a model with these fields.
fn shown_in(fields: &[&str], touches: &Touches) -> String {
    let place = |place: &Place| match &place.element {
        None => fields[place.field].to_owned(),
        Some(_) => format!("{}[{}]", fields[place.field], index(place)),
    };
    match touches {
        Touches::Everything(_) => "everything".to_owned(),
        Touches::Places(places) => places.iter().map(place).collect::<Vec<_>>().join(" "),
    }
}

/// The index of an element, as it is written out.
fn index(place: &Place) -> String {
    let told = told(&parse_quote!(::asset_core), place).to_string().replace(' ', "");
    let index = told.split_once("::Some(").and_then(|(_, rest)| rest.strip_suffix("))"));
    index.expect("an element").to_owned()
}

/// What a step touches whose function has this body, with parameters `s` and `i`.
/// There must be no choice.
fn step(body: TokenStream) -> String {
    step_with(body, TokenStream::new())
}

fn step_with(body: TokenStream, more: TokenStream) -> String {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) => step(s, i),
                Transition::Stop => { s.y = 0; true }
            }
        }
        fn step(s: &mut State, i: usize) -> bool { #body }
    };
    let found = of(fire, more);
    assert_eq!(found[0].choice, None);
    let (step, stop) = (shown(&found[0].touches[0]), shown(&found[1].touches[0]));
    assert!(stop == "y" || stop == "everything" && step == stop);
    step
}

/// The index that `i` is in an arm of `fire_transition`, and in `step`.
const I: &str = "__asset_parameter_0";

#[test]
fn fields_and_elements() {
    assert_eq!(step(quote!(s.y += 1; true)), "y");
    assert_eq!(step(quote!(s.x[i] = 0; true)), format!("x[{I}]"));
    assert_eq!(step(quote!(s.nest[i][0] == 1)), format!("nest[{I}]"));
    assert_eq!(step(quote!(let k = s.y as usize; s.x[k] > 0)), "y x");
    assert_eq!(step(quote!(s.x[usize::from(s.y)] > 0)), "x y");
    assert_eq!(step(quote!(s.x[1..].is_empty())), "x");
    assert_eq!(step(quote!(s.x.iter().any(|&x| x == 0))), "x");
    assert_eq!(step(quote!((*s).x[0] == (&mut *s).y)), "x[{let():()=();0}] y");
    assert_eq!(step(quote!(std::mem::swap(&mut s.x[0], &mut s.y); true)), "x[{let():()=();0}] y");
    let next = step(quote!(s.x[(i + 1) % N] == 0));
    let expected =
        "Arithmetic::rem((::asset_core::generated::Arithmetic::add(__asset_known_0,1)),N)}]";
    assert!(next.starts_with("x[{let(__asset_known_0,)") && next.ends_with(expected), "{next}");
}

#[test]
fn names_that_mean_something_else() {
    // Bound again, somewhere: the element is not known.
    for body in [
        quote!(for i in 0..N { s.x[i] = 0; } true),
        quote!(let i = 2; s.x[i] == 0),
        quote!((0..N).all(|i| s.x[i] == 0)),
        quote!(if let Some(i) = Some(1) { s.x[i] = 0; } true),
        quote!(s.x[i] == 0 && [1, 2].iter().any(|&i| i == 0)),
        quote!(let N = 2; s.x[N] == 0),
        quote!(assert!((0..N).all(|i| s.x[i] == 0)); true),
    ] {
        assert_eq!(step(body.clone()), "x", "{body}");
    }
    let changed = quote! {
        fn helper(s: &State, mut i: usize) -> bool { i = 0; s.x[i] == 0 }
    };
    assert_eq!(step_with(quote!(helper(s, i)), changed), "x");
}

#[test]
fn whatever_is_not_understood_is_everything() {
    for body in [
        quote!(let r = s; r.y == 0),
        quote!(*s == State { y: 0, ..*s }),
        quote!(let State { y, .. } = s; *y == 0),
        quote!(s.clone().y == 0),
        quote!(std::mem::take(s).y == 0),
        quote!(let f = |s: &State| s.y == 0; f(s)),
        quote!(let step = helper; step(s)),
        quote!(crate::helper(s)),
        quote!(foreign(s)),
        quote!(format!("{s:?}").is_empty()),
        quote!(my_macro!(s.y)),
        quote!(my_macro!(i); s.x[i] == 0),
        quote!({
            fn inner() {}
            s.y == 0
        }),
        quote!(matches!(1, _ if s.y == 0)),
        quote!(step(s, i)),
        quote!(s.unknown == 0),
        quote!(match s {
            State { y: 0, .. } => true,
            _ => false,
        }),
        quote!(pair(s, s)),
        quote!(of_any::<2>(s)),
        // The author's `Deref` may lead elsewhere.
        quote!((**s).y == 0),
        quote!(of_part(s)),
        quote!(of_part(&*s)),
        // The same name in other words.
        quote!(r#s.y == 0),
        quote!({
            let r#i = 2;
            s.x[i] == 0
        }),
        quote!(matches!(1, _ if r#s.y == 0)),
        quote!(assert!(true, "{s:?}"); true),
        // The same in other letters, and over two lines.
        quote!(format!("\u{7b}s:?}").is_empty()),
        quote!(format!("{\x73:?}").is_empty()),
        quote!(
            format!(
                "{\
                        s:?}"
            )
            .is_empty()
        ),
    ] {
        let more = quote! {
            fn helper(s: &State) -> bool { s.y == 0 }
            fn pair(s: &State, t: &State) -> bool { s.y == t.y }
            fn of_any<const N: usize>(s: &State) -> bool { s.x[N] == 0 }
            fn of_part(o: &At) -> bool { o.y == 0 }
        };
        assert_eq!(step_with(body.clone(), more), "everything", "{body}");
    }
}

#[test]
fn a_macro_or_a_condition_in_the_module_spoils_all() {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool { helper(s) }
    };
    let plain = of(
        fire.clone(),
        quote!(
            fn helper(s: &mut State) -> bool {
                s.y == 0
            }
        ),
    );
    assert_eq!(shown(&plain[0].touches[0]), "y");
    for more in [
        quote!(
            #[cfg(feature = "a")]
            fn helper(s: &mut State) -> bool {
                s.y == 0
            }
        ),
        quote!(
            fn helper(s: &mut State) -> bool {
                s.y == 0
            }
            macro_rules! m {
                () => {};
            }
        ),
    ] {
        assert_eq!(shown(&of(fire.clone(), more)[0].touches[0]), "everything");
    }
}

#[test]
fn functions_are_looked_into() {
    let more = quote! {
        fn next(i: usize) -> usize { (i + 1) % N }
        fn push(s: &mut State, to: usize, what: u8) -> bool { s.x[next(to)] = what; full(s) }
        fn full(s: &State) -> bool { s.mode as u8 == 1 }
    };
    let found = step_with(quote!(let y = s.y; push(s, i, y)), more);
    assert!(
        found.starts_with("y x[") && found.ends_with("next(__asset_known_0)}] mode"),
        "{found}"
    );
}

#[test]
fn arms_of_other_variants_are_left_out() {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) if s.x[i] > 0 => s.y = 0,
                Transition::Stop => s.nest[0][0] = 0,
                _ => return false,
            }
            true
        }
    };
    let found = of(fire, TokenStream::new());
    assert_eq!(shown(&found[0].touches[0]), format!("x[{I}] y"));
    assert_eq!(shown(&found[1].touches[0]), "nest[{let():()=();0}]");
    let by_hand = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            if let Transition::Step(i) = t { s.x[i] = 0; }
            s.y == 0
        }
    };
    assert_eq!(shown(&of(by_hand, TokenStream::new())[1].touches[0]), "x y");
}

/// The place of the choice, and what is touched by value, of a step with this body.
fn choice(body: TokenStream) -> (Option<String>, Vec<String>) {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) => { #body }
                Transition::Stop => false,
            }
        }
    };
    let found = of(fire, TokenStream::new()).remove(0);
    let place = found.choice.map(|(place, n)| {
        assert_eq!(n, 3);
        shown(&Touches::Places(vec![place]))
    });
    (place, found.touches.iter().map(shown).collect())
}

#[test]
fn choices_by_value() {
    let i = I;
    let (place, touches) = choice(quote! {
        s.at[i] = match s.at[i] {
            At::Idle => At::Busy,
            At::Busy if s.y > 0 => { s.x[i] = 0; At::Gone }
            At::Busy | At::Gone => return false,
        };
        true
    });
    assert_eq!(place, Some(format!("at[{i}]")));
    assert_eq!(touches, [format!("at[{i}]"), format!("at[{i}] y x[{i}]"), format!("at[{i}]")]);
    let (place, touches) = choice(quote! {
        let y = s.y;
        match (y, s.mode) {
            (0, At::Idle) => { s.x[0] = 1; true }
            (_, At::Busy) => { s.x[1] = 1; true }
            _ => false,
        }
    });
    assert_eq!(place, Some("mode".to_owned()));
    assert_eq!(touches, ["y mode x[{let():()=();0}]", "y mode x[{let():()=();1}]", "y mode"]);
}

#[test]
fn what_may_have_changed_before_is_no_choice() {
    for body in [
        quote!(s.at[i] = At::Idle; match s.at[i] { At::Idle => s.y = 1, _ => {} } true),
        quote!(let at = &mut s.at; at[0] = At::Idle; match s.at[i] { At::Idle => s.y = 1, _ => {} } true),
        quote!(loop { match s.at[i] { At::Idle => s.y = 1, _ => break } } true),
        quote!((0..2).all(|_| match s.at[i] {
            At::Idle => s.y == 1,
            _ => true,
        })),
        quote!(match (
            {
                s.y = 2;
                0
            },
            s.at[i]
        ) {
            (_, At::Idle) => s.y == 1,
            _ => true,
        }),
        quote!(let k = 1; match s.at[k] { At::Idle => s.y == 1, _ => true }),
        quote!(match s.y {
            0 => true,
            _ => s.x[0] == 0,
        }),
    ] {
        let (place, touches) = choice(body.clone());
        assert_eq!((place, touches.len()), (None, 1), "{body}");
    }
    // Names that may be anything match every value.
    let (_, touches) = choice(quote!(match s.mode {
        Idle => s.y == 0,
        other => s.x[0] == 0,
    }));
    assert_eq!(touches, ["mode y x[{let():()=();0}]"; 3]);
}

#[test]
fn paths_that_lead_elsewhere_may_match() {
    for pattern in [
        quote!(Special::Stop),
        quote!(<Transition as Special>::Stop),
        quote!(alias::Stop),
        quote!(::Transition::Stop),
        quote!(Stop),
    ] {
        let fire = quote! {
            pub fn fire_transition(s: &mut State, t: Transition) -> bool {
                match t { #pattern => { s.y = 1; true } _ => false }
            }
        };
        let found = of(fire, TokenStream::new());
        assert!(found.iter().all(|of| shown(&of.touches[0]) == "y"), "{pattern}");
    }
    // A variant by another name binds nothing.
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t { S(i) => { s.x[i] = 1; true } _ => false }
        }
    };
    let found = of(
        fire,
        quote!(
            use Transition::Step as S;
        ),
    );
    assert!(found.iter().all(|of| shown(&of.touches[0]) == "x"));
    // Names in the arguments of macros can hide the transition.
    let hidden = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            assert!({ let t = Transition::Stop; match t { Transition::Stop => s.y == 1, _ => true } });
            true
        }
    };
    assert_eq!(shown(&of(hidden, TokenStream::new())[0].touches[0]), "y");
}

#[test]
fn no_choice_where_the_order_is_another() {
    for body in [
        quote!(s.x[match s.mode { At::Idle => 0, _ => { s.y = 1; 1 } }] *= { s.mode = At::Busy; 1 }; true),
        quote!(s.nest[{ s.mode = At::Busy; 0 }][match s.mode { At::Idle => 0, _ => { s.y = 1; 1 } }] = 1; true),
        quote! {
            match (i, i) {
                (k, _) | (_, k) if {
                    match s.mode { At::Idle => {} _ => s.y = 1 }
                    s.mode = At::Busy;
                    k > 9
                } => true,
                _ => true,
            }
        },
    ] {
        let (place, touches) = choice(body.clone());
        assert!(place.is_none() && touches[0].contains('y'), "{body}: {touches:?}");
    }
}

#[test]
fn parameters_that_are_no_integers() {
    let module = |body: TokenStream| {
        quote! {
            pub mod m {
                #[derive(StateVar)]
                pub enum Who { A, B }
                #[state]
                pub struct State { x: [u8; 3] }
                #[transitions]
                pub enum Transition { Step(Who), Last(#[range(0..3)] usize) }
                const LAST: usize = 2;
                fn next(i: usize) -> usize { (i + 1) % 3 }
                fn number(who: Who) -> usize { who as usize }
                fn helper(s: &mut State, next: usize, k: usize) -> bool { s.x[(next + k) % 3] == 1 }
                pub fn fire_transition(s: &mut State, t: Transition) -> bool { #body }
            }
        }
    };
    let first = |body: TokenStream| {
        let found = analyse::model(&lowered(module(body)), false);
        let Touches::Places(places) = &found.transitions[0].touches[0] else {
            panic!("everything")
        };
        places[0].element.as_ref().map(|_| index(&places[0]))
    };
    let arm = |index: TokenStream| {
        first(quote!(match t { Transition::Step(p) => s.x[#index] == 0, _ => false }))
    };
    assert_eq!(arm(quote!(p)), None);
    assert_eq!(arm(quote!(p + 1)), None);
    for index in [quote!(p as usize), quote!(number(p))] {
        assert!(
            arm(index)
                .unwrap()
                .starts_with("{let(__asset_known_0,):(Who,)=(__asset_parameter_0,);")
        );
    }
    // No name of the author's is bound in what is written out.
    let twice = first(quote!(match t {
        Transition::Step(_) => helper(s, 0, next(1)),
        _ => false,
    }));
    let twice = twice.unwrap();
    assert!(!twice.contains("letnext") && twice.contains("next(1)"), "{twice}");
}

/// What the rules look at besides what firing touches, by value.
fn rules(rule: TokenStream) -> Vec<String> {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) => step(s, i),
                Transition::Stop => false,
            }
        }
        fn step(s: &mut State, i: usize) -> bool {
            s.at[i] = match s.at[i] {
                At::Idle => At::Busy,
                At::Busy if s.y > 0 => { s.x[i] = 0; At::Gone }
                At::Busy | At::Gone => return false,
            };
            true
        }
    };
    let rules = quote! {
        #[stubborn]
        pub fn obligations(s: &State, t: Transition, need: &mut Obligations) { #rule }
    };
    let found = of(fire, rules).remove(0);
    assert_eq!(found.touches.len(), 3);
    found.rules.iter().map(shown).collect()
}

#[test]
fn rules_look_at_more() {
    let by_value = rules(quote! {
        match t {
            Transition::Stop => need.all(),
            Transition::Step(i) => match s.at[i] {
                At::Idle => {}
                At::Busy if s.y == 0 => need.add(Transition::Stop),
                At::Busy | At::Gone => if s.x[i] > s.x[0] { need.all() },
            },
        }
    });
    assert_eq!(by_value, ["", "x[{let():()=();0}]", &format!("x[{I}] x[{{let():()=();0}}]")]);
    // By another variable, or a part of the state that may be any.
    let otherwise = rules(quote! {
        match t {
            Transition::Stop => need.all(),
            Transition::Step(i) => match s.mode {
                At::Idle => {}
                _ => if s.x[i] > 0 { need.all() },
            },
        }
    });
    assert_eq!(otherwise, [format!("mode x[{I}]"), "mode".to_owned(), format!("mode x[{I}]")]);
    assert_eq!(
        rules(quote!(if *s == State::default() {
            need.all()
        })),
        ["everything"; 3]
    );
    assert_eq!(rules(quote!(need.all())), [""; 3]);
}
