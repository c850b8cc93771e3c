// Starts `gray1 dap`, by the name that the settings give it.
const vscode = require("vscode");

exports.activate = (context) => {
  const createDebugAdapterDescriptor = (session) => {
    // "debugServer": PORT in launch.json means `gray1 dap --port PORT`, which runs already.
    const port = session.configuration.debugServer;
    if (port) {
      return new vscode.DebugAdapterServer(port);
    }
    const command = vscode.workspace.getConfiguration("gray1").get("command");
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
