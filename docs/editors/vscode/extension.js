// The extension: `gray1 lsp` for the language, `gray1 dap` for debugging, and commands that run `gray1` on the open program.
const { spawnSync } = require("child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const HOW_TO_GET_IT = "https://doc.rust-lang.org/cargo/getting-started/installation.html";

const settings = () => vscode.workspace.getConfiguration("gray1");
const command = () => settings().get("command");

// Why `gray1` cannot be started, or nothing. What cannot be started would otherwise fail in silence.
const missing = () => {
  const { error, status, stderr } = spawnSync(command(), ["--version"], { encoding: "utf8", timeout: 10000 });
  return error ? error.message : status === 0 ? undefined : stderr.trim();
};

const complain = async (reason) => {
  const message =
    `The command ${command()} cannot be started (${reason}). Install it with "cargo install --path ." in the folder ` +
    "of the Gray-1 project, or give its full path in the setting gray1.command.";
  const answer = await vscode.window.showErrorMessage(message, "Open settings", "Get Rust");
  if (answer === "Open settings") {
    vscode.commands.executeCommand("workbench.action.openSettings", "gray1.command");
  } else if (answer === "Get Rust") {
    vscode.env.openExternal(vscode.Uri.parse(HOW_TO_GET_IT));
  }
};

// The language: a client that is started anew when a setting changes.
let client;

const stopLanguage = async () => {
  const old = client;
  client = undefined;
  await old?.stop();
};

const startLanguage = async () => {
  await stopLanguage();
  const reason = missing();
  if (reason !== undefined) {
    return complain(reason);
  }
  const folders = settings().get("include").flatMap((folder) => ["-I", folder]);
  const server = { command: command(), args: ["lsp", ...folders] };
  client = new LanguageClient("gray1", "Gray-1", server, { documentSelector: [{ language: "gray1" }] });
  await client.start();
};

// The path of the program that is being edited, saved.
const openProgram = async () => {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "gray1" || document.isUntitled) {
    vscode.window.showInformationMessage("Open a .g1 file first.");
    return undefined;
  }
  await document.save();
  return document.uri.fsPath;
};

const task = (definition, name, args) => {
  const execution = new vscode.ProcessExecution(command(), args);
  return new vscode.Task(definition, vscode.TaskScope.Workspace, name, "gray1", execution, "$gray1");
};

const runOnTheLeds = async () => {
  const file = await openProgram();
  if (file !== undefined) {
    vscode.tasks.executeTask(task({ type: "gray1", file, action: "run" }, "run", ["run", file]));
  }
};

const showCost = async () => {
  const file = await openProgram();
  if (file === undefined) {
    return;
  }
  const made = spawnSync(command(), ["asm", "--format", "listing", "-o", "-", file], { encoding: "utf8", timeout: 60000 });
  if (made.error || made.status !== 0) {
    vscode.window.showErrorMessage(made.error ? made.error.message : `${file} has errors: see the problems.`);
    return;
  }
  const document = await vscode.workspace.openTextDocument({ content: made.stdout });
  vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
};

// Tasks of tasks.json: { "type": "gray1", "file": "${file}", "action": "asm" }.
const resolveTask = ({ definition, name }) => {
  const { action = "asm", file } = definition;
  return file === undefined ? undefined : task(definition, name, [action, file]);
};

const createDebugAdapterDescriptor = (session) => {
  // "debugServer": PORT in launch.json means `gray1 dap --port PORT`, which runs already.
  const port = session.configuration.debugServer;
  if (port) {
    return new vscode.DebugAdapterServer(port);
  }
  const reason = missing();
  if (reason !== undefined) {
    complain(reason);
    throw new Error(`${command()}: ${reason}`);
  }
  return new vscode.DebugAdapterExecutable(command(), ["dap"]);
};

// F5 without a launch.json debugs the file that is open.
const resolveDebugConfiguration = (_folder, configuration) =>
  configuration.type
    ? configuration
    : { type: "gray1", request: "launch", name: "Gray-1", program: "${file}", stopOnEntry: true };

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("gray1", { createDebugAdapterDescriptor }),
    vscode.debug.registerDebugConfigurationProvider("gray1", { resolveDebugConfiguration }),
    vscode.commands.registerCommand("gray1.run", runOnTheLeds),
    vscode.commands.registerCommand("gray1.cost", showCost),
    vscode.tasks.registerTaskProvider("gray1", { provideTasks: () => [], resolveTask }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("gray1")) {
        startLanguage();
      }
    }),
  );
  await startLanguage();
};

exports.deactivate = stopLanguage;
