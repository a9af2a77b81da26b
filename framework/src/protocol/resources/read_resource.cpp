// resources/read (specification: server/resources, reading): from the reading thread to the crew.
#include "protocol/handlers.hpp"
#include "protocol/on_crew.hpp"
#include "protocol/resources/resource_read.hpp"

namespace toolwire::protocol {

void read_resource(Exchange&& exchange) {
  if (!run_on_crew(exchange, [](Exchange&& mine) { std::make_shared<ResourceRead>(std::move(mine))->run(); }))
    throw_busy();
}

}  // namespace toolwire::protocol
