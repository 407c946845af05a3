//! The phases one by one, without the compiler.

mod formulas;
mod names;
mod sharing;

use crate::errors::Errors;
use crate::{analyse, expand, fallback, ir, parse, validate};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{File, Item, parse2};

/// A small model with more items in it.
fn lamp(more: TokenStream) -> TokenStream {
    quote! {
        /// A lamp.
        pub mod lamp {
            #[state]
            pub struct State {
                on: bool,
            }
            #[transitions]
            pub enum Transition {
                Press,
            }
            pub fn fire_transition(s: &mut State, t: Transition) -> bool {
                s.on = !s.on;
                true
            }
            #more
        }
    }
}

fn lower(args: TokenStream, module: TokenStream) -> (Option<ir::Model>, Vec<String>) {
    let mut errors = Errors::default();
    let parsed = parse::module(args, module, &mut errors);
    let model = parsed.and_then(|module| validate::module(&module, None, &mut errors));
    (model, errors.messages())
}

/// The phases behind lowering.
fn expanded(model: &ir::Model) -> TokenStream {
    expand::model(model, &analyse::model(model, false))
}

fn messages(more: TokenStream) -> Vec<String> {
    lower(TokenStream::new(), lamp(more)).1
}

/// The items of the model that an expansion consists of, without copies.
fn items_of(expansion: TokenStream) -> Vec<Item> {
    let file: File = parse2(expansion).expect("an expansion that parses");
    let module = file.items.into_iter().find_map(|item| match item {
        Item::Mod(module) => module.content,
        _ => None,
    });
    module.expect("a module").1
}

fn defines(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| crate::ast::name_of(item).is_some_and(|known| known == name))
}

