//! Compression of words by leaving out their zero bytes.
//!
//! The idea: in a sparse bitmap, most bytes of a word are zero. A word is stored as a mask of its nonzero bytes,
//! followed by these bytes. With BMI2, one instruction packs a word, and one unpacks it.
//!
//! Size: one byte per word and one per nonzero byte.
//!
//! ```
//! use search_core::zero_bytes::{most_bytes, pack, unpack};
//!
//! let words = [0, 0x00FF_0000_0000_0001];
//! let mut packed = vec![0; most_bytes(words.len())];
//! let bytes = pack(&words, &mut packed);
//! assert_eq!(bytes, 4); // two masks, and two bytes that are not zero
//! let mut unpacked = [0; 2];
//! assert_eq!(unpack(&packed[..bytes], &mut unpacked), Some(bytes));
//! assert_eq!(unpacked, words);
//! ```

/// The maximum packed size of `words` words, in bytes.
pub const fn most_bytes(words: usize) -> usize {
    9 * words
}

/// Packs `words`: for each a mask of its nonzero bytes, then all these bytes. Returns the number of bytes.
///
/// # Panics
/// If `out` has fewer than [`most_bytes`].
pub fn pack(words: &[u64], out: &mut [u8]) -> usize {
    assert!(out.len() >= most_bytes(words.len()), "room for all bytes");
    let (masks, bytes) = out.split_at_mut(words.len());
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the instructions of `pack_with_bmi2` have just been found.
        return words.len() + unsafe { pack_with_bmi2(words, masks, bytes) };
    }
    words.len() + pack_by(words, masks, bytes, extract)
}

