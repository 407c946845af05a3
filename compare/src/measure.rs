//! One run of one program: seconds, processor seconds, peak memory, output.

use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// What one run took.
#[derive(Clone, Debug)]
pub struct Run {
    /// Seconds by the clock on the wall, from start to end of the process.
    pub wall: f64,
    /// Processor seconds, those that the system spent for the process included.
    pub cpu: f64,
    /// The most memory that was resident, in bytes.
    pub peak: u64,
    /// Standard output.
    pub output: String,
    /// How it ended.
    pub status: ExitStatus,
}

/// Runs a command to its end. Its standard error goes to ours.
pub fn run(command: &mut Command) -> io::Result<Run> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut output = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut output)?;
    }
    let (status, usage) = wait(child.id())?;
    Ok(Run {
        wall: start.elapsed().as_secs_f64(),
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        // Linux counts in kilobytes. The count starts with what this process
        // had when it started the child, a few megabytes.
        peak: usage.ru_maxrss as u64 * 1024,
        output,
        status,
    })
}

fn wait(pid: u32) -> io::Result<(ExitStatus, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::zeroed();
    loop {
        // SAFETY: both pointers are valid for writing.
        let done = unsafe { libc::wait4(pid as i32, &mut status, 0, usage.as_mut_ptr()) };
        if done >= 0 {
            // SAFETY: all zeros is a valid value, and `wait4` has written one.
            return Ok((ExitStatus::from_raw(status), unsafe { usage.assume_init() }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// The median; of an even number of values, the mean of the middle two.
/// `None` if there are none.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median([].into_iter()), None);
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), Some(2.5));
    }

    #[test]
    fn a_process_is_weighed_and_its_end_is_told() {
        let run = run(Command::new("sh").args(["-c", "echo yes; exit 3"])).unwrap();
        assert_eq!(run.output, "yes\n");
        assert_eq!(run.status.code(), Some(3));
        assert!(run.peak > 0 && run.wall > 0.0);
    }
}
