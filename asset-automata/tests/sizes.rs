//! How large the automata of formulas from the literature are, beside those of Spot.

use asset_automata::{Ltl, parse, translate};

const TABLE: &str = include_str!("literature.csv");

struct Row {
    set: String,
    number: usize,
    /// States of Spot's automaton, of the formula and of its negation.
    theirs: [Option<usize>; 2],
    formula: Ltl,
}

fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(';').collect();
        let [set, number, positive, negative, formula] = fields[..] else {
            panic!("five fields: {line}")
        };
        let atom = |name: &str, _: &[i64]| {
            "pqrstuvz".find(name).ok_or_else(|| format!("no proposition {name}"))
        };
        Row {
            set: set.to_owned(),
            number: number.parse().unwrap(),
            theirs: [positive.parse().ok(), negative.parse().ok()],
            formula: parse(formula, atom).unwrap(),
        }
    };
    TABLE.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn size(formula: &Ltl) -> usize {
    translate(formula).unwrap().n_states()
}

/// Sums of states: a change that makes one larger has to say so here. Spot's sums, for the
/// rows that its table has, stand beside them.
#[test]
fn sums_beside_those_of_spot() {
    let mut found = Vec::new();
    for set in ["dwyer", "eh", "sb"] {
        let (mut ours, mut theirs) = ([0, 0], [0, 0]);
        let mut is_smaller = 0;
        for row in rows().iter().filter(|row| row.set == set) {
            let formulas = [row.formula.clone(), Ltl::not(row.formula.clone())];
            for (i, formula) in formulas.iter().enumerate() {
                let Some(spot) = row.theirs[i] else { continue };
                let n = size(formula);
                println!("{set:>6} {:>2} {} {n:>3} {spot:>3}", row.number, ["", "not"][i]);
                ours[i] += n;
                theirs[i] += spot;
                is_smaller += usize::from(n < spot);
            }
        }
        println!("{set}: {ours:?}, Spot {theirs:?}; {is_smaller} smaller");
        found.push((set, ours, theirs));
    }
    // What is searched is the negation of what is asked: the second column.
    assert_eq!(
        found,
        [("dwyer", [267, 218], [206, 218]), ("eh", [39, 47], [34, 47]), ("sb", [80, 48], [71, 45]),]
    );
}

/// What users write most has one to four states, and so has its negation.
#[test]
fn usual_formulas_are_small() {
    let atom = |name: &str, _: &[i64]| "pqr".find(name).ok_or_else(|| name.to_owned());
    for (text, ours, negated) in [
        ("G (p -> F q)", 2, 2),
        ("G F p", 1, 2),
        ("F G p", 2, 1),
        ("G F p -> G F q", 4, 2),
        ("p U q", 2, 2),
        ("G (p -> (q U r))", 2, 3),
        ("F p", 2, 1),
        ("G p", 1, 2),
        ("G (p -> X q)", 2, 3),
    ] {
        let formula = parse(text, atom).unwrap();
        assert_eq!((size(&formula), size(&Ltl::not(formula))), (ours, negated), "{text}");
    }
}
