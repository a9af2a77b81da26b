throw new Error("does not load");
