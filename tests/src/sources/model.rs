//! A random model: its variables, parameters and functions, and their text.

use super::code::{Touches, Writer};
use crate::random::Random;
use std::fmt::Write;

/// How many combinations of values the variables of a model have at the most.
const MAX_COMBINATIONS: usize = 4000;

/// What a variable, or each element of an array, holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    /// One of the model's enum without data.
    At,
    /// A `u8` from 0 to this.
    Number(u8),
    /// One of an enum with data.
    Message,
    /// A struct of a number up to two and a `bool`.
    Pair,
}

impl Kind {
    fn n_values(self, n_at: usize) -> usize {
        match self {
            Kind::Bool => 2,
            Kind::At => n_at,
            Kind::Number(max) => usize::from(max) + 1,
            Kind::Message => 1 + 3 + 2 * n_at,
            Kind::Pair => 6,
        }
    }

    /// The type in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::At => "At",
            Kind::Number(_) => "u8",
            Kind::Message => "Message",
            Kind::Pair => "Pair",
        }
    }
}

/// A variable of the state.
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Whether it is an array with an element for each process.
    pub is_array: bool,
}

/// Two functions of the model that others call: `asks_K` and `does_K`.
#[derive(Default)]
pub struct Helper {
    pub asks_reads: Touches,
    pub does_reads: Touches,
    pub does_writes: Touches,
}

/// A variant of the model's transitions.
pub struct Variant {
    pub name: String,
    /// Whether it has a process as its parameter.
    pub has_process: bool,
    /// Whether it has a further parameter, of the enum without data.
    pub has_at: bool,
    reads: Touches,
    writes: Touches,
}

/// A check or progress condition of a state.
pub struct Condition {
    /// The attribute.
    pub mark: &'static str,
    pub name: String,
    touches: Touches,
}

/// A random model.
pub(super) struct Model {
    pub variables: Vec<Variable>,
    pub n_at: usize,
    pub helpers: Vec<Helper>,
    pub variants: Vec<Variant>,
    pub conditions: Vec<Condition>,
    /// The values of `N` and of `FLAG` for each instance, the default first.
    pub instances: Vec<(usize, bool)>,
    pub n_init: usize,
    /// Whether transitions are labelled as progress.
    pub has_labels: bool,
    /// Whether processes mostly mind their own business, so that rules leave something out.
    pub is_local: bool,
    /// How often in a hundred a number is perhaps assigned a value outside of its range.
    pub percent_wild: usize,
    /// The functions, in the order in which they stand in the module.
    functions: Vec<String>,
    limit: usize,
}

impl Model {
    /// The model of a seed.
    pub fn random(random: &mut Random) -> Model {
        let mut model = Model {
            variables: Vec::new(),
            n_at: 2 + random.below(3),
            helpers: Vec::new(),
            variants: Vec::new(),
            conditions: Vec::new(),
            instances: instances(random),
            n_init: [0, 0, 1, 2][random.below(4)],
            has_labels: random.percent(50),
            is_local: random.percent(60),
            percent_wild: if random.percent(15) { 40 } else { 0 },
            functions: Vec::new(),
            limit: 1 + random.below(5),
        };
        model.add_variables(random);
        for _ in 0..random.below(4) {
            model.add_helper(random);
        }
        model.add_inits(random);
        model.add_fire(random);
        model.add_conditions(random);
        model.add_labels(random);
        model.add_rules();
        model
    }

    fn add_variables(&mut self, random: &mut Random) {
        let most = self.instances.iter().map(|instance| instance.0).max().expect("an instance");
        let mut n_combinations = 1;
        for v in 0..3 + random.below(5) {
            let kind = match random.below(9) {
                0 | 1 => Kind::Bool,
                2..5 => Kind::At,
                5 | 6 => Kind::Number(1 + random.below(4) as u8),
                7 => Kind::Message,
                _ => Kind::Pair,
            };
            let is_array = random.percent(if self.is_local { 85 } else { 50 });
            let n = kind.n_values(self.n_at).pow(if is_array { most as u32 } else { 1 });
            if n_combinations * n > MAX_COMBINATIONS {
                continue;
            }
            n_combinations *= n;
            self.variables.push(Variable { name: format!("v{v}"), kind, is_array });
        }
        if self.variables.is_empty() {
            self.variables.push(Variable { name: "v".to_owned(), kind: Kind::At, is_array: true });
        }
    }

