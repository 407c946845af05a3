//! Formulas from tokens: what binds how, and what is wrong.

use crate::ast::{Asked, Formula, Quantifier};
use crate::parse;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

#[test]
fn formulas_bind_as_on_the_command_line() {
    fn show(formula: &Formula<Asked>) -> String {
        match formula {
            Formula::Constant(value) => value.to_string(),
            Formula::Ask(asked) => {
                let arguments = asked.arguments.iter().map(|a| a.to_token_stream().to_string());
                let arguments: Vec<String> = arguments.collect();
                format!("{}{}", asked.name, arguments.concat())
            }
            Formula::One(operator, inner) => format!("{operator:?}({})", show(inner)),
            Formula::Two(operator, parts) => {
                format!("{operator:?}({}, {})", show(&parts[0]), show(&parts[1]))
            }
            Formula::Each { quantifier, variable, body, .. } => {
                let name = if *quantifier == Quantifier::All { "All" } else { "Any" };
                format!("{name} {variable}({})", show(body))
            }
        }
    }
    let read = |tokens: TokenStream| {
        parse::formula::formula(tokens, &quote!(ltl!()))
            .map(|f| show(&f))
            .map_err(|e| e.to_string())
    };
    let check = |tokens: TokenStream, expected: &str| assert_eq!(read(tokens).unwrap(), expected);
    check(quote!(G (p -> F q)), "Globally(Implies(p, Finally(q)))");
    check(quote!([]<>p && q), "And(Globally(Finally(p)), q)");
    check(quote!(p U q U p), "Until(p, Until(q, p))");
    check(quote!(p W q R p), "WeakUntil(p, Release(q, p))");
    check(
        quote!(!p U q || p && q -> p <-> q),
        "Iff(Implies(Or(Until(Not(p), q), And(p, q)), p), q)",
    );
    check(quote!(p -> q -> p), "Implies(p, Implies(q, p))");
    check(quote!(p <-> q <-> p), "Iff(Iff(p, q), p)");
    check(quote!(<>p -> p), "Implies(Finally(p), p)");
    check(quote!(p && forall i in 0..N: q(i) || p), "And(p, All i(Or(qi, p)))");
    check(quote!(G exists i in m::A..=m::B: !q(i)), "Globally(Any i(Not(qi)))");
    check(quote!(X X true U false), "Until(Next(Next(true)), false)");
    for (tokens, part) in [
        (quote!(p q), "operator is missing"),
        (quote!(p && ), "ends where something"),
        (quote!(G), "ends where something"),
        (quote!(-> p), "a proposition should stand here"),
        (quote!(p => q), "`=>` is no operator: write `->`"),
        (quote!(p until q), "`until` is no operator: write `U`"),
        (quote!(not p), "`not` is no operator: write `!`"),
        (quote!([0] p), "a proposition should stand here"),
        (quote!(forall i in 3: p), "write `forall i in 0..N: …`"),
        (quote!(forall in 0..3: p), "write `forall i in 0..N: …`"),
        (quote!(q(let)), "the arguments of a proposition are values"),
        (quote!(()), "a formula is missing here"),
    ] {
        let said = read(tokens.clone()).unwrap_err();
        assert!(said.contains(part), "{tokens}: {said}");
    }
}
