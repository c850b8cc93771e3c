//! A solver for SMT-LIB as a process of its own: z3, where it is installed.

use gray1_contracts::Solver;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The limits of z3 for all questions about a contract, in seconds and MB.
const LIMITS: [&str; 2] = ["-T:2", "-memory:200"];

/// The solvers that run now.
static RUNNING: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Ends all solvers, before the process ends.
pub fn end_all() {
    for process in locked(&RUNNING).iter() {
        let _ = locked(process).kill(); // it may have ended already
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// z3, waiting for questions.
pub struct Z3 {
    process: Arc<Mutex<Child>>,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Z3 {
    /// Starts z3, if it is installed. It ends when this is dropped.
    #[allow(clippy::disallowed_methods)] // this is not a test
    pub fn start() -> Option<Z3> {
        let mut z3 = Command::new("z3");
        z3.arg("-in").args(LIMITS).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = z3.spawn().ok()?;
        let (questions, answers) = (process.stdin.take()?, process.stdout.take()?);
        let process = Arc::new(Mutex::new(process));
        locked(&RUNNING).push(Arc::clone(&process));
        Some(Z3 { process, questions, answers: BufReader::new(answers) })
    }

    fn say(&mut self, text: &str) -> Option<()> {
        self.questions.write_all(text.as_bytes()).and_then(|()| self.questions.flush()).ok()
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.answers.read_line(&mut line).ok()?;
        (length > 0).then_some(line)
    }

    /// The values of names: `((g1 true)` and so on, a name a line.
    fn values(&mut self, names: &[String]) -> Option<Vec<bool>> {
        self.say(&format!("(get-value ({}))\n", names.join(" ")))?;
        let mut values = Vec::with_capacity(names.len());
        for name in names {
            let line = self.line()?;
            let (_, value) = line.split_once(&format!("({name} "))?;
            values.push(value.starts_with("true"));
        }
        Some(values)
    }
}

impl Solver for Z3 {
    fn define(&mut self, text: &str) {
        // If z3 has gone, the next question has no answer.
        let _ = self.say(text);
    }

    fn ask(&mut self, formula: &str, names: &[String]) -> Option<Option<Vec<bool>>> {
        self.say(&format!("(push 1)\n(assert {formula})\n(check-sat)\n"))?;
        let answer = match self.line()?.trim() {
            "sat" if names.is_empty() => Some(Vec::new()),
            "sat" => Some(self.values(names)?),
            "unsat" => None,
            _ => return None,
        };
        self.say("(pop 1)\n")?;
        Some(answer)
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        locked(&RUNNING).retain(|process| !Arc::ptr_eq(process, &self.process));
        let mut process = locked(&self.process);
        let _ = process.kill(); // it may have ended already
        let _ = process.wait();
    }
}
