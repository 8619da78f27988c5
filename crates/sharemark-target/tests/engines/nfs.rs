//! The NFS engine, against a server in this process that always runs, and against Ganesha where it is installed.

#[cfg(unix)]
mod ganesha;
mod memory;

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use sharemark_model::{
    Bytes, Durability, Failure, FailureCode, FileName, FolderName, Place, Wishes, WriteMode,
};
use sharemark_target::{Target, WriteOptions, classify, reach};

use crate::server::share;

/// Longer than anything here takes that does not hang.
const NO_HANG: Duration = Duration::from_secs(60);

fn place(url: &str) -> Place {
    share(url, Wishes::default())
}

fn refusal(url: &str) -> Failure {
    reach(&place(url)).err().unwrap()
}

fn folder() -> FolderName {
    FolderName::for_run("nfs").unwrap()
}

fn file() -> FileName {
    FileName::try_from("r001.bin".to_owned()).unwrap()
}

fn options(durability: Durability, block: usize) -> WriteOptions {
    WriteOptions { durability, size: Bytes(1 << 30), block: Bytes(block as u64), depth: 4 }
}

/// Writes in four threads for as long as the server lives, and then tells what each thread was answered.
fn write_until_it_ends(place: &Place) -> (Receiver<()>, Receiver<FailureCode>) {
    let (begun, has_begun) = channel();
    let (ended, has_ended) = channel();
    let target = reach(place).unwrap();
    target.create_folder(&folder()).unwrap();
    thread::spawn(move || {
        let writer = target.create(&folder(), &file(), &options(Durability::Flush, 1 << 20)).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let block = vec![7; 1 << 20];
                    loop {
                        match writer.write(&block, 0) {
                            Ok(()) => begun.send(()).ok(),
                            Err(error) => return ended.send(classify(&error)).unwrap(),
                        };
                    }
                });
            }
        });
        // What comes after is answered at once as well.
        ended.send(target.size_of(&folder(), &file()).unwrap_err().code).unwrap();
        ended.send(target.list(&folder()).unwrap_err().code).unwrap();
    });
    (has_begun, has_ended)
}

fn all_say_that_it_is_gone(ended: &Receiver<FailureCode>) {
    for _ in 0..6 {
        assert_eq!(ended.recv_timeout(NO_HANG), Ok(FailureCode::ServerGone));
    }
}

fn mode_after_a_write(target: &dyn Target, durability: Durability) -> WriteMode {
    let writer = target.create(&folder(), &file(), &options(durability, 4096)).unwrap();
    writer.write(&[7; 4096], 0).unwrap();
    writer.flush().unwrap();
    let mode = writer.mode();
    writer.close().unwrap();
    target.remove_file(&folder(), &file()).unwrap();
    mode
}
