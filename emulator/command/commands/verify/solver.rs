//! Runs z3, an SMT solver, as a child process, if it is installed.

use gray1_contracts::Solver;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The limits of z3 for each contract, in seconds and megabytes.
const LIMITS: [&str; 2] = ["-T:2", "-memory:200"];

/// The running solvers.
static RUNNING: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Kills all solvers, before the process ends.
pub fn kill_all() {
    for process in lock(&RUNNING).iter() {
        let _ = lock(process).kill(); // the solver may have exited already
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running z3.
pub struct Z3 {
    process: Arc<Mutex<Child>>,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Z3 {
    /// Starts z3, if it is installed. Dropping the value kills the process.
    #[allow(clippy::disallowed_methods)] // this is not a test
    pub fn start() -> Option<Z3> {
        let mut z3 = Command::new("z3");
        z3.arg("-in").args(LIMITS).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = z3.spawn().ok()?;
        let (questions, answers) = (process.stdin.take()?, process.stdout.take()?);
        let process = Arc::new(Mutex::new(process));
        lock(&RUNNING).push(Arc::clone(&process));
        Some(Z3 { process, questions, answers: BufReader::new(answers) })
    }

    fn send(&mut self, text: &str) -> Option<()> {
        self.questions.write_all(text.as_bytes()).and_then(|()| self.questions.flush()).ok()
    }

    fn read_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.answers.read_line(&mut line).ok()?;
        (length > 0).then_some(line)
    }

    /// Reads the values of names. The answer has a line for each name, such as `((g1 true)`.
    fn values(&mut self, names: &[String]) -> Option<Vec<bool>> {
        self.send(&format!("(get-value ({}))\n", names.join(" ")))?;
        let mut values = Vec::with_capacity(names.len());
        for name in names {
            let line = self.read_line()?;
            let (_, value) = line.split_once(&format!("({name} "))?;
            values.push(value.starts_with("true"));
        }
        Some(values)
    }
}

impl Solver for Z3 {
    fn define(&mut self, text: &str) {
        // If z3 has exited, the next question has no answer.
        let _ = self.send(text);
    }

    fn ask(&mut self, formula: &str, names: &[String]) -> Option<Option<Vec<bool>>> {
        self.send(&format!("(push 1)\n(assert {formula})\n(check-sat)\n"))?;
        let answer = match self.read_line()?.trim() {
            "sat" if names.is_empty() => Some(Vec::new()),
            "sat" => Some(self.values(names)?),
            "unsat" => None,
            _ => return None,
        };
        self.send("(pop 1)\n")?;
        Some(answer)
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        lock(&RUNNING).retain(|process| !Arc::ptr_eq(process, &self.process));
        let mut process = lock(&self.process);
        let _ = process.kill(); // the solver may have exited already
        let _ = process.wait();
    }
}
