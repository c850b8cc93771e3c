// The extension: `gray1 lsp` for the language, `gray1 dap` for debugging, and commands that run `gray1` on the open program.
const { spawnSync } = require("child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const HOW_TO_GET_IT = "https://doc.rust-lang.org/cargo/getting-started/installation.html";

const settings = () => vscode.workspace.getConfiguration("gray1");
const command = () => settings().get("command");
const folders = () => settings().get("include").flatMap((folder) => ["-I", folder]);

// Why `gray1` cannot be started, or nothing. What cannot be started would otherwise fail in silence.
const missing = () => {
  const { error, status, stderr } = spawnSync(command(), ["--version"], { encoding: "utf8", timeout: 10000 });
  if (error) {
    return error.code === "ENOENT" ? "it was not found" : error.message;
  }
  return status === 0 ? undefined : stderr.trim();
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

// Whether `gray1` can be started; if not, the user is told.
const isThere = () => {
  const reason = missing();
  if (reason !== undefined) {
    complain(reason);
  }
  return reason === undefined;
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
  if (!isThere()) {
    return;
  }
  const server = { command: command(), args: ["lsp", ...folders()] };
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
  return isThere() ? document.uri.fsPath : undefined;
};

const task = (definition, name, args) => {
  const execution = new vscode.ProcessExecution(command(), args);
  return new vscode.Task(definition, vscode.TaskScope.Workspace, name, "gray1", execution, "$gray1");
};

const runOnTheLeds = async () => {
  const file = await openProgram();
  if (file !== undefined) {
    vscode.tasks.executeTask(task({ type: "gray1", file, action: "run" }, "run", ["run", ...folders(), file]));
  }
};

// Listings are made when they are shown, and cannot be edited: the path of one is that of its program, with an ending.
const LISTING = "gray1-listing";
const listingsChanged = new vscode.EventEmitter();

const provideTextDocumentContent = (uri) => {
  const program = vscode.Uri.file(uri.path.replace(/\.lst$/, "")).fsPath;
  const listing = ["asm", "--format", "listing", "-o", "-", ...folders(), program];
  const { error, status, stdout, stderr } = spawnSync(command(), listing, { encoding: "utf8", timeout: 60000 });
  return error ? error.message : status === 0 ? stdout : stderr;
};

const showCost = async () => {
  const file = await openProgram();
  if (file !== undefined) {
    const uri = vscode.Uri.file(`${file}.lst`).with({ scheme: LISTING });
    listingsChanged.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
};

// Tasks of tasks.json: { "type": "gray1", "file": "${file}", "action": "asm" }.
const resolveTask = ({ definition, name }) => {
  const { action = "asm", file } = definition;
  return file === undefined ? undefined : task(definition, name, [action, ...folders(), file]);
};

// "debugServer": PORT in launch.json means `gray1 dap --port PORT`, which runs already.
const createDebugAdapterDescriptor = ({ configuration: { debugServer } }) =>
  debugServer
    ? new vscode.DebugAdapterServer(debugServer)
    : new vscode.DebugAdapterExecutable(command(), ["dap"]);

// F5 without a launch.json debugs the file that is open. Nothing is started if there is nothing to start.
const resolveDebugConfiguration = (_folder, configuration) => {
  const ofOpenFile = { type: "gray1", request: "launch", name: "Gray-1", program: "${file}", stopOnEntry: true };
  return configuration.debugServer || isThere() ? (configuration.type ? configuration : ofOpenFile) : undefined;
};

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("gray1", { createDebugAdapterDescriptor }),
    vscode.debug.registerDebugConfigurationProvider("gray1", { resolveDebugConfiguration }),
    vscode.commands.registerCommand("gray1.run", runOnTheLeds),
    vscode.commands.registerCommand("gray1.cost", showCost),
    vscode.workspace.registerTextDocumentContentProvider(LISTING, {
      onDidChange: listingsChanged.event,
      provideTextDocumentContent,
    }),
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
