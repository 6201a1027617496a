//! The global allocator: large blocks are mapped directly from the operating system, in huge pages where it has them.
//!
//! A file of 35 MB takes nearly nine thousand ordinary pages, and each costs a page fault: that was half the time of an edit. Blocks smaller than
//! [`LARGE`] are left to the system allocator. See `docs/decisions/0012-large-blocks.md`.

#![allow(
    unsafe_code,
    reason = "there is no allocator without; each use says why it is sound"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

use rustix::mm::{
    Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap,
};

/// Blocks of at least this many bytes are mapped with a system call of their own.
const LARGE: usize = 1 << 20;
/// The size of a huge page. A mapping whose size is a multiple of this begins at a huge page.
const HUGE_PAGE: usize = 2 << 20;
/// The size of an ordinary page, to which every mapping is aligned.
const PAGE: usize = 4 << 10;

/// The allocator of the program.
pub(crate) struct Blocks;

/// Returns whether a block is mapped directly. The decision depends only on the layout, which is the same when the block is freed.
fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

/// Returns how many bytes are mapped for a block of this size. The rounding up cannot overflow, because no layout is larger than `isize::MAX`.
fn mapped(size: usize) -> usize {
    size.next_multiple_of(HUGE_PAGE)
}

/// Asks the operating system to use huge pages for a block. A failure is ignored, since ordinary pages work too.
///
/// # Safety
///
/// `block` must be the start of a mapping of at least `mapped(size)` bytes.
unsafe fn advise(block: *mut u8, size: usize) {
    // SAFETY: the caller's; this advice changes nothing that can be seen.
    let _ = unsafe { madvise(block.cast(), mapped(size), Advice::LinuxHugepage) };
}

/// Maps a block filled with zeros; returns null if there is no memory.
fn map(size: usize) -> *mut u8 {
    let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
    // SAFETY: a new mapping at a place that the system chooses overlaps nothing.
    let block = unsafe { mmap_anonymous(ptr::null_mut(), mapped(size), rights, flags) };
    let Ok(block) = block else {
        return ptr::null_mut();
    };
    // SAFETY: it was mapped a moment ago.
    unsafe { advise(block.cast(), size) };
    block.cast()
}

// SAFETY: a large block is a mapping of its own, as long as its layout says, aligned to a page; any other is the system allocator's. Which
// of the two follows from the layout, which is the same when the block is given back.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return map(layout.size());
        }
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return map(layout.size());
        }
        // SAFETY: the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_large(layout) {
            // SAFETY: it was mapped with this size, and nobody uses it any more. It cannot fail for an existing mapping.
            let _ = unsafe { munmap(block.cast(), mapped(layout.size())) };
        } else {
            // SAFETY: the caller's.
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller has seen to it that the size, rounded up to the alignment, is no overflow.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(layout), is_large(new)) {
            // SAFETY: the caller's.
            (false, false) => unsafe { System.realloc(block, layout, size) },
            (true, true) => {
                let (old, new) = (mapped(layout.size()), mapped(size));
                // SAFETY: the block is mapped with the old size and belongs to the caller, who takes what is returned for it.
                match unsafe { mremap(block.cast(), old, new, MremapFlags::MAYMOVE) } {
                    Ok(moved) => {
                        // SAFETY: it is mapped there now.
                        unsafe { advise(moved.cast(), size) };
                        moved.cast()
                    }
                    Err(_) => ptr::null_mut(),
                }
            }
            // The block changes from one allocator to the other, and neither can resize what the other allocated.
            _ => {
                // SAFETY: the size is not zero, as the caller has seen to.
                let moved = unsafe { self.alloc(new) };
                if !moved.is_null() {
                    // SAFETY: both blocks have so many bytes, and the new one overlaps no other; the old one is given back once.
                    unsafe {
                        ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                        self.dealloc(block, layout);
                    }
                }
                moved
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LARGE;

    /// The tests run with the program's own allocator, so an ordinary `Vec` is enough to test it.
    #[test]
    fn a_block_that_grows_and_shrinks_over_the_bound_keeps_its_bytes() {
        let byte = |index: usize| (index % 251).to_le_bytes()[0];
        let mut block: Vec<u8> = Vec::new();
        for size in [
            10,
            LARGE - 1,
            LARGE,
            LARGE + 1,
            LARGE * 5,
            LARGE * 2,
            LARGE,
            LARGE - 1,
            7,
        ] {
            let old = block.len();
            block.truncate(size);
            block.shrink_to_fit();
            block.extend((old..size).map(byte));
            block.shrink_to_fit();
            assert_eq!(block.len(), size);
            assert!(
                block
                    .iter()
                    .enumerate()
                    .all(|(at, &found)| found == byte(at))
            );
        }
    }

    #[test]
    fn a_block_of_zeros_is_one() {
        for size in [LARGE - 1, LARGE, LARGE * 3 + 5] {
            let mut block = vec![0_u8; size];
            assert!(block.iter().all(|&byte| byte == 0));
            // The next one must not be made of it.
            block.fill(1);
        }
    }
}