    fn add_helper(&mut self, random: &mut Random) {
        let which = self.helpers.len();
        let mut writer = Writer::new(random, self, true);
        writer.n_helpers = which;
        let asks = writer.condition(2);
        let asks_reads = std::mem::take(&mut writer.reads);
        writer.may_return = true;
        let does = [writer.statement(1), writer.statement(0)].join(" ");
        let (does_reads, does_writes) = (writer.reads, writer.writes);
        self.functions.push(format!("fn asks_{which}(s: &State, i: usize) -> bool {{ {asks} }}"));
        self.functions
            .push(format!("fn does_{which}(s: &mut State, i: usize) -> bool {{ {does} true }}"));
        self.helpers.push(Helper { asks_reads, does_reads, does_writes });
    }

    fn add_inits(&mut self, random: &mut Random) {
        for n in 0..self.n_init {
            let mut writer = Writer::new(random, self, false);
            let body = [writer.statement(0), writer.statement(1)].join(" ");
            self.functions.push(format!("#[init]\nfn init_{n}(s: &mut State) {{ {body} }}"));
        }
    }

    fn add_fire(&mut self, random: &mut Random) {
        let mut arms = Vec::new();
        let as_functions = random.percent(30);
        for v in 0..2 + random.below(4) {
            let has_process = random.percent(if self.is_local { 95 } else { 65 });
            let has_at = random.percent(20);
            let name = format!("T{v}");
            let parameters = parameters(has_process, has_at);
            let pattern = match &parameters[..] {
                [] => format!("Transition::{name}"),
                all => format!("Transition::{name}({})", all.join(", ")),
            };
            let mut writer = Writer::new(random, self, has_process);
            writer.n_helpers = self.helpers.len();
            let guard = writer.condition(2);
            writer.may_return = true;
            let n = 1 + writer.random.below(3);
            let mut body: Vec<String> = (0..n).map(|_| writer.statement(2)).collect();
            if has_at {
                body.push("if at == At::A0 { return false; }".to_owned());
            }
            let body = body.join(" ");
            let (reads, writes) = (writer.reads, writer.writes);
            let arm = match (as_functions, random.below(3)) {
                (true, _) => {
                    let typed = [(has_process, "i: usize"), (has_at, "at: At")];
                    let typed: Vec<&str> = typed.iter().filter(|p| p.0).map(|p| p.1).collect();
                    self.functions.push(format!(
                        "fn fire_{name}(s: &mut State{}{}) -> bool {{ if !({guard}) {{ return false; }} {body} true }}",
                        if typed.is_empty() { "" } else { ", " },
                        typed.join(", ")
                    ));
                    let all: Vec<&str> = std::iter::once("s").chain(parameters).collect();
                    format!("{pattern} => return fire_{name}({}),", all.join(", "))
                }
                (_, 0) => format!("{pattern} if {guard} => {{ {body} }}"),
                (_, 1) => format!("{pattern} => {{ if !({guard}) {{ return false; }} {body} }}"),
                _ => format!("{pattern} => if {guard} {{ {body} }} else {{ return false; }},"),
            };
            arms.push(arm);
            self.variants.push(Variant { name, has_process, has_at, reads, writes });
        }
        self.functions.push(format!(
            "pub fn fire_transition(s: &mut State, t: Transition) -> bool {{\nmatch t {{\n{}\n_ => return false,\n}}\ntrue\n}}",
            arms.join("\n")
        ));
    }

