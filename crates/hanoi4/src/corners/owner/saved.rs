//! The times of an owner as a file.
//!
//! All numbers are little-endian. The header: the mark `h4corner`; as 32 bits each the version, the discs, the small
//! discs, the time whose corners are processed next, the first block and the one after the last; the xxh3 (64 bits) of
//! these. Then groups of 64 blocks, the last one of fewer: the times at which the blocks are first reached, 32 bits each,
//! their rows, and the xxh3 (64 bits) of both, seeded with the number of the group's first block.
//!
//! A file does not depend on the number of owners: any division of the blocks can be read from files of one time that
//! have all blocks.

use super::super::search::CornerSearch;
use super::{OwnerError, Sharing, refused};
use crate::error::SearchError;
use crate::model::{to_u32, to_u64};
use search_core::Run;
use search_core::storage::{DataFile, publish};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const MARK: &[u8; 8] = b"h4corner";
/// The version of the format and of the meaning of its times.
const VERSION: u32 = 2;
/// The bytes before the checksum.
const HEADER: usize = 32;
/// The bytes of the header, including the checksum.
const START: u64 = 40;
/// The blocks with a common checksum.
const GROUP: usize = 64;

/// Writes the times of a search to a file.
pub fn save(
    sharing: Sharing,
    search: &CornerSearch<u8>,
    path: &Path,
    run: &Run<'_>,
) -> Result<(), OwnerError> {
    let (own, stride) = (search.own(), search.rows().stride());
    let [first, times] = search.parts();
    publish(path, &path.with_extension("partial"), |file| {
        let header = header(sharing, search.now(), &own);
        file.write_at(&[&header[..], &xxh3_64(&header).to_le_bytes()].concat(), 0)?;
        let mut offset = START;
        let groups = first.chunks(4 * GROUP).zip(times.chunks(GROUP * stride));
        for ((first, times), block) in groups.zip((own.start..).step_by(GROUP)) {
            run.check().map_err(SearchError::from)?;
            let mut group = [first, times].concat();
            group.extend(xxh3_64_with_seed(&group, block.into()).to_le_bytes());
            file.write_at(&group, offset)?;
            offset += to_u64(group.len());
        }
        Ok(())
    })
}

fn header(sharing: Sharing, now: u32, blocks: &Range<u32>) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MARK);
    let numbers = [VERSION, sharing.discs, sharing.small, now, blocks.start, blocks.end];
    for (place, number) in header[8..].chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    header
}

/// The time and the blocks of a file.
fn open(sharing: Sharing, path: &Path) -> Result<(DataFile, u32, Range<u32>), OwnerError> {
    let file = DataFile::open(path)?;
    let mut start = [0; START as usize];
    let damaged = || refused(format!("{}: the file is damaged", path.display()));
    file.read_at(&mut start, 0).map_err(|_| damaged())?;
    let (header, sum) = start.split_at(HEADER);
    if header[..8] != *MARK || sum != xxh3_64(header).to_le_bytes() {
        return Err(damaged());
    }
    let number = |at: usize| u32::from_le_bytes(header[8 + 4 * at..][..4].try_into().expect("four bytes"));
    let (version, discs, small) = (number(0), number(1), number(2));
    if (version, discs, small) != (VERSION, sharing.discs, sharing.small) {
        return Err(refused(format!(
            "{}: version {version}, {discs} discs, {small} small; expected version {VERSION}, {} discs, {} small",
            path.display(),
            sharing.discs,
            sharing.small
        )));
    }
    Ok((file, number(3), number(4)..number(5)))
}

/// Fills a search with the times of its blocks in these files.
pub fn load(
    sharing: Sharing,
    paths: &[impl AsRef<Path>],
    search: &mut CornerSearch<u8>,
    run: &Run<'_>,
) -> Result<(), OwnerError> {
    let (own, mut now, mut found) = (search.own(), None, 0);
    for path in paths {
        let path = path.as_ref();
        let (file, time, blocks) = open(sharing, path)?;
        if *now.get_or_insert(time) != time {
            return Err(refused(format!(
                "{}: the file is of time {time}, another one is not",
                path.display()
            )));
        }
        found += load_file(&file, blocks, search, run)?;
    }
    let now = now.ok_or_else(|| refused("there is no file to resume from"))?;
    if found != own.len() {
        return Err(refused(format!("the files have {found} of the blocks {own:?}")));
    }
    search
        .resume_at(now)
        .then_some(())
        .ok_or_else(|| refused("the files are damaged: their times are not those of a search"))
}

/// Copies the times of those blocks of a file that the search has. Returns their number.
fn load_file(
    file: &DataFile,
    blocks: Range<u32>,
    search: &mut CornerSearch<u8>,
    run: &Run<'_>,
) -> Result<usize, OwnerError> {
    let (own, stride) = (search.own(), search.rows().stride());
    let damaged = || refused(format!("{}: the file is damaged", file.path().display()));
    let mut found = 0;
    for start in blocks.clone().step_by(GROUP) {
        let group = start..blocks.end.min(start + to_u32(GROUP));
        let wanted = group.start.max(own.start)..group.end.min(own.end);
        if wanted.is_empty() {
            continue;
        }
        run.check().map_err(SearchError::from)?;
        let mut bytes = vec![0; group.len() * (4 + stride) + 8];
        let before = (start - blocks.start) as usize;
        let offset = START + to_u64(before * (4 + stride) + before / GROUP * 8);
        file.read_at(&mut bytes, offset).map_err(|_| damaged())?;
        let (data, sum) = bytes.split_at(bytes.len() - 8);
        if sum != xxh3_64_with_seed(data, start.into()).to_le_bytes() {
            return Err(damaged());
        }
        let (first, times) = data.split_at(4 * group.len());
        let (from, to) = ((wanted.start - start) as usize, (wanted.start - own.start) as usize);
        let [into_first, into_times] = search.parts_mut();
        let length = wanted.len();
        into_first[4 * to..][..4 * length].copy_from_slice(&first[4 * from..][..4 * length]);
        into_times[stride * to..][..stride * length]
            .copy_from_slice(&times[stride * from..][..stride * length]);
        found += length;
    }
    Ok(found)
}
