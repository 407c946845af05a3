//! A vector that never moves: address space is reserved once, and memory is
//! taken page by page as it is written.
//!
//! Growing by copying would need both copies at once, at the moment when
//! memory is scarcest.

use std::ops::{Deref, DerefMut};

/// Plain numbers, for which all-zero bytes are a value.
pub trait Plain: Copy + Default + 'static {}

impl Plain for u32 {}
impl Plain for u64 {}

/// A growing vector of plain numbers.
pub struct Region<T: Plain> {
    memory: imp::Memory<T>,
    len: usize,
}

impl<T: Plain> Region<T> {
    pub fn new() -> Self {
        Region { memory: imp::Memory::new(), len: 0 }
    }

    /// Appends numbers.
    #[inline(always)]
    pub fn extend(&mut self, numbers: &[T]) {
        let at = self.len;
        self.memory.ensure(at + numbers.len());
        self.len += numbers.len();
        self[at..].copy_from_slice(numbers);
    }

    /// Makes the region `len` zeros long, whatever it held.
    pub fn reset(&mut self, len: usize) {
        self.memory.ensure(len.max(self.len));
        self.len = len.max(self.len);
        self.fill(T::default());
        self.len = len;
    }

    /// Makes the region longer; what is added is zero.
    pub fn grow_to(&mut self, len: usize) {
        debug_assert!(len >= self.len);
        self.memory.ensure(len);
        self.len = len;
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T: Plain> Deref for Region<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` numbers were granted by `ensure`, and memory
        // that was never written reads as zero.
        unsafe { std::slice::from_raw_parts(self.memory.start(), self.len) }
    }
}

impl<T: Plain> DerefMut for Region<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.memory.start().cast_mut(), self.len) }
    }
}

#[cfg(unix)]
mod imp {
    use super::super::physical_memory;
    use super::Plain;
    use std::marker::PhantomData;
    use std::ptr;

    /// From this size on, huge pages are asked for: below, zeroing two
    /// megabytes costs more than it saves.
    const HUGE_FROM: usize = 8 << 20;

    pub struct Memory<T> {
        start: *mut u8,
        reserved: usize,
        /// Bytes that may be used before something must be decided.
        granted: usize,
        is_huge: bool,
        numbers: PhantomData<T>,
    }

    // SAFETY: the memory belongs to this value alone, like a `Vec`'s.
    unsafe impl<T: Send> Send for Memory<T> {}
    // SAFETY: as above; shared access only reads.
    unsafe impl<T: Sync> Sync for Memory<T> {}

    impl<T: Plain> Memory<T> {
        pub fn new() -> Self {
            let mut reserved = (2 * physical_memory()).clamp(1 << 30, 1 << 40);
            loop {
                // SAFETY: a fresh private mapping without an address of ours.
                let start = unsafe {
                    libc::mmap(
                        ptr::null_mut(),
                        reserved,
                        libc::PROT_READ | libc::PROT_WRITE,
                        libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
                        -1,
                        0,
                    )
                };
                if start != libc::MAP_FAILED {
                    let start = start.cast();
                    let granted = HUGE_FROM.min(reserved);
                    return Memory {
                        start,
                        reserved,
                        granted,
                        is_huge: false,
                        numbers: PhantomData,
                    };
                }
                reserved /= 2;
                assert!(reserved >= 1 << 20, "the system grants no address space");
            }
        }

        pub fn start(&self) -> *const T {
            self.start.cast()
        }

        /// Grants the first `len` numbers.
        #[inline(always)]
        pub fn ensure(&mut self, len: usize) {
            if len * size_of::<T>() > self.granted {
                self.grant(len * size_of::<T>());
            }
        }

        #[cold]
        #[inline(never)]
        fn grant(&mut self, bytes: usize) {
            assert!(
                bytes <= self.reserved,
                "the state space has outgrown the address space that the system granted"
            );
            if !self.is_huge {
                self.is_huge = true;
                #[cfg(target_os = "linux")]
                // SAFETY: advice about our own mapping; it changes no content.
                unsafe {
                    libc::madvise(self.start.cast(), self.reserved, libc::MADV_HUGEPAGE);
                }
            }
            self.granted = self.reserved;
        }
    }

    impl<T> Drop for Memory<T> {
        fn drop(&mut self) {
            // SAFETY: exactly the mapping made in `new`, which nothing borrows.
            unsafe {
                libc::munmap(self.start.cast(), self.reserved);
            }
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use super::Plain;

    /// Without reservation: an ordinary vector, which copies when it grows.
    pub struct Memory<T>(Vec<T>);

    impl<T: Plain> Memory<T> {
        pub fn new() -> Self {
            Memory(Vec::new())
        }

        pub fn start(&self) -> *const T {
            self.0.as_ptr()
        }

        #[inline(always)]
        pub fn ensure(&mut self, len: usize) {
            if len > self.0.len() {
                self.0.resize(len.max(self.0.len() * 3 / 2), T::default());
            }
        }
    }
}
