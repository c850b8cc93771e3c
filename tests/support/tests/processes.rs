//! Processes end with the test that started them.

use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use test_support::process::{Process, until};

#[test]
fn a_process_does_not_outlive_a_panic() {
    let id = Mutex::new(0);
    let panic = catch_unwind(|| {
        let process = Process::start(Command::new("sleep").arg("1000"));
        *id.lock().expect("no panic so far") = process.id();
        panic!("requested");
    });
    assert!(panic.is_err());
    assert!(!is_running(id.into_inner().expect("the panic came later")));
}

#[test]
fn children_of_a_shell_end_with_the_shell() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "sleep 1000 & echo $!; wait"]).stdout(Stdio::piped());
    let mut process = Process::start_group(&mut shell);
    let mut stdout = std::io::BufReader::new(process.stdout.take().expect("piped"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut stdout, &mut line).expect("the number of the process");
    let id = line.trim().parse().expect("a number");
    assert!(is_running(id));
    drop(process);
    until("the process has ended", || (!is_running(id)).then_some(()));
}

fn is_running(id: u32) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(id.to_string()).join("status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}
