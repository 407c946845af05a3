//! A trace laid out for a terminal: whole states, or what changed and the whole state only
//! where it helps.

use super::text::{CYCLE, LOST, changes, fields};
use super::{Step, Trace};
use std::fmt;

/// The width for which a trace is laid out where there is no terminal.
pub const DEFAULT_WIDTH: usize = 120;

/// What is printed of the states of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceStyle {
    /// Whole states if they fit beside their changes, and otherwise changes.
    #[default]
    Auto,
    /// Each state, and what changed.
    Whole,
    /// What changed; the whole state at the start, where something is lost, where a cycle
    /// begins, and at the end.
    Changes,
}

impl TraceStyle {
    /// All styles.
    pub const ALL: [TraceStyle; 3] = [TraceStyle::Auto, TraceStyle::Whole, TraceStyle::Changes];

    /// Its name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            TraceStyle::Auto => "auto",
            TraceStyle::Whole => "whole",
            TraceStyle::Changes => "changes",
        }
    }
}

/// How a trace is laid out.
#[derive(Clone, Copy, Debug)]
pub struct TraceLayout {
    /// What is printed of states.
    pub style: TraceStyle,
    /// The columns that there are. Longer lines are wrapped.
    pub width: usize,
    /// Whether changes are coloured.
    pub color: bool,
}

impl Default for TraceLayout {
    fn default() -> Self {
        TraceLayout { style: TraceStyle::Auto, width: DEFAULT_WIDTH, color: false }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(TraceLayout::default()))
    }
}

/// What is printed of one step.
struct Row {
    /// Its number and the transition that led there.
    head: String,
    state: String,
    changes: String,
}

impl Trace {
    /// The text form.
    pub fn to_text(&self, layout: TraceLayout) -> String {
        let rows = self.rows();
        let len = |text: &str| text.chars().count();
        let of = |part: fn(&Row) -> &str| rows.iter().map(|row| len(part(row))).max().unwrap_or(0);
        let (head, states, changes) = (of(|r| &r.head), of(|r| &r.state), of(|r| &r.changes));
        let gap = if changes == 0 { 0 } else { 2 };
        let style = match layout.style {
            TraceStyle::Auto if head + states + gap + changes > layout.width => TraceStyle::Changes,
            TraceStyle::Auto => TraceStyle::Whole,
            style => style,
        };
        let fits = style == TraceStyle::Whole && head + states + gap + changes <= layout.width;
        let mut out = Lines { text: String::new(), layout, indent: head };
        for (i, row) in rows.iter().enumerate() {
            let marks = [(self.lost_at, LOST), (self.cycle_start, CYCLE)];
            for (_, mark) in marks.into_iter().filter(|(at, _)| *at == Some(i)) {
                out.text += &format!("{mark}\n");
            }
            let is_marked = [self.lost_at, self.cycle_start].contains(&Some(i));
            let is_end = i == 0 || i + 1 == rows.len();
            out.text += &row.head;
            match style {
                // One line, with the changes below each other.
                _ if fits && row.changes.is_empty() => out.plain(&row.state),
                _ if fits => {
                    out.text += &format!("{:<states$}  ", row.state);
                    out.colored(&row.changes);
                }
                TraceStyle::Changes if !row.changes.is_empty() => {
                    out.wrapped(&row.changes, true);
                    if is_end || is_marked {
                        out.below(&row.state, false);
                    }
                }
                // Nothing has changed, and nothing need be said of it.
                TraceStyle::Changes if !(is_end || is_marked) => out.plain("(no change)"),
                _ => {
                    out.wrapped(&row.state, false);
                    if !row.changes.is_empty() {
                        out.below(&row.changes, true);
                    }
                }
            }
            let number = self.number_width();
            for note in &self.steps[i].notes {
                out.text += &format!("{:>number$}    · {note}\n", "");
            }
        }
        if let (Some(start), Some(closing)) = (self.cycle_start, &self.closing) {
            let number = self.number_width();
            out.text += &format!("{:>number$}  {closing} leads back to state {start}\n", "");
        }
        out.text
    }

    /// Columns of the largest number of a step.
    fn number_width(&self) -> usize {
        self.steps.len().saturating_sub(1).to_string().len()
    }

    fn rows(&self) -> Vec<Row> {
        let number = self.number_width();
        let name_of = |step: &Step| step.transition.clone().unwrap_or_default();
        let names = self.steps.iter().map(|s| name_of(s).chars().count()).max().unwrap_or(0);
        let row = |(i, step): (usize, &Step)| Row {
            head: format!("{i:>number$}  {:<names$}  ", name_of(step)),
            state: step.line.clone().unwrap_or_else(|| fields(&step.state)),
            changes: match i {
                0 => String::new(),
                _ => changes(&self.steps[i - 1].state, &step.state),
            },
        };
        self.steps.iter().enumerate().map(row).collect()
    }
}

/// Lines under way: all but the first of a text are indented.
struct Lines {
    text: String,
    layout: TraceLayout,
    indent: usize,
}