    fn add_conditions(&mut self, random: &mut Random) {
        let marks = [
            "check(state)",
            "check(state)",
            "check(deadlock)",
            "check(may_progress)",
            "check(may_progress(strict))",
            "check(must_progress)",
            "check(must_progress(strict))",
            "progress(state)",
        ];
        for (n, mark) in marks.into_iter().enumerate() {
            let percent = if mark == "check(state)" { 70 } else { 40 };
            if !random.percent(if self.is_local { percent / 3 } else { percent }) {
                continue;
            }
            let mut writer = Writer::new(random, self, false);
            writer.n_helpers = if writer.random.percent(50) { self.helpers.len() } else { 0 };
            let text = match mark {
                // What fails in a few states only is worth the most.
                "check(state)" => {
                    let [a, b, c] = [1, 1, 1].map(|depth| writer.condition(depth));
                    format!("!({a} && {b} && {c})")
                }
                _ => writer.condition(2),
            };
            let touches = writer.reads;
            let (name, as_result) = (format!("c{n}"), mark == "check(state)" && n == 1);
            let (ty, text) = match as_result {
                true => (
                    "Result<(), &'static str>",
                    format!("if {text} {{ Ok(()) }} else {{ Err(\"no\") }}"),
                ),
                false => ("bool", text),
            };
            self.functions
                .push(format!("#[{mark}]\npub fn {name}(s: &State) -> {ty} {{ {text} }}"));
            self.conditions.push(Condition { mark, name, touches });
        }
    }

    fn add_labels(&mut self, random: &mut Random) {
        if !self.has_labels {
            return;
        }
        let which = &self.variants[random.below(self.variants.len())];
        let pattern = match &parameters(which.has_process, which.has_at)[..] {
            [] => format!("Transition::{}", which.name),
            [first, ..] => {
                let test = if *first == "i" { "i == 0" } else { "at == At::A1" };
                let rest = if which.has_process && which.has_at { ", .." } else { "" };
                format!("Transition::{}({first}{rest}) if {test}", which.name)
            }
        };
        self.functions.push(format!(
            "#[progress]\npub fn labels(t: Transition) -> bool {{ matches!(t, {pattern}) }}"
        ));
    }

    /// Rules that oblige whatever touches a variable in common, if one of the two writes it,
    /// and whatever may change one condition.
    fn add_rules(&mut self) {
        let mut arms = String::new();
        for t in &self.variants {
            let body: Vec<String> = self.variants.iter().map(|u| self.rule(t, u)).collect();
            let pattern = match (t.has_process, t.has_at) {
                (true, true) => "(i, _)",
                (true, false) => "(i)",
                (false, true) => "(_)",
                (false, false) => "",
            };
            writeln!(arms, "Transition::{}{pattern} => {{ {} }}", t.name, body.join(" "))
                .expect("text");
        }
        self.functions.push(format!(
            "#[stubborn]\npub fn rules(s: &State, t: Transition, need: &mut Obligations) {{\nmatch t {{\n{arms}}}\n}}"
        ));
    }

    /// What `t` obliges of the transitions of `u`.
    fn rule(&self, t: &Variant, u: &Variant) -> String {
        let joins = |condition: &&Condition| sees(condition, t) && sees(condition, u);
        let joined = self.conditions.iter().filter(joins).map(|_| false);
        let Some(is_own) = conflict(t, u).into_iter().chain(joined).reduce(|a, b| a && b) else {
            return String::new();
        };
        let is_own = is_own && t.has_process;
        let process = if is_own { "i" } else { "j" };
        let ats: Vec<String> = (0..self.n_at).map(|a| format!("At::A{a}")).collect();
        let add: Vec<String> = match (u.has_process, u.has_at) {
            (false, false) => vec![format!("need.add(Transition::{});", u.name)],
            (true, false) => vec![format!("need.add(Transition::{}({process}));", u.name)],
            (false, true) => {
                ats.iter().map(|at| format!("need.add(Transition::{}({at}));", u.name)).collect()
            }
            (true, true) => ats
                .iter()
                .map(|at| format!("need.add(Transition::{}({process}, {at}));", u.name))
                .collect(),
        };
        let add = add.join(" ");
        if u.has_process && !is_own { format!("for j in 0..N {{ {add} }}") } else { add }
    }

