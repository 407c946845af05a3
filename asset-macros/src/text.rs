//! Words: names for the command line, documentation texts, nearest names.

use syn::ext::IdentExt;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Member, Meta};

/// A name as it is shown: `r#type` is `type`.
pub fn shown(name: &Ident) -> String {
    name.unraw().to_string()
}

/// A field's name or position as it is shown.
pub fn shown_member(member: &Member) -> String {
    match member {
        Member::Named(name) => shown(name),
        Member::Unnamed(position) => position.index.to_string(),
    }
}

/// A field's name as it is shown, or nothing if it has only a position.
pub fn shown_name(member: &Member) -> String {
    match member {
        Member::Named(name) => shown(name),
        Member::Unnamed(_) => String::new(),
    }
}

/// The author's documentation without the comment marks.
pub fn doc(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> =
        lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

/// The first paragraph of a documentation text, on one line.
pub fn first_paragraph(doc: &str) -> String {
    let lines: Vec<&str> =
        doc.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    lines.join(" ")
}

/// A constant's name on the command line: `MAX_SENT` becomes `max-sent`.
pub fn option_name(constant: &str) -> String {
    constant.to_lowercase().replace('_', "-")
}

/// A variant's name on the command line: `MutexViolating` becomes
/// `mutex-violating`.
pub fn kebab_case(variant: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for c in variant.chars() {
        if c.is_uppercase() && after_lower {
            name.push('-');
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
        name.extend(c.to_lowercase());
    }
    name.replace('_', "-")
}

/// The known word that `word` was probably meant to be.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (distance, found) = known.iter().map(|known| (edit_distance(word, known), *known)).min()?;
    (distance <= 1 + word.len() / 4).then_some(found)
}

/// Whether `word` is `known`, in whatever case and with at most one wrong letter.
pub fn is_nearly(word: &str, known: &str) -> bool {
    edit_distance(&word.to_lowercase(), &known.to_lowercase()) <= 1
}

/// Number of letters to insert, remove, replace or swap to get from `a` to `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn names_for_the_command_line() {
        assert_eq!(option_name("MAX_SENT"), "max-sent");
        assert_eq!(kebab_case("MutexViolating"), "mutex-violating");
        assert_eq!(kebab_case("Correct"), "correct");
        assert_eq!(kebab_case("TCP"), "tcp");
        assert_eq!(kebab_case("Level2Cache"), "level2-cache");
    }

    #[test]
    fn documentation_loses_its_marks() {
        let attrs: Vec<Attribute> = vec![
            parse_quote!(#[doc = " One"]),
            parse_quote!(#[inline]),
            parse_quote!(#[doc = " two."]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " Three."]),
        ];
        assert_eq!(doc(&attrs), "One\ntwo.\n\nThree.");
        assert_eq!(first_paragraph(&doc(&attrs)), "One two.");
        assert_eq!(doc(&[]), "");
    }

    #[test]
    fn case_is_no_difference() {
        for nearly in ["StateVar", "Statevar", "StateVars", "STATEVAR", "State_Var"] {
            assert!(is_nearly(nearly, "StateVar"), "{nearly}");
        }
        assert!(!is_nearly("State", "StateVar") && !is_nearly("Serialize", "StateVar"));
    }

    #[test]
    fn the_nearest_word_is_near() {
        let known = ["state", "stubborn", "transitions"];
        assert_eq!(nearest("stat", &known), Some("state"));
        assert_eq!(nearest("stuborn", &known), Some("stubborn"));
        assert_eq!(nearest("transition", &known), Some("transitions"));
        assert_eq!(nearest("tsate", &known), Some("state"));
        assert_eq!(nearest("serde", &known), None);
    }
}
