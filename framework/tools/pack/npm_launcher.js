#!/usr/bin/env node
"use strict";
// Where node has process.execve (22.15 and later, not on Windows) the process becomes the program and node is gone;
// elsewhere node stays, hands on signals and ends as the program does.

const packages = @PACKAGES@;

function fail(text) {
  process.stderr.write(`@NAME@: ${text}\n`);
  process.exit(1);
}

function programFile() {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  if (name === undefined)
    fail(`there is no program for ${platform}, only for ${Object.keys(packages).join(", ")}`);
  try {
    return require.resolve(`${name}/bin/@NAME@`);
  } catch {
    fail(`the package ${name} is missing: it is an optional dependency, so install again without --omit=optional`);
  }
}

function stayBeside(file, words) {
  // Before there is a program, so that it does not outlive a signal that comes at once.
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];
  const handOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, handOn);
  const child = require("node:child_process").spawn(file, words, { stdio: "inherit" });
  child.on("error", (error) => fail(`${file} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    for (const name of signals) process.off(name, handOn);
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
  });
}

const file = programFile();
const words = process.argv.slice(2);
if (typeof process.execve === "function" && process.platform !== "win32")
  process.execve(file, [file, ...words], process.env);
else
  stayBeside(file, words);
