// Starts `gray1 dap`, by the name that the settings give it.
const { spawnSync } = require("child_process");
const vscode = require("vscode");

// An adapter that cannot be started fails in silence, so it is tried first.
const complain = async (command, reason) => {
  const setting = "gray1.command";
  const message = `The command ${command} cannot be started (${reason}). Install it, or name it in the setting ${setting}.`;
  if ((await vscode.window.showErrorMessage(message, "Open settings")) !== undefined) {
    vscode.commands.executeCommand("workbench.action.openSettings", setting);
  }
};

exports.activate = (context) => {
  const createDebugAdapterDescriptor = (session) => {
    // "debugServer": PORT in launch.json means `gray1 dap --port PORT`, which runs already.
    const port = session.configuration.debugServer;
    if (port) {
      return new vscode.DebugAdapterServer(port);
    }
    const command = vscode.workspace.getConfiguration("gray1").get("command");
    const { error, status, stderr } = spawnSync(command, ["--version"], { encoding: "utf8", timeout: 10000 });
    if (error || status !== 0) {
      const reason = error ? error.message : stderr.trim();
      complain(command, reason);
      throw new Error(`${command}: ${reason}`);
    }
    return new vscode.DebugAdapterExecutable(command, ["dap"]);
  };
  // F5 without a launch.json debugs the file that is open.
  const resolveDebugConfiguration = (_folder, configuration) =>
    configuration.type
      ? configuration
      : { type: "gray1", request: "launch", name: "Gray-1", program: "${file}", stopOnEntry: true };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("gray1", { createDebugAdapterDescriptor }),
    vscode.debug.registerDebugConfigurationProvider("gray1", { resolveDebugConfiguration }),
  );
};