impl Lines {
    fn plain(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn colored(&mut self, text: &str) {
        match self.layout.color {
            true => self.plain(&format!("\x1b[33m{text}\x1b[0m")),
            false => self.plain(text),
        }
    }

    /// A text, as wide as there is room behind the indentation.
    fn wrapped(&mut self, text: &str, is_changes: bool) {
        let room = self.layout.width.saturating_sub(self.indent).max(MIN_ROOM);
        for (i, line) in wrap(text, room).iter().enumerate() {
            if i > 0 {
                self.text += &" ".repeat(self.indent);
            }
            if is_changes { self.colored(line) } else { self.plain(line) }
        }
    }

    /// The same, beginning on the next line.
    fn below(&mut self, text: &str, is_changes: bool) {
        self.text += &" ".repeat(self.indent);
        self.wrapped(text, is_changes);
    }
}

/// Columns that a text gets however narrow the terminal is.
const MIN_ROOM: usize = 24;

/// Cuts a text at spaces into lines of at most `room` columns: at such outside of brackets, or
/// within them where there is none in reach. A word that is longer stays whole.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut lines = Vec::new();
    let mut start = 0;
    while chars.len() - start > room {
        let (mut depth, mut outside, mut inside, mut beyond) = (0i32, None, None, None);
        for (i, c) in chars.iter().enumerate().skip(start) {
            match c {
                '[' | '(' | '{' => depth += 1,
                ']' | ')' | '}' => depth -= 1,
                ' ' if i == start => {}
                ' ' if i - start > room => {
                    beyond = Some(i);
                    break;
                }
                ' ' if depth <= 0 => outside = Some(i),
                ' ' => inside = Some(i),
                _ => {}
            }
        }
        // A line that would be nearly empty is worse than a bracket that is cut.
        let outside = outside.filter(|&i| i - start > room / 3);
        let Some(at) = outside.or(inside).or(beyond) else { break };
        lines.push(chars[start..at].iter().collect::<String>().trim_end().to_owned());
        start = at + chars[at..].iter().take_while(|c| **c == ' ').count();
    }
    lines.push(chars[start..].iter().collect());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Shown;

    fn trace(n_fields: usize) -> Trace {
        let names = ["alpha", "beta", "gamma", "delta"];
        let state = |x: i128| {
            let value = |i: usize| Shown::Int(if i == 0 { x } else { 1_000_000 });
            Shown::Record((0..n_fields).map(|i| (names[i], value(i))).collect())
        };
        let step = |x: i128| Step {
            transition: (x > 0).then(|| format!("Step({x})")),
            line: None,
            state: state(x),
            notes: Vec::new(),
        };
        Trace {
            steps: (0..4).map(step).collect(),
            lost_at: None,
            cycle_start: Some(2),
            closing: Some("Back".to_owned()),
        }
    }

    fn text(trace: &Trace, style: TraceStyle, width: usize) -> String {
        trace.to_text(TraceLayout { style, width, color: false })
    }

    #[test]
    fn short_states_are_printed_whole() {
        assert_eq!(
            text(&trace(1), TraceStyle::Auto, 60),
            "0           alpha=0\n\
             1  Step(1)  alpha=1  alpha: 0→1\n\
             ----------\n\
             2  Step(2)  alpha=2  alpha: 1→2\n\
             3  Step(3)  alpha=3  alpha: 2→3\n   Back leads back to state 2\n"
        );
    }

    #[test]
    fn of_long_states_changes_are_printed_and_the_whole_where_it_helps() {
        assert_eq!(
            text(&trace(4), TraceStyle::Auto, 50),
            "0           alpha=0 beta=1000000 gamma=1000000\n\
             \x20           delta=1000000\n\
             1  Step(1)  alpha: 0→1\n\
             ----------\n\
             2  Step(2)  alpha: 1→2\n\
             \x20           alpha=2 beta=1000000 gamma=1000000\n\
             \x20           delta=1000000\n\
             3  Step(3)  alpha: 2→3\n\
             \x20           alpha=3 beta=1000000 gamma=1000000\n\
             \x20           delta=1000000\n   Back leads back to state 2\n"
        );
        let changes = text(&trace(1), TraceStyle::Changes, 50);
        assert!(changes.contains("\n1  Step(1)  alpha: 0→1\n----------\n"), "{changes}");
        let whole = text(&trace(4), TraceStyle::Whole, 50);
        assert_eq!(whole.matches("alpha=").count(), 4);
        assert!(whole.lines().all(|line| line.chars().count() <= 50), "{whole}");
    }

    #[test]
    fn lines_are_cut_outside_of_brackets_if_that_is_possible() {
        assert_eq!(wrap("a=[1 2 3] b=[4 5 6]", 12), ["a=[1 2 3]", "b=[4 5 6]"]);
        assert_eq!(wrap("a=[1 2 3 4 5 6]", 9), ["a=[1 2 3", "4 5 6]"]);
        assert_eq!(wrap("longword b", 3), ["longword", "b"]);
        assert_eq!(wrap("", 3), [""]);
        for room in 1..30 {
            let lines = wrap("net={Vote(0 1) Vote(1 2)} term=[1 2 3] x=9", room);
            assert_eq!(lines.join(" "), "net={Vote(0 1) Vote(1 2)} term=[1 2 3] x=9");
        }
    }
}
