//! Automata against the definition: every small formula, and random larger ones, on every
//! word up to a size.

use asset_automata::{Ltl, Word, parse, translate};

/// All words of so many places over two atoms.
fn words(max: usize) -> Vec<Word> {
    let mut words = Vec::new();
    for n in 1..=max {
        for code in 0..4u64.pow(n as u32) {
            let letters: Vec<u64> = (0..n).map(|i| code >> (2 * i) & 3).collect();
            for start in 0..n {
                words.push(Word::new(letters[..start].to_vec(), letters[start..].to_vec()));
            }
        }
    }
    words
}

const UNARY: [fn(Ltl) -> Ltl; 4] = [Ltl::not, Ltl::next, Ltl::finally, Ltl::globally];
const BINARY: [fn(Ltl, Ltl) -> Ltl; 7] =
    [Ltl::and, Ltl::or, Ltl::implies, Ltl::iff, Ltl::until, Ltl::weak_until, Ltl::release];

/// All formulas of exactly 0, 1, …, `max` operators over two atoms.
fn all(max: usize) -> Vec<Vec<Ltl>> {
    let mut by_size = vec![vec![Ltl::Atom(0), Ltl::Atom(1)]];
    for n in 1..=max {
        let mut formulas: Vec<Ltl> = Vec::new();
        for operator in UNARY {
            formulas.extend(by_size[n - 1].iter().cloned().map(operator));
        }
        for operator in BINARY {
            for left in 0..n {
                for a in &by_size[left] {
                    for b in &by_size[n - 1 - left] {
                        formulas.push(operator(a.clone(), b.clone()));
                    }
                }
            }
        }
        by_size.push(formulas);
    }
    by_size
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n as u64) as usize
    }

    /// A formula of exactly so many operators.
    fn formula(&mut self, n_operators: usize, n_atoms: usize) -> Ltl {
        if n_operators == 0 {
            return Ltl::Atom(self.below(n_atoms));
        }
        let which = self.below(UNARY.len() + BINARY.len());
        match UNARY.get(which) {
            Some(operator) => operator(self.formula(n_operators - 1, n_atoms)),
            None => {
                let left = self.below(n_operators);
                let a = self.formula(left, n_atoms);
                let b = self.formula(n_operators - 1 - left, n_atoms);
                BINARY[which - UNARY.len()](a, b)
            }
        }
    }
}

/// Compares the automaton of a formula, and the one with a single acceptance set, with the
/// definition.
fn agrees(formula: &Ltl, words: &[Word]) {
    let automaton = translate(formula).unwrap();
    let plain = automaton.degeneralised();
    assert_eq!(plain.n_sets, 1);
    for word in words {
        let holds = word.satisfies(formula);
        let show = || format!("{formula} on {word:?}\n{}", automaton.show(&|n| format!("p{n}")));
        assert_eq!(automaton.accepts(word), holds, "{}", show());
        if automaton.n_sets != 1 {
            assert_eq!(plain.accepts(word), holds, "degeneralised: {}", show());
        }
    }
}

/// Number of random formulas: so many, or as many as `ASSET_FORMULAS` says.
fn n_formulas(usual: usize) -> usize {
    match std::env::var("ASSET_FORMULAS") {
        Ok(n) => n.parse().expect("ASSET_FORMULAS is a number"),
        Err(_) => usual,
    }
}

/// With `ASSET_FORMULAS` also those of three operators.
#[test]
fn every_formula_of_up_to_two_operators() {
    let words = words(3);
    let is_long = std::env::var("ASSET_FORMULAS").is_ok();
    let all = all(if is_long { 3 } else { 2 });
    assert_eq!(all.iter().map(Vec::len).take(3).collect::<Vec<_>>(), [2, 36, 1152]);
    assert!(!is_long || all[3].len() == 45_936);
    all.iter().flatten().for_each(|formula| agrees(formula, &words));
}

#[test]
fn random_formulas_of_three_to_five_operators() {
    let words = words(3);
    let random = &mut Random(23);
    for n in 0..n_formulas(6_000) {
        agrees(&random.formula(3 + n % 3, 2), &words);
    }
}

#[test]
fn random_formulas_on_longer_words() {
    // All of up to five places: 6,372 words.
    let words = words(5);
    let random = &mut Random(5);
    for n in 0..n_formulas(6_000) / 20 {
        agrees(&random.formula(3 + n % 4, 2), &words);
    }
}

#[test]
fn a_formula_is_read_as_it_is_shown() {
    let random = &mut Random(7);
    for n in 0..2_000 {
        let formula = random.formula(n % 8, 3);
        let atom = |name: &str, _: &[i64]| name[1..].parse().map_err(|_| name.to_owned());
        assert_eq!(parse(&formula.to_string(), atom), Ok(formula));
    }
}

#[test]
fn a_formula_that_is_too_large_is_refused() {
    let many = Ltl::any((0..40).map(|i| Ltl::globally(Ltl::finally(Ltl::Atom(i)))));
    assert!(translate(&many).unwrap_err().to_string().contains("more than 32 acceptance sets"));
    let many = Ltl::all((0..14).map(|i| Ltl::finally(Ltl::Atom(i))));
    assert!(translate(&many).unwrap_err().to_string().contains("more than"));
    let far = Ltl::finally(Ltl::Atom(64));
    assert!(translate(&far).unwrap_err().to_string().contains("65 propositions"));
}
