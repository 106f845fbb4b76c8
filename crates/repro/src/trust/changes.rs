//! The ways in which files and texts are changed.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;
use xxhash_rust::xxh3::xxh3_64;

/// Changes bytes in one of the ways in which files are damaged. Returns a description.
pub fn change(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) -> String {
    let mut below = |limit: usize| random.next_u64() as usize % limit.max(1);
    let (way, at, length) = (below(8), below(bytes.len()), 1 + below(64));
    let end = (at + length).min(bytes.len());
    match way {
        0..=2 => {
            let bit = below(8);
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at}")
        }
        3 => {
            let value = below(256) as u8;
            bytes[at..end].fill(value);
            format!("bytes {at} to {end} are {value}")
        }
        4 => {
            bytes.truncate(at);
            format!("no bytes from {at} on")
        }
        5 => {
            bytes.drain(at..end);
            format!("no bytes from {at} to {end}")
        }
        6 => {
            let from = below(bytes.len() - (end - at) + 1);
            let part = bytes[from..from + (end - at)].to_vec();
            bytes[at..end].copy_from_slice(&part);
            format!("bytes {at} to {end} are those from {from} on")
        }
        _ => {
            let more: Vec<u8> = (0..length).map(|_| below(256) as u8).collect();
            bytes.splice(at..at, more);
            format!("{length} bytes more at {at}")
        }
    }
}

/// Also changes the header, and updates its checksum.
pub fn seal_header(bytes: &mut [u8], random: &mut ChaCha8Rng) -> String {
    const HEADER: usize = 4096;
    if bytes.len() < HEADER {
        return String::new();
    }
    let at = random.next_u32() as usize % 300;
    bytes[at] = bytes[at].wrapping_add(1 + (random.next_u32() % 255) as u8);
    let seal = xxh3_64(&bytes[..HEADER - 8]);
    bytes[HEADER - 8..HEADER].copy_from_slice(&seal.to_le_bytes());
    format!(", byte {at} of the header too, which is sealed")
}

/// Changes digits of a checkpoint's last line, and updates its checksum.
pub fn change_numbers(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) -> String {
    let lines: Vec<&[u8]> = bytes.splitn(3, |byte| *byte == b'\n').collect();
    let [magic, key, checkpoint] = lines[..] else { return "not three lines".to_owned() };
    let (magic, key, mut checkpoint) = (magic.to_vec(), key.to_vec(), checkpoint.to_vec());
    let digits: Vec<usize> = (0..checkpoint.len()).filter(|&at| checkpoint[at].is_ascii_digit()).collect();
    let count = 1 + random.next_u32() % 6;
    for _ in 0..count {
        let at = digits[random.next_u32() as usize % digits.len()];
        checkpoint[at] = b'0' + (random.next_u32() % 10) as u8;
    }
    let body = [&key[..], b"\n", &checkpoint[..]].concat();
    let words = magic.len() - 16;
    *bytes = [&magic[..words], format!("{:016x}\n", xxh3_64(&body)).as_bytes(), &body].concat();
    format!("{count} digits")
}

/// Replaces digits, capital letters and words of a text by others of the same kind.
pub fn change_words(text: &mut String, random: &mut ChaCha8Rng) -> String {
    let mut below = |limit: usize| random.next_u64() as usize % limit.max(1);
    if below(3) == 0 {
        let words: Vec<&str> = text.split(['"', ',', ':', ' ', '{', '}', '[', ']']).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let (from, to) = (words[below(words.len())].to_owned(), words[below(words.len())].to_owned());
        *text = text.replacen(&from, &to, 1 + below(3));
        return format!("{from} is {to}");
    }
    let places: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_digit() || c.is_ascii_uppercase())
        .map(|(at, _)| at)
        .collect();
    let count = 1 + below(3);
    for _ in 0..count {
        let at = places[below(places.len())];
        let is_digit = text.as_bytes()[at].is_ascii_digit();
        let among = if is_digit { "0123456789" } else { "URFDLB" };
        let other = below(among.len());
        text.replace_range(at..=at, &among[other..=other]);
    }
    format!("{count} digits and letters")
}
