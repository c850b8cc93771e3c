-- A session in Neovim with its own language client: opens a program with an error, applies the fix, hovers, renames,
-- completes, formats; then debugs it with nvim-dap, if that is installed. Prints each step, and exits with 1 at the first
-- failure.
local function say(text) io.stdout:write(text .. "\n") end
local function fail(text)
  say("not so: " .. text)
  vim.cmd("cquit 1")
end
local function see(what, look)
  local seen
  if not vim.wait(60000, function() seen = look() return seen end, 20) then fail(what) end
  say("seen: " .. what)
  return seen
end
local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local function text() return table.concat(lines(), "\n") end
local function at(line, column) vim.api.nvim_win_set_cursor(0, { line, column }) end

local function main()
  local path = vim.env.GRAY1_EDITED
  vim.cmd.edit(path)
  see("the file type", function() return vim.bo.filetype == "gray1" end)
  see("the server", function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end)
  see("the error", function()
    for _, found in ipairs(vim.diagnostic.get(0)) do
      if found.message:find("unknown name `limt`", 1, true) and found.lnum == 4 then return true end
    end
  end)
  at(5, 8)
  vim.lsp.buf.code_action({ apply = true })
  see("the fix", function() return text():find("lda  #limit", 1, true) end)
  see("no error any more", function() return #vim.diagnostic.get(0) == 0 end)
  at(5, 8)
  vim.lsp.buf.hover()
  see("the hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local shown = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      if vim.api.nvim_win_get_config(window).relative ~= "" and table.concat(shown, "\n"):find("8 = $08", 1, true) then
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
  vim.lsp.buf.definition()
  see("the definition", function() return vim.api.nvim_win_get_cursor(0)[1] == 2 end)
  vim.lsp.buf.rename("width")
  see("the new name", function()
    return text():find("width = 8", 1, true) and text():find("lda  #width", 1, true)
  end)
  vim.lsp.buf.format()
  see("the layout", function() return text():find("\n      lda  #width", 1, true) end)
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  at(6, 11)
  local answer = client:request_sync("textDocument/completion", vim.lsp.util.make_position_params(0, client.offset_encoding), 20000, 0)
  see("a completion", function()
    for _, item in ipairs(answer and answer.result and answer.result.items or {}) do
      if item.label == "OUT" then return true end
    end
  end)
  vim.lsp.inlay_hint.enable(true)
  vim.cmd.write()

  local has_dap, dap = pcall(require, "dap")
  if not has_dap then
    say("SKIPPED: debugging, since nvim-dap is not installed")
    return
  end
  at(6, 0)
  dap.toggle_breakpoint()
  dap.continue()
  local function line() return dap.session() and dap.session().current_frame and dap.session().current_frame.line end
  see("the first instruction", function() return line() == 5 end)
  dap.continue()
  see("the breakpoint", function() return line() == 6 end)
  dap.step_over()
  see("a step", function() return line() == 7 end)
  dap.step_back()
  see("a step back", function() return line() == 6 end)
  dap.step_over()
  see("the step again", function() return line() == 7 end)
  local value
  dap.session():request("evaluate", { expression = "n", frameId = dap.session().current_frame.id, context = "watch" }, function(_, result)
    value = result and result.result
  end)
  see("the value of n", function() return value and value:find("8") end)
  dap.terminate()
  see("the end", function() return dap.session() == nil end)
end

local ok, reason = xpcall(main, debug.traceback)
if not ok then fail(reason) end
vim.cmd("qall!")