#[test]
fn parsing_takes_the_marks_off_and_keeps_the_rest() {
    let mut errors = Errors::default();
    let more = quote! {
        #[derive(Debug, StateVar, Hash)]
        #[allow(dead_code)]
        enum Colour { Red }
        #[inline]
        #[check(may_progress(strict))]
        fn fine(s: &State) -> bool { true }
    };
    let module = parse::module(TokenStream::new(), lamp(more), &mut errors).unwrap();
    assert_eq!(errors.messages(), [""; 0]);
    let marks: Vec<Vec<&str>> = module
        .items
        .iter()
        .map(|item| item.marks.iter().map(|mark| mark.kind.name()).collect())
        .collect();
    let expected: [&[&str]; 5] =
        [&["state"], &["transitions"], &[], &["derive(StateVar)"], &["check"]];
    assert_eq!(marks, expected);
    let Item::Enum(colour) = &module.items[3].syn else { panic!() };
    let kept: Vec<String> =
        colour.attrs.iter().map(|attr| quote!(#attr).to_string().replace(' ', "")).collect();
    assert_eq!(kept, ["#[derive(Debug,Hash)]", "#[allow(dead_code)]"]);
}

#[test]
fn a_model_in_order_has_no_messages() {
    let (model, messages) = lower(TokenStream::new(), lamp(TokenStream::new()));
    assert_eq!(messages, [""; 0]);
    let model = model.unwrap();
    assert_eq!(model.doc, "A lamp.");
    assert_eq!((model.vars.len(), model.checks.len()), (1, 0));
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let found = messages(quote! {
        #[param(0..100_000)]
        const N: usize = 3;
        #[stuborn]
        fn rules(s: &State) {}
        #[check(state)]
        fn fine(s: &mut State) -> bool { true }
        static LIMIT: u8 = 3;
    });
    let starts = [
        "there is no attribute `stuborn`",
        "a `static` lives on between calls",
        "these are 100000 values",
        "`rules` takes the wrong number of parameters",
        "`fine` looks at the state and must not change it",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    assert!(found.iter().zip(starts).all(|(found, start)| found.starts_with(start)), "{found:#?}");
}

#[test]
fn a_mark_with_a_mistake_still_counts_as_its_part() {
    let module = quote! {
        mod lamp {
            #[stat]
            struct State;
            #[transitions(fast)]
            enum Transition { Press }
            fn fire_transition(s: &mut State, t: Transition) -> bool { false }
        }
    };
    let (_, found) = lower(TokenStream::new(), module);
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn purity_judges_names_where_they_come_from() {
    let messages = |more: &str| messages(more.parse().unwrap());
    for pure in [
        "enum Mutex { Free, Held } fn f(m: Mutex) -> bool { matches!(m, Mutex::Held) }",
        "fn f() -> &'static str { \"static unsafe println!\" }",
        "struct Reading { instant: u8 } fn f(r: Reading) -> u8 { r.instant }",
        "enum Event { File, Instant } use Event::*; const E: Event = Instant;",
        "use std::time::Duration; use std::collections::BTreeMap; use std::{fmt, cmp::max};",
        "#[cfg(test)] mod tests { fn f() { println!(\"{:?}\", std::time::Instant::now()); } }",
        "fn f(unsafe_count: u8, rand: u8) -> bool { unsafe_count != rand }",
    ] {
        assert_eq!(messages(pure), [""; 0], "{pure}");
    }
    for impure in [
        "use std::{cell::{Cell, RefCell}, fmt};",
        "use core::sync::atomic::*;",
        "fn f() { let x = ::std::time::SystemTime::now(); }",
        "fn f() { assert_eq!(1, { unsafe { g() } }); }",
        "use rand::Rng;",
    ] {
        assert_eq!(messages(impure).len(), 1, "{impure}");
    }
}

#[test]
fn trust_has_to_be_spelled_out() {
    let impure = lamp(quote!(
        static LIMIT: u8 = 3;
    ));
    assert_eq!(lower(TokenStream::new(), impure.clone()).1.len(), 1);
    assert_eq!(lower(quote!(trust(impure)), impure).1, [""; 0]);
}

#[test]
fn instances_are_all_combinations_of_values() {
    let more = quote! {
        #[param(2..=4)]
        const N: usize = 3;
        #[param]
        const FAST: bool = true;
    };
    let (model, messages) = lower(TokenStream::new(), lamp(more));
    assert_eq!(messages, [""; 0]);
    let model = model.unwrap();
    assert_eq!(model.params[0].values.len() * model.params[1].values.len(), 6);
    assert_eq!((model.params[0].default, model.params[1].default), (1, 1));
    let copies = copies(expanded(&model));
    assert_eq!(copies.ident, "lamp");
    assert_eq!(n_of("struct __asset_Instance", &copies.expr), 5);
}

/// The constant with the copies in an expansion of a model with several instances, which
/// is a hidden module and an import of the model from it.
fn copies(expansion: TokenStream) -> syn::ItemConst {
    let items = items_of(expansion);
    let [Item::Mod(_), Item::Const(copies)] = &*items else { panic!("a module and copies") };
    copies.clone()
}

/// How often these words stand in the expansion.
fn n_of(words: &str, expansion: impl ToTokens) -> usize {
    expansion.to_token_stream().to_string().matches(words).count()
}

#[test]
fn an_expansion_defines_what_it_promises() {
    let (model, _) = lower(quote!(crate = "crate::engine"), lamp(TokenStream::new()));
    let expansion = expanded(&model.unwrap());
    assert!(!expansion.to_string().contains("asset_core"));
    let items = items_of(expansion);
    for name in ["State", "Transition", "fire_transition", "model", "BITS_PER_STATE"] {
        assert!(defines(&items, name), "{name}");
    }
}

#[test]
fn a_module_with_mistakes_still_defines_its_names() {
    let mut errors = Errors::default();
    let more = quote! {
        #[derive(StateVar)]
        enum Colour { Red, Green = 7 }
        #[init]
        fn start() -> u8 { undefined() }
    };
    let module = parse::module(TokenStream::new(), lamp(more), &mut errors).unwrap();
    validate::module(&module, None, &mut errors);
    assert_eq!(errors.messages().len(), 2);
    let expansion = fallback::module(errors, &module);
    let text = expansion.to_string();
    assert_eq!(text.matches("compile_error").count(), 2);
    assert!(!text.contains("undefined"), "bodies could only repeat mistakes");
    let items = items_of(expansion);
    for name in ["State", "Transition", "fire_transition", "model", "Colour", "start"] {
        assert!(defines(&items, name), "{name}");
    }
}

/// Parses tokens in which something is not as it should be.
fn broken(module: &str) -> Vec<Item> {
    let tokens: TokenStream = module.parse().expect("balanced tokens");
    let expansion = crate::model_tokens(TokenStream::new(), tokens, None);
    assert!(!expansion.to_string().contains("compile_error"), "the compiler has said it");
    items_of(expansion)
}

#[test]
fn syntax_errors_are_read_around() {
    let parts = [
        "#[param(2..=5)] pub const N: usize = 3;",
        "#[derive(StateVar)] pub enum Colour { Red, Green }",
        "#[state] pub struct State { #[range(0..N)] n: [u8; N], c: Colour }",
        "#[transitions] pub enum Transition { Step(#[range(0..N)] usize) }",
        "pub fn fire_transition(s: &mut State, t: Transition) -> bool { true }",
        "#[check(state)] fn fine(s: &State) -> bool { matches!(s.c, Colour::Red) }",
    ];
    let mistakes = [
        (0, "#[param(2..=5)] pub const N: usize = 3"),
        (0, "#![allow(dead_code)] #[param(2..=5)] pub const N: usize = ;"),
        (0, "#[param(2..=5)] pub const N: usize;"),
        (1, "#[derive(StateVar)] pub enum Colour { Red Green }"),
        (2, "#[state] pub struct State { #[range(0..N)] n: [u8; N], c: }"),
        (2, "#[state] pub struct State { #[range(0..N)] n [u8; N] }"),
        (3, "#[transitions] pub enum Transition { Step(0..N) }"),
        (4, "pub fn fire_transition(s: &mut State, t: Transition) -> bool { s. }"),
        (4, "pub fn fire_transition(s: &mut State, t: Transition) -> bool { let a = 1 let b }"),
        (5, "#[check(state)] fn fine(s: &State) -> bool { s.n[0] = }"),
        (5, "impl State { fn f(&self) { self. } } fn fine() {}"),
        (5, "const fn f() -> u8 { 1 + } fn fine() {}"),
        (5, "use std::{fmt, cmp} fn fine() {}"),
    ];
    let names = ["N", "Colour", "State", "Transition", "fire_transition", "fine", "model"];
    for (at, mistake) in mistakes {
        let mut parts = parts;
        parts[at] = mistake;
        let items = broken(&format!("pub mod lamp {{ {} }}", parts.join("\n")));
        // A constant without a value is left to the compiler as it stands.
        for name in names.iter().filter(|name| !(**name == "N" && mistake.ends_with("usize;"))) {
            assert!(defines(&items, name), "{name} after {mistake}");
        }
    }
}

#[test]
fn names_that_lead_somewhere_are_left_alone() {
    let fine = [
        quote!(
            fn f() -> usize {
                other::Transition::Hold as usize
            }
        ),
        quote!(impl Transition { const FIRST: u8 = 0; #[allow(non_upper_case_globals)] const First: u8 = 0; } fn f() -> u8 { Transition::First + Transition::FIRST }),
        quote!(
            #[derive(StateVar)]
            struct Pair {
                #[range(0..size_of::<u8>())]
                a: u8,
                b: [u8; max(N, 2)],
            }
            const r#N: usize = 3;
        ),
        quote!(
            use super::{LIMIT, MOST as LEAST};
            #[derive(StateVar)]
            struct Pair {
                #[range(LEAST..LIMIT)]
                a: u8,
            }
        ),
        quote!(
            #[cfg(test)]
            mod tests {
                fn f() {
                    Transition::Hold;
                }
            }
        ),
    ];
    for more in fine {
        assert_eq!(messages(more.clone()), [""; 0], "{more}");
    }
    for more in [
        quote!(
            fn f() -> bool {
                matches!(t, Transition::Hold)
            }
        ),
        quote!(
            #[derive(StateVar)]
            struct Pair {
                #[range(0..=MOST)]
                a: u8,
            }
        ),
        quote!(
            #[derive(StateVar)]
            struct Pair {
                a: [[bool; 2]; N + 1],
            }
        ),
    ] {
        assert_eq!(messages(more.clone()).len(), 1, "{more}");
    }
}

#[test]
fn lists_are_compared_with_lengths_that_vary() {
    let of = |body: TokenStream| {
        let tokens = quote! {
            mod lamp {
                #[param(2..=3)]
                const N: usize = 3;
                const TWO: usize = 2;
                #[state]
                struct State { on: [bool; N], two: [bool; TWO], n: u8 }
                #[transitions]
                enum Transition { Press }
                fn fire_transition(s: &mut State, t: Transition) -> bool { #body }
                #[cfg(test)]
                fn in_a_test(s: &mut State) { s.on = [true; 3]; }
            }
        };
        lower(TokenStream::new(), tokens).1.len()
    };
    assert_eq!(of(quote!(s.on = [true; N]; s.two = [true, false]; true)), 0);
    assert_eq!(of(quote!(let s = other(); s.on = [true; 3]; true)), 0);
    assert_eq!(of(quote!(other.on = [true; 3]; true)), 0);
    assert_eq!(of(quote!(s.on = [true; 3]; true)), 1);
    assert_eq!(of(quote!(s.on != [true, false])), 1);
    assert_eq!(of(quote!(*s = State { on: [true; 2], two: [true; 3], n: 0 }; true)), 1);
}

#[test]
fn a_match_without_an_answer_is_told_from_one_with() {
    let of = |body: TokenStream| {
        let tokens = quote! {
            mod lamp {
                #[state]
                struct State { on: bool }
                #[transitions]
                enum Transition { Press, Hold }
                fn fire_transition(s: &mut State, t: Transition) -> bool { #body }
            }
        };
        lower(TokenStream::new(), tokens).1.len()
    };
    assert_eq!(
        of(quote!(match t {
            Transition::Press => s.on = true,
            _ => return false,
        })),
        1
    );
    assert_eq!(
        of(quote!(match t {
            _ => {
                if s.on {
                    return false;
                }
                s.on = true;
            }
        })),
        1
    );
    assert_eq!(
        of(quote!(match t {
            _ =>
                if s.on {
                    s.on = false
                } else {
                    s.on = true
                },
        })),
        1
    );
    assert_eq!(of(quote!(match t { _ => s.on = true } true)), 0);
    assert_eq!(
        of(quote!(match t {
            Transition::Press => press(s),
            _ => return false,
        })),
        0
    );
    assert_eq!(
        of(quote!(match t {
            _ => {
                s.on = true;
                true
            }
        })),
        0
    );
    assert_eq!(
        of(quote!(match t {
            _ => {
                return false;
            }
        })),
        0
    );
    assert_eq!(
        of(quote!(match t {
            _ => {
                panic!();
            }
        })),
        0
    );
}

#[test]
fn missing_parts_are_stubbed() {
    let mut errors = Errors::default();
    let module = quote!(
        mod lamp {
            fn f(s: &State, t: Transition) {}
        }
    );
    let module = parse::module(TokenStream::new(), module, &mut errors).unwrap();
    assert!(validate::module(&module, None, &mut errors).is_none());
    let items = items_of(fallback::module(errors, &module));
    assert!(defines(&items, "State") && defines(&items, "Transition"));
}

#[test]
fn a_type_that_nobody_defines_is_left_to_the_compiler() {
    let unknown = quote!(
        #[derive(StateVar)]
        struct Pair {
            a: Colour,
        }
    );
    let (model, messages) = lower(TokenStream::new(), lamp(unknown.clone()));
    assert!(model.is_none() && messages.is_empty());
    let (model, messages) = lower(TokenStream::new(), lamp(quote!(use super::*; #unknown)));
    assert!(model.is_some() && messages.is_empty());
}

#[test]
fn a_derived_type_needs_its_representation() {
    let derived = |item: TokenStream| {
        let mut errors = Errors::default();
        validate::derived(&parse2(item).unwrap(), &mut errors);
        errors.messages()
    };
    assert_eq!(
        derived(quote!(
            #[repr(u8)]
            enum Colour {
                Red,
            }
        )),
        [""; 0]
    );
    assert_eq!(
        derived(quote!(
            enum Slot {
                Free,
                Taken(bool),
            }
        )),
        [""; 0]
    );
    assert_eq!(
        derived(quote!(
            enum Colour {
                Red,
            }
        ))
        .len(),
        1
    );
    assert_eq!(
        derived(quote!(
            #[repr(transparent)]
            struct Pair {
                a: u8,
            }
        ))
        .len(),
        1
    );
}

#[test]
fn where_the_author_vouches_nothing_is_relied_on() {
    let expansion = |args: TokenStream| {
        let check = quote! {
            #[check(state)]
            fn is_on(s: &State) -> bool { s.on }
        };
        crate::model_tokens(args, lamp(check), None).to_string()
    };
    for name in ["fn touches", "fn looks_at"] {
        assert!(expansion(TokenStream::new()).contains(name));
        assert!(!expansion(quote!(trust(impure))).contains(name));
    }
}

/// The instances that are built of a model with 6 * 2 * 900 of them.
fn built(args: TokenStream, named: Option<&str>) -> Result<Vec<Vec<usize>>, Vec<String>> {
    let more = quote! {
        #[derive(StateVar)]
        enum Way { Left, BothWays }
        #[param(2..8)]
        const N: usize = 3;
        #[param]
        const WAY: Way = Way::Left;
        #[param(100..1000)]
        const MAX_SENT: u16 = 100;
    };
    let mut errors = Errors::default();
    let module = parse::module(args, lamp(more), &mut errors).expect("a module");
    let model = validate::module(&module, named, &mut errors);
    let messages = errors.messages();
    if messages.is_empty() { Ok(model.unwrap().instances.built) } else { Err(messages) }
}

#[test]
fn of_many_instances_those_are_built_that_are_named() {
    let default = vec![1, 0, 0];
    let none = TokenStream::new;
    assert_eq!(built(none(), None), Ok(vec![default.clone()]));
    assert_eq!(built(quote!(instances(n = 3)), None), Ok(vec![default.clone()]));
    let way = quote!(instances(n = 2), instances(way = Way::BothWays, max_sent = 999));
    let three = vec![vec![0, 0, 0], default.clone(), vec![1, 1, 899]];
    assert_eq!(built(way, None), Ok(three.clone()));
    assert_eq!(built(none(), Some("n=2; lamp: way = both-ways,max-sent=999")), Ok(three));
    assert_eq!(built(none(), Some("door: n=2, k=7;")), Ok(vec![default]));
    assert_eq!(built(none(), Some("all")).map(|all| all.len()), Ok(6 * 2 * 900));
}

#[test]
fn what_names_no_instance_is_refused() {
    for (args, named, start) in [
        (quote!(instances(k = 3)), "", "this model has no parameter `k`: it has `n`, `way`"),
        (quote!(instances(n = 9)), "", "`n` cannot be that: its values are 2, 3, 4, 5, 6, 7"),
        (quote!(instances(n = 2, n = 3)), "", "`n` has two values"),
        (quote!(instances(n)), "", "name an instance by the values"),
        (quote!(instances = 3), "", "name an instance by the values"),
        (quote!(), "n=2,k=3", "in ASSET_INSTANCES, this model has no parameter `k`"),
        (quote!(), "lamp: way=up", "in ASSET_INSTANCES, `way` cannot be that: its values are left"),
        (quote!(), "n=2,3", "in ASSET_INSTANCES, `3` is no `name=value`"),
        (
            quote!(),
            "max-sent=7",
            "in ASSET_INSTANCES, `max-sent` cannot be that: its values are 100",
        ),
    ] {
        let messages = built(args, Some(named)).expect_err(start);
        assert!(messages.len() == 1 && messages[0].starts_with(start), "{messages:?}");
    }
}

#[test]
fn an_expansion_does_not_grow_with_the_product_of_the_lists() {
    let text = |last: u16| {
        let more = quote! {
            #[param(0..100)]
            const N: u16 = 3;
            #[param(0..100)]
            const M: u16 = 3;
            #[param(0..#last)]
            const K: u16 = 0;
        };
        expanded(&lower(TokenStream::new(), lamp(more)).0.unwrap()).to_string()
    };
    let (one, many) = (text(1), text(100));
    assert!(one.contains("ASSET_INSTANCES") && !many.contains("struct __asset_Instance ; struct"));
    assert!(many.len() < one.len() + 4_000, "{} and {}", one.len(), many.len());
}
