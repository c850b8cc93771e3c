//! Sets of lines as masks.

/// Returns all subsets of a mask, in ascending order.
pub fn values(mask: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(0u32);
    std::iter::from_fn(move || {
        let value = next?;
        next = (value != mask).then(|| (value | !mask).wrapping_add(1) & mask);
        Some(value)
    })
}

/// Returns the bits of a mask, each as a mask.
pub fn ones(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).map(|line| 1 << line).filter(move |line| mask & line != 0)
}
