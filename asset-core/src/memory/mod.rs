//! What everything else stands on: how much memory there is, vectors that grow without
//! being copied, fetching ahead, bits under a mask, chance, and the limits of a run.
//!
//! Invariant: nothing here knows what a state is.

pub(crate) mod bits;
mod random;
mod region;
mod watch;

pub(crate) use random::next_random;
pub(crate) use region::Region;
pub use watch::{Limit, Limits, Observer, Snapshot, Watch};

use std::fs;

/// Bytes of memory that this process may use: the machine's, or the control
/// group's limit where that is lower. `None` where neither can be read.
pub fn memory_limit() -> Option<usize> {
    let machine = meminfo("MemTotal:");
    [machine, control_group_limit()].into_iter().flatten().min()
}

/// Bytes of memory of the machine; a cautious guess where it cannot be read.
fn physical_memory() -> usize {
    meminfo("MemTotal:").unwrap_or(16 << 30)
}

/// The most memory this process has used so far, in bytes. `None` where the
/// system does not tell.
pub fn peak_memory() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kilobytes_after(&status, "VmHWM:")
}

fn meminfo(key: &str) -> Option<usize> {
    kilobytes_after(&fs::read_to_string("/proc/meminfo").ok()?, key)
}

fn kilobytes_after(text: &str, key: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The lowest limit on the way from this process's group up to the root.
fn control_group_limit() -> Option<usize> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut lowest = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let mut path = path.trim_matches('/').to_owned();
        loop {
            let text = fs::read_to_string(format!("{root}/{path}/{file}")).unwrap_or_default();
            if let Ok(limit) = text.trim().parse::<usize>() {
                lowest = Some(lowest.map_or(limit, |l: usize| l.min(limit)));
            }
            match path.rfind('/') {
                Some(at) => path.truncate(at),
                None if path.is_empty() => break,
                None => path.clear(),
            }
        }
    }
    lowest
}

/// Asks the processor to fetch the cache line at an address.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and faults on no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) };
    }
    let _ = address;
}
