#!/usr/bin/env node
"use strict";
// Gives a checkout the command `npx carryon`: npm links the bins of workspaces, not those of the root.
require("../bin/carryon.cjs");
