//! Who owns a file and who can write it. Where files have no owners, every file counts as this user's.

use std::fs::{self, File};

/// Whether this user owns a file.
#[cfg(unix)]
pub(super) fn is_own(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
pub(super) fn is_own(_: &fs::Metadata) -> bool {
    true
}

/// Whether this user or the administrator owns a file.
#[cfg(unix)]
pub(super) fn is_own_or_of_administrator(metadata: &fs::Metadata) -> bool {
    is_own(metadata) || std::os::unix::fs::MetadataExt::uid(metadata) == 0
}

#[cfg(not(unix))]
pub(super) fn is_own_or_of_administrator(_: &fs::Metadata) -> bool {
    true
}

/// Whether a user other than the owner may write an open file. Where it has an access control list, the bits of the group
/// are the most that the list allows anyone.
#[cfg(unix)]
pub(super) fn is_writable_by_others(file: &File, metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let is_private = metadata.gid() == metadata.uid() && !has_access_list(file);
    let others = if is_private { 0o002 } else { 0o022 };
    metadata.mode() & others != 0
}

#[cfg(not(unix))]
pub(super) fn is_writable_by_others(_: &File, _: &fs::Metadata) -> bool {
    false
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn has_access_list(file: &File) -> bool {
    rustix::fs::fgetxattr(file, "system.posix_acl_access", &mut [0u8; 0]).is_ok()
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn has_access_list(_: &File) -> bool {
    // Not asked for here: the private group is not taken for one.
    true
}