    /// What stands before the functions.
    fn items(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| text += &(line + "\n");
        let (n, flag) = self.instances[0];
        let has = |what: fn(&(usize, bool)) -> usize| {
            self.instances.iter().any(|instance| what(instance) != what(&self.instances[0]))
        };
        if has(|instance| instance.0) {
            line("#[param(2..=3)]".to_owned());
        }
        line(format!("pub const N: usize = {n};"));
        if has(|instance| usize::from(instance.1)) {
            line("#[param]".to_owned());
        }
        line(format!("pub const FLAG: bool = {flag};"));
        line(format!("const LIMIT: u8 = {};", self.limit));
        line("const TABLE: [u8; 3] = [2, 0, 1];".to_owned());
        let ats: Vec<String> = (0..self.n_at).map(|a| format!("A{a}")).collect();
        line(format!("#[derive(StateVar)]\npub enum At {{ {} }}", ats.join(", ")));
        line("#[derive(StateVar)]\npub enum Message { Nothing, Number(\n#[range(0..3)]\nu8), Both { on: bool, at: At } }".to_owned());
        line(
            "#[derive(StateVar)]\npub struct Pair {\n#[range(0..=2)]\nn: u8, on: bool }".to_owned(),
        );
        line("#[state]\npub struct State {".to_owned());
        for variable in &self.variables {
            if let Kind::Number(max) = variable.kind {
                line(format!("#[range(0..={max})]"));
            }
            let ty = variable.kind.name();
            let ty = if variable.is_array { format!("[{ty}; N]") } else { ty.to_owned() };
            line(format!("{}: {ty},", variable.name));
        }
        line("}\n#[transitions]\npub enum Transition {".to_owned());
        for variant in &self.variants {
            let fields = [(variant.has_process, "\n#[range(0..N)]\nusize"), (variant.has_at, "At")];
            let fields: Vec<&str> = fields.iter().filter(|f| f.0).map(|f| f.1).collect();
            let fields =
                if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
            line(format!("{}{fields},", variant.name));
        }
        line("}\nfn next(i: usize) -> usize { (i + 1) % N }".to_owned());
        text
    }

    /// The module's contents as the macro gets them.
    pub fn text(&self) -> String {
        self.items() + &self.functions.join("\n")
    }
}

/// The parameters of a transition in a pattern.
fn parameters(has_process: bool, has_at: bool) -> Vec<&'static str> {
    [(has_process, "i"), (has_at, "at")].iter().filter(|p| p.0).map(|p| p.1).collect()
}

/// Values for the parameters: usually none, so that more models are compiled in the same time.
fn instances(random: &mut Random) -> Vec<(usize, bool)> {
    let (n, flag) = (2 + random.below(2), random.percent(50));
    match random.below(6) {
        0 => vec![(n, flag), (5 - n, flag)],
        1 => vec![(n, flag), (n, !flag)],
        _ => vec![(n, flag)],
    }
}

/// Whether two transitions may conflict: if so, whether only those of the same process.
fn conflict(t: &Variant, u: &Variant) -> Option<bool> {
    let shared = |a: &Touches, b: &Touches| {
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        pairs.filter(|(x, y)| x.0 == y.0).map(|(x, y)| x.1 && y.1).reduce(|a, b| a && b)
    };
    [shared(&t.writes, &u.writes), shared(&t.writes, &u.reads), shared(&t.reads, &u.writes)]
        .into_iter()
        .flatten()
        .reduce(|a, b| a && b)
}

/// Whether a transition may change what a condition looks at.
fn sees(condition: &Condition, t: &Variant) -> bool {
    condition.touches.iter().any(|c| t.writes.iter().any(|w| w.0 == c.0))
}
