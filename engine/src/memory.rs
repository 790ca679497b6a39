//! Two hints to the machine about the memory of a large table that is read at random places. They
//! change no result; they are the only unsafe code of the project, and here because waiting for
//! the transposition table was a quarter of the search's time (docs/results/speed.md).
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// Begins to fetch what is going to be read soon.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing and can't fail, and the address is a reference's.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks for huge pages under memory that has not been touched yet: with pages of 4 KB, nearly every
/// look into a table of 64 MB would also have to look up where its page is. A kernel that has none
/// to give goes on with small ones.
pub fn prefer_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let start = memory.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(page);
        let pages = size_of_val(memory).saturating_sub(before) / page;
        if pages > 0 {
            let first = start.wrapping_add(before).cast();
            // SAFETY: the pages lie wholly within memory that is borrowed for writing, and the
            // advice leaves its contents alone.
            let _ = unsafe { madvise(first, pages * page, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
