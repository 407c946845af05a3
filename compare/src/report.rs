//! The table and the bars, as Markdown for people and as JSON for programs.

use crate::bars::{Bar, Clock};
use crate::measure::Run;
use crate::rows::Measured;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// All that one call of the command has found out.
pub struct Report {
    /// The day, as in 2026-01-31.
    pub date: String,
    /// The machine and the compilers, by name.
    pub machine: Vec<(&'static str, String)>,
    /// Rounds asked for.
    pub n_rounds: usize,
    /// The clock for ratios.
    pub clock: Clock,
    /// The rows.
    pub measured: Vec<Measured>,
    /// What was not run, and how to get it.
    pub skipped: Vec<String>,
    /// The bars; empty if Peterson-4 was not run.
    pub bars: Vec<Bar>,
}

impl Report {
    /// Seconds of a row by the clock for ratios.
    fn seconds(&self, m: &Measured) -> f64 {
        m.median(|run| self.clock.seconds(run))
    }

    /// The report for people.
    pub fn markdown(&self) -> String {
        let mut text = format!("# Side by side, {}\n\n", self.date);
        for (name, value) in &self.machine {
            let _ = writeln!(text, "- {name}: {value}");
        }
        let _ = writeln!(
            text,
            "- rounds: {}, alternating; medians. Seconds are those of whole processes, with \
             starting and freeing memory; *cpu* is user and system time. States/s and ratios are \
             by {}.\n",
            self.n_rounds,
            self.clock.name()
        );
        self.table(&mut text);
        self.post_passes(&mut text);
        for line in &self.skipped {
            let _ = writeln!(text, "Skipped: {line}\n");
        }
        if !self.bars.is_empty() {
            text.push_str("## Bars\n\n| bar | promised | measured | |\n|---|---|---|---|\n");
            for bar in &self.bars {
                let measured = bar.measured.map_or("–".to_owned(), |x| format!("{x:.2}"));
                let end = match bar.holds {
                    Some(true) => "pass",
                    Some(false) => "**fail**",
                    None => "not run",
                };
                let _ = writeln!(text, "| {} | {} | {measured} | {end} |", bar.what, bar.bar);
            }
        }
        text
    }

    fn table(&self, text: &mut String) {
        text.push_str(
            "| space | program | states | edges | seconds | cpu | states/s | peak MB | \
             bytes/state | ratio to ours |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        let ours = self.measured.iter().find(|m| m.row.id == "ours");
        for m in &self.measured {
            let ratio = ours.map_or(f64::NAN, |ours| self.seconds(m) / self.seconds(ours));
            let is_peterson = m.row.space.contains("*correct*");
            let ratio = if is_peterson { format!("{ratio:.2}") } else { "–".to_owned() };
            let _ = writeln!(
                text,
                "| {} | {}, {} | {} | {} | {:.2} | {:.2} | {:.2} M | {:.0} | {:.1} | {ratio} |",
                m.row.space,
                m.row.title,
                m.row.setting,
                grouped(m.counts.n_states),
                grouped(m.counts.n_edges),
                m.median(|run| run.wall),
                m.median(|run| run.cpu),
                m.counts.n_states as f64 / self.seconds(m) / 1e6,
                m.median(|run| run.peak as f64) / 1e6,
                m.bytes_per_state(),
            );
        }
        text.push('\n');
    }

    /// Runs with something after the exploration, by the tool's own clock.
    fn post_passes(&self, text: &mut String) {
        for m in &self.measured {
            let (explore, post) = m.own_medians();
            if ["full_all", "stubborn_all"].contains(&m.row.id) {
                let _ = writeln!(
                    text,
                    "{}: exploration {explore:.2} s, post-passes {post:.2} s, by the tool's own \
                     clock on the wall.\n",
                    m.row.space
                );
            }
        }
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        let machine: serde_json::Map<String, Value> =
            self.machine.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let run = |run: &Run| json!({ "wall": run.wall, "cpu": run.cpu, "peak_bytes": run.peak });
        let row = |m: &Measured| {
            let (explore, post) = m.own_medians();
            json!({
                "id": m.row.id, "space": m.row.space, "program": m.row.title,
                "setting": m.row.setting, "states": m.counts.n_states, "edges": m.counts.n_edges,
                "wall": m.median(|run| run.wall), "cpu": m.median(|run| run.cpu),
                "own": { "explore": explore, "post": post },
                "states_per_second": m.counts.n_states as f64 / self.seconds(m),
                "peak_bytes": m.median(|run| run.peak as f64),
                "bytes_per_state": m.bytes_per_state(),
                "runs": m.runs.iter().map(run).collect::<Vec<_>>(),
            })
        };
        let bar = |bar: &Bar| {
            json!({ "what": bar.what, "promised": bar.bar, "measured": bar.measured,
                "holds": bar.holds })
        };
        json!({
            "date": self.date, "machine": machine, "rounds": self.n_rounds,
            "clock": self.clock.name(),
            "rows": self.measured.iter().map(row).collect::<Vec<_>>(),
            "skipped": self.skipped,
            "bars": self.bars.iter().map(bar).collect::<Vec<_>>(),
        })
    }
}

/// A number with commas.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Today's date (UTC).
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970. Years begin in March
/// here, so that the leap day is the last of a year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // since 0000-03-01
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

/// The machine and the compilers.
pub fn machine() -> Vec<(&'static str, String)> {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = memory.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok());
    let huge = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    vec![
        ("processor", format!("{}, {cores} cores", cpu.map_or("unknown", |(_, name)| name.trim()))),
        ("memory", kilobytes.map_or("unknown".to_owned(), |k| format!("{:.1} GB", k / 1e6))),
        ("huge pages", huge.map_or("unknown".to_owned(), |text| text.trim().to_owned())),
        ("load before", load.split_whitespace().take(3).collect::<Vec<_>>().join(" ")),
        ("rustc", first_line("rustc", "-V")),
        ("cc", first_line("cc", "--version")),
        ("spin", first_line("spin", "-V")),
    ]
}

fn first_line(program: &str, option: &str) -> String {
    let output = Command::new(program).arg(option).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let line = text.ok().and_then(|text| text.lines().next().map(str::to_owned));
    line.unwrap_or_else(|| "not installed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(20_454), (2026, 1, 1));
    }

    #[test]
    fn thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(26_209_918), "26,209,918");
    }
}