/// Fills `words` from the start of `packed`. Returns the number of bytes read; `None` if `packed` is too short.
pub fn unpack(packed: &[u8], words: &mut [u64]) -> Option<usize> {
    let (masks, bytes) = packed.split_at_checked(words.len())?;
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the instructions of `unpack_with_bmi2` have just been found.
        return Some(words.len() + unsafe { unpack_with_bmi2(masks, bytes, words) }?);
    }
    Some(words.len() + unpack_by(masks, bytes, words, deposit)?)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn pack_with_bmi2(words: &[u64], masks: &mut [u8], bytes: &mut [u8]) -> usize {
    pack_by(words, masks, bytes, |word, lanes| std::arch::x86_64::_pext_u64(word, lanes))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn unpack_with_bmi2(masks: &[u8], bytes: &[u8], words: &mut [u64]) -> Option<usize> {
    unpack_by(masks, bytes, words, |packed, lanes| std::arch::x86_64::_pdep_u64(packed, lanes))
}

/// Packs words; `extract` moves the bytes of a word selected by the second argument to its end.
#[inline(always)]
fn pack_by(words: &[u64], masks: &mut [u8], bytes: &mut [u8], extract: impl Fn(u64, u64) -> u64) -> usize {
    let mut end = 0;
    for (&word, mask) in words.iter().zip(masks) {
        *mask = used(word);
        let room: &mut [u8; 8] = bytes[end..].first_chunk_mut().expect("eight bytes for each word");
        *room = extract(word, lanes(*mask)).to_le_bytes();
        end += mask.count_ones() as usize;
    }
    end
}

/// Unpacks words; `deposit` moves the bytes at the end of a word to those selected by the second argument.
#[inline(always)]
fn unpack_by(
    masks: &[u8],
    bytes: &[u8],
    words: &mut [u64],
    deposit: impl Fn(u64, u64) -> u64,
) -> Option<usize> {
    let mut at = 0;
    for (&mask, word) in masks.iter().zip(words) {
        let next = match bytes.get(at..)?.first_chunk() {
            Some(next) => u64::from_le_bytes(*next),
            None => {
                let rest = bytes.get(at..)?;
                let mut next = [0; 8];
                next[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(next)
            }
        };
        *word = deposit(next, lanes(mask));
        at += mask.count_ones() as usize;
    }
    (at <= bytes.len()).then_some(at)
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = LOW_BITS << 7;

/// A mask of the nonzero bytes of a word.
#[inline(always)]
fn used(word: u64) -> u8 {
    let high = ((word & !HIGH_BITS) + !HIGH_BITS | word) & HIGH_BITS;
    // Adds the eight bits, each shifted to its own place in the highest byte.
    ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The word whose bytes are 255 where the mask has a bit.
#[inline(always)]
fn lanes(mask: u8) -> u64 {
    LANES[usize::from(mask)]
}

/// The [`lanes`] of every mask.
static LANES: [u64; 256] = {
    let mut lanes = [0; 256];
    let mut at = 0;
    while at < 8 * 256 {
        lanes[at / 8] |= ((at as u64 / 8 >> (at % 8) & 1) * 0xff) << (8 * (at % 8));
        at += 1;
    }
    lanes
};

/// Portable version of the extract instruction, for lanes that are 0 or 255.
#[inline(always)]
fn extract(word: u64, lanes: u64) -> u64 {
    let (mut packed, mut end) = (0, 0);
    for shift in (0..64).step_by(8) {
        packed |= (word >> shift & lanes >> shift & 0xff).wrapping_shl(end);
        end += lanes.wrapping_shr(shift) as u32 & 8;
    }
    packed
}

/// Portable version of the deposit instruction, for lanes that are 0 or 255.
#[inline(always)]
fn deposit(packed: u64, lanes: u64) -> u64 {
    let (mut word, mut at) = (0, 0);
    for shift in (0..64).step_by(8) {
        word |= (packed.wrapping_shr(at) & 0xff) << shift & lanes & 0xff << shift;
        at += lanes.wrapping_shr(shift) as u32 & 8;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with every combination of nonzero bytes.
    fn words() -> impl Iterator<Item = u64> {
        (0..1024u64).map(|n| {
            let random = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(n as u32);
            random & lanes(n as u8)
        })
    }

    #[test]
    fn masks_mark_nonzero_bytes() {
        for word in words() {
            let bytes = word.to_le_bytes();
            let slow = (0..8).filter(|&at| bytes[at] != 0).fold(0, |mask, at| mask | 1 << at);
            assert_eq!(used(word), slow);
        }
        for mask in 0..=u8::MAX {
            assert_eq!(used(lanes(mask)), mask);
            assert!(lanes(mask).to_le_bytes().iter().all(|&byte| byte == 0 || byte == 255));
        }
    }

    #[test]
    fn unpacking_restores_the_words() {
        let words: Vec<u64> = words().collect();
        for count in [0, 1, 2, 63, 64, 1024] {
            let words = &words[..count];
            let mut packed = vec![0; most_bytes(count)];
            let end = pack(words, &mut packed);
            let slow = words.iter().flat_map(|word| word.to_le_bytes()).filter(|&byte| byte != 0);
            assert!(packed[count..end].iter().copied().eq(slow));
            let mut back = vec![u64::MAX; count];
            assert_eq!(unpack(&packed[..end], &mut back), Some(end));
            assert_eq!(back, words);
            // The result is the same without the instructions.
            let mut twin = vec![0; most_bytes(count)];
            let (masks, bytes) = twin.split_at_mut(count);
            assert_eq!(count + pack_by(words, masks, bytes, extract), end);
            assert_eq!(packed[..end], twin[..end]);
            let mut back = vec![u64::MAX; count];
            let (masks, bytes) = twin[..end].split_at(count);
            assert_eq!(unpack_by(masks, bytes, &mut back, deposit), Some(end - count));
            assert_eq!(back, words);
        }
    }

    #[test]
    fn truncated_input_is_refused() {
        let words = [0x0100_0000_0000_0002, 3];
        let mut packed = [0; most_bytes(2)];
        let end = pack(&words, &mut packed);
        for cut in 0..end {
            assert_eq!(unpack(&packed[..cut], &mut [0; 2]), None, "{cut}");
        }
    }
}
