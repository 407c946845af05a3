//! The same model without the macro: its text in plain Rust, with states as bytes.

use super::model::{Kind, Model, Variable};

/// The model's module in plain Rust, for one instance, with `pub fn plain() -> Plain`.
pub fn text(model: &Model, (n, flag): (usize, bool)) -> String {
    let mut text = String::from("use crate::naive::*;\n");
    for line in model.text().lines() {
        let plain = match line {
            "#[derive(StateVar)]" | "#[state]" | "#[transitions]" => {
                "#[derive(Clone, Copy, PartialEq, Eq, Debug)]"
            }
            // Rules are for the engine alone.
            "#[stubborn]" => break,
            _ if line.starts_with("#[") => continue,
            _ if line.starts_with("pub const N:") => &format!("pub const N: usize = {n};"),
            _ if line.starts_with("pub const FLAG:") => &format!("pub const FLAG: bool = {flag};"),
            _ => line,
        };
        text += plain;
        text.push('\n');
    }
    text + &glue(model, n)
}

/// How states become bytes and transitions numbers.
fn glue(model: &Model, n: usize) -> String {
    let mut transitions = Vec::new();
    for variant in &model.variants {
        let processes: Vec<Option<usize>> =
            if variant.has_process { (0..n).map(Some).collect() } else { vec![None] };
        let ats: Vec<Option<usize>> =
            if variant.has_at { (0..model.n_at).map(Some).collect() } else { vec![None] };
        for i in &processes {
            for at in &ats {
                let process = i.map(|i| i.to_string());
                let fields: Vec<String> =
                    process.into_iter().chain(at.map(|a| format!("At::A{a}"))).collect();
                let fields = match fields.is_empty() {
                    true => String::new(),
                    false => format!("({})", fields.join(", ")),
                };
                transitions.push(format!("Transition::{}{fields}", variant.name));
            }
        }
    }
    let names: Vec<String> = transitions
        .iter()
        .map(|t| format!("{:?}", t.replace("Transition::", "").replace("At::", "")))
        .collect();
    let each = |what: fn(&Variable, &str) -> String| -> String {
        let line = |v: &Variable| match v.is_array {
            true => format!("for x in 0..N {{ {} }}", what(v, &format!("s.{}[x]", v.name))),
            false => what(v, &format!("s.{}", v.name)),
        };
        model.variables.iter().map(line).collect()
    };
    let encode = each(|v, place| match v.kind {
        Kind::Bool | Kind::At | Kind::Number(_) => format!("b.push({place} as u8);"),
        Kind::Message => format!(
            "match {place} {{ Message::Nothing => b.push(0), Message::Number(k) => {{ b.push(1); b.push(k) }} Message::Both {{ on, at }} => {{ b.push(2); b.push(on as u8 * 16 + at as u8) }} }}"
        ),
        Kind::Pair => format!("b.push({place}.n); b.push({place}.on as u8);"),
    });
    let decode = each(|v, place| match v.kind {
        Kind::Bool => format!("{place} = b.next() == 1;"),
        Kind::At => format!("{place} = AT[b.next() as usize];"),
        Kind::Number(_) => format!("{place} = b.next();"),
        Kind::Message => format!(
            "{place} = match b.next() {{ 0 => Message::Nothing, 1 => Message::Number(b.next()), _ => {{ let k = b.next(); Message::Both {{ on: k >= 16, at: AT[(k % 16) as usize] }} }} }};"
        ),
        Kind::Pair => format!("{place} = Pair {{ n: b.next(), on: b.next() == 1 }};"),
    });
    let fits = each(|v, place| match v.kind {
        Kind::Number(max) => format!("if {place} > {max} {{ return false; }}"),
        Kind::Message => {
            format!("if let Message::Number(k) = {place} {{ if k > 2 {{ return false; }} }}")
        }
        Kind::Pair => format!("if {place}.n > 2 {{ return false; }}"),
        Kind::Bool | Kind::At => String::new(),
    });
    let zero: Vec<String> = model
        .variables
        .iter()
        .map(|v| {
            let zero = match v.kind {
                Kind::Bool => "false",
                Kind::At => "At::A0",
                Kind::Number(_) => "0",
                Kind::Message => "Message::Nothing",
                Kind::Pair => "Pair { n: 0, on: false }",
            };
            let value = if v.is_array { format!("[{zero}; N]") } else { zero.to_owned() };
            format!("{}: {value}", v.name)
        })
        .collect();
    let inits: String = match model.n_init {
        0 => "all.push(encode(&zero()));".to_owned(),
        n => (0..n)
            .map(|k| format!("let mut s = zero(); init_{k}(&mut s); all.push(encode(&s));"))
            .collect(),
    };
    let conditions: String = model
        .conditions
        .iter()
        .map(|c| {
            let holds = if c.name == "c1" { ".is_ok()" } else { "" };
            format!("({:?}, {:?}, |b| {}(&decode(b)){holds}),", c.mark, c.name, c.name)
        })
        .collect();
    let labels = match model.has_labels {
        true => "Some(|t| labels(TRANSITIONS[t]))",
        false => "None",
    };
    let ats: Vec<String> = (0..model.n_at).map(|a| format!("At::A{a}")).collect();
    format!(
        "const AT: &[At] = &[{ats}];
const TRANSITIONS: &[Transition] = &[{transitions}];
fn zero() -> State {{ State {{ {zero} }} }}
fn encode(s: &State) -> Vec<u8> {{ let mut b = Vec::new(); {encode} b }}
fn decode(b: &[u8]) -> State {{ let mut b = Bytes(b, 0); let mut s = zero(); {decode} s }}
fn fits(s: &State) -> bool {{ {fits} true }}
fn initial() -> Vec<Vec<u8>> {{ let mut all = Vec::new(); {inits} all }}
fn fire(b: &[u8], t: usize) -> Fired {{
    let mut s = decode(b);
    if !fire_transition(&mut s, TRANSITIONS[t]) {{
        return if encode(&s) == b {{ Fired::Disabled }} else {{ Fired::DisabledButChanged }};
    }}
    if fits(&s) {{ Fired::To(encode(&s)) }} else {{ Fired::OutOfRange }}
}}
pub fn plain() -> Plain {{
    Plain {{ names: &[{names}], initial, fire, fits: |b| fits(&decode(b)), conditions: &[{conditions}], labels: {labels} }}
}}
",
        ats = ats.join(", "),
        transitions = transitions.join(", "),
        zero = zero.join(", "),
        names = names.join(", "),
    )
}
