"""What all packages say of these programs."""

# Our names in registries begin with it; whoever publishes proves with DNS that the domain is theirs.
NAMESPACE = "dev.toolwire"
AUTHOR = "the toolwire authors"
LICENSE = "MIT"
SUMMARY = "MCP servers put into hosts, bridged, judged and packed; and a server for the files of a project"
BRIDGE_SUMMARY = "Programs, HTTP services, tool manifests and other MCP servers as one supervised server"

# Each program that is installed, and what it is; in manual pages, too.
PROGRAMS = {
    "toolwire": "servers and hosts of the Model Context Protocol",
    "toolwire-attach": "a host's way to a bridge that many share",
    "toolwire-bridge": "tools, programs and servers as one MCP server",
    "toolwire-conformance": "judges servers of the Model Context Protocol",
    "toolwire-schema": "JSON Schema as models are given it",
    "workspace": "an MCP server for the files of a project",
}

# Those that only a package of Debian of its own has.
CLUSTER_PROGRAMS = {
    "toolwire-cluster": "a bridge as several replicas and workers, which share Redis and NATS",
}
# Those of the archive that needs nothing of a system.
STATIC_PROGRAMS = {**PROGRAMS, "everything": "an MCP server that shows each feature of the protocol"}
PROGRAMS_OF = {"toolwire-tools": PROGRAMS, "toolwire-cluster": CLUSTER_PROGRAMS, "toolwire-static": STATIC_PROGRAMS}

# What a program loads only when it needs it, by Debian's name. A static one has it in itself.
LOADED = {"toolwire-bridge": ["libcurl4", "libssl3"], "toolwire-cluster": ["libcurl4", "libssl3"]}

README = f"""# toolwire

Programs for servers of the Model Context Protocol, on Linux. They are native: what starts them leaves nothing behind.

| command | |
|---|---|
| `toolwire install HOST -- SERVER` | puts a server into one of twenty hosts, and changes no other byte of their files |
| `toolwire doctor` | says why a host does not see a server |
| `toolwire new NAME` | writes the project of a server in C++, with a test |
| `toolwire pack --name NAME -- SERVER` | makes packages of a server |
| `toolwire bridge serve FILE` | programs, services, manifests and other servers as one supervised server |
| `toolwire conformance -- SERVER` | judges a server, in any language |
| `workspace DIR` | a server that reads and searches the files below DIR, and with `--write` changes them |

Each has `--help`. `toolwire bridge` needs libcurl 7.88 on the system when it calls services over HTTP, and
OpenSSL 3 when it checks tokens.

mcp-name: {NAMESPACE}/bridge
"""
