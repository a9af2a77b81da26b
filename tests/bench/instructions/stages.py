"""The stages of a request and the functions that begin them; what kinds of work where.py tells apart.

A pattern that no longer matches shows at once: its stage goes to the one around it, or to "outside".
"""
import re

# The stage of an instruction is that of its nearest caller that is listed here; the order is that of the table.
STAGES = [(stage, re.compile(pattern)) for stage, pattern in [
    ("the benchmark itself", r"Repeated::"),
    ("read and split", r"toolwire::transport::LineSplitter::"),
    ("parse", r"toolwire::json::(parse_envelope|PlainReader::)"),
    ("message", r"toolwire::jsonrpc::parse\(|toolwire::json::arena_for"),
    ("dispatch", r"toolwire::server::Session::(read_turn|on_line|on_message|on)\("),
    ("dispatch", r"toolwire::protocol::(call_tool|list_tools|run_on_engine|find_method|revision_of)"),
    ("begin", r"toolwire::runtime::InFlight::begin"),
    ("queue", r"toolwire::engine::(Engine|Channel|Poller)::"),
    ("call set up", r"toolwire::protocol::(Request|RequestFor<.*>)::(Request|RequestFor|run|prepare|admit|run_round|run_at_once|step|invoke)\("),
    ("validate", r"toolwire::Schema::|toolwire::schema::"),
    ("decode", r"toolwire::(detail::)?decode"),
    ("invoke", r"toolwire::features::invoke"),
    ("handler", r"add_tools"),
    ("conclude", r"toolwire::protocol::(RequestFor<.*>::(finish|answer|came_to)|ToolCall::answer|Request::end)|toolwire::check_output"),
    ("lower", r"toolwire::protocol::(append_|Exchange::close_result)"),
    ("write JSON", r"toolwire::json::(write|Writer)"),
    ("answer", r"toolwire::runtime::(Call::(answer|open|close)|InFlight::(remove|settle))"),
    ("output", r"toolwire::runtime::Output::"),
    ("tear down", r"toolwire::(protocol|runtime)::\w+::~|toolwire::json::Arena::~|toolwire::ToolResult::~|"
                  r"_M_(dispose|destroy)|boost::json::\w+::~|shared_resource_impl<.*>::~"),
]]

KINDS = [(kind, re.compile(pattern)) for kind, pattern in [
    ("memory", r"^(malloc|free|calloc|realloc|_int_malloc|_int_free|operator (new|delete)|malloc_consolidate|"
               r"unlink_chunk|tcache|__libc_(malloc|free))|toolwire::json::Arena::(do_)?(de)?allocate"),
    ("copying", r"^_*(mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp))"),
    ("locks", r"^_*pthread_|^___?pthread|lll_|^__gthread|stop_state"),
]]
