//! A disk that fails on demand, simulated at the system calls: `tests/faults/disk.c` is loaded before the C library into the process that
//! has the database.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const DIRECTORY: &str = "FAULTY_DISK";
const SWITCH: &str = "FAULTY_DISK_SWITCH";

/// A fault of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// There is no free space.
    Full,
    /// Writes and flushes fail.
    Broken,
    /// The process is killed before it writes.
    Killed,
}

/// The disk of one process.
pub struct FaultyDisk {
    switch: Mutex<File>,
    switch_path: PathBuf,
    directory: PathBuf,
}

impl FaultyDisk {
    /// Creates a disk without a fault. Files below `directory` are on it; `scratch` is another directory.
    pub fn new(scratch: &Path, directory: &Path) -> FaultyDisk {
        let switch_path = scratch.join("switch");
        std::fs::write(&switch_path, [0; 16]).expect("it can be written");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/disk.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(scratch.join("disk.so"))
            .arg(source)
            .arg("-ldl")
            .status();
        assert!(built.expect("a C compiler").success());
        FaultyDisk::at(switch_path, directory.to_owned())
    }

    fn at(switch_path: PathBuf, directory: PathBuf) -> FaultyDisk {
        let switch = OpenOptions::new().read(true).write(true).open(&switch_path);
        FaultyDisk {
            switch: Mutex::new(switch.expect("it was written")),
            switch_path,
            directory,
        }
    }

    /// Returns the disk of this process, if it was started on one.
    pub fn of_this_process() -> Option<FaultyDisk> {
        let (switch, directory) = (std::env::var_os(SWITCH)?, std::env::var_os(DIRECTORY)?);
        Some(FaultyDisk::at(switch.into(), directory.into()))
    }

    /// Returns the directory of the disk's files.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the environment variables of a process on the disk.
    pub fn variables(&self) -> [(&'static str, PathBuf); 3] {
        let library = self.switch_path.with_file_name("disk.so");
        // The system gives the library the paths of files without links.
        let directory = std::fs::canonicalize(&self.directory).expect("it is there");
        [
            ("LD_PRELOAD", library),
            (DIRECTORY, directory),
            (SWITCH, self.switch_path.clone()),
        ]
    }

    /// Every write fails from now on.
    pub fn fail(&self, fault: Fault) {
        self.set(fault, true, 0);
    }

    /// Every write fails, after this many operations.
    pub fn fail_after(&self, fault: Fault, operations: u32) {
        self.set(fault, true, operations);
    }

    /// One write fails, after this many operations.
    pub fn fail_once_after(&self, fault: Fault, operations: u32) {
        self.set(fault, false, operations);
    }

    /// Ends the fault.
    pub fn heal(&self) {
        self.write([0; 4]);
    }

    /// Returns the number of operations since the last change of the fault.
    pub fn operations(&self) -> u32 {
        let mut bytes = [0; 16];
        let mut switch = self.switch.lock().expect("no test fails with it");
        switch.rewind().expect("a file");
        switch.read_exact(&mut bytes).expect("sixteen bytes");
        u32::from_ne_bytes(bytes[12..].try_into().expect("four bytes"))
    }

    fn set(&self, fault: Fault, lasting: bool, left: u32) {
        let kind = match fault {
            Fault::Full => 1,
            Fault::Broken => 2,
            Fault::Killed => 3,
        };
        // The kind is written last, as the other side may read in the middle of a write.
        self.write([0, u32::from(lasting), left, 0]);
        self.write([kind, u32::from(lasting), left, 0]);
    }

    fn write(&self, numbers: [u32; 4]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_ne_bytes()).collect();
        let mut switch = self.switch.lock().expect("no test fails with it");
        switch.rewind().expect("a file");
        switch.write_all(&bytes).expect("it can be written");
    }
}
